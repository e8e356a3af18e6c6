// What of a recording must not stand in the stub that is made of it, and what stands there instead.
//
//   redact:
//     - {at: /reporter/email, with: "reporter{n}@customer.example"}
//     - {tool: get_report, at: "/attachments/*/name", with: file.txt}
//     - {matching: '[a-z.]+@corp\.com', with: "person{n}@customer.example"}
//
// `at` is a JSON pointer into arguments and answers (`*`: every member or item), `matching` an RE2
// expression that is looked for in every text. A text that a rule finds is replaced wherever the
// recording has it, as a whole or within another text, in keys and the tools' texts too; the same
// text always by the same. `{n}` numbers the texts of a rule, from 1. Where `with` is no text, a
// text found at `at` stands as `redacted` elsewhere. A rule finds something, or says `optional:
// true`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "mediator/json/document.h"
#include "mediator/source/diagnostic.h"
#include "stubs/recorder/recording.h"

namespace tipstaff::recorder {

struct RedactionRule {
  std::string tool;             // "": of every tool
  std::vector<std::string> at;  // the pointer's tokens
  std::string matching;         // or the expression
  json::Document with;
  bool optional = false;  // it need not find anything
  std::string written;    // as the file has it, for messages
};

// Nothing when there was an error (S..., as in stub.yaml).
std::optional<std::vector<RedactionRule>> LoadRedaction(std::shared_ptr<const source::File> file,
                                                        source::Diagnostics& diagnostics);

struct Redacted {
  std::vector<size_t> found;          // values and texts that each rule found, by its index
  std::vector<std::string> suspects;  // what is left and looks as if it should not be, in words
};

// Replaces in all `recordings` what the rules say, the same text by the same in each.
// InvalidArgument when two keys of an object become the same.
absl::StatusOr<Redacted> Redact(const std::vector<RedactionRule>& rules,
                                absl::Span<Recording* const> recordings);

}  // namespace tipstaff::recorder
