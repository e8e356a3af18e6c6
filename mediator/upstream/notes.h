// What a server says beside the protocol, for the operator's log: bounded, and harmless to read.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/upstream/secrets.h"

namespace tipstaff::upstream {

// The notes of one connection: at most kMaxNotes, and then one that says so; each of at most
// kMaxNoteBytes (limits.h) before it is escaped, and the text of one
// that has a secret in it is left out. Not thread-safe.
class Notes {
 public:
  explicit Notes(Secrets secrets = Secrets()) : secrets_(std::move(secrets)) {}

  // Text that is one note. Empty where it is blank, or too much has been said already.
  std::vector<std::string> Take(absl::string_view text);
  // Bytes of standard error: the lines that are whole by now.
  std::vector<std::string> TakeBytes(absl::string_view bytes);
  // The last line, which has no end.
  std::vector<std::string> TakeEnd();

  // Nothing more will be given out.
  bool full() const;

 private:
  const Secrets secrets_;
  std::string line_;  // not whole yet, cut
  int taken_ = 0;
};

}  // namespace tipstaff::upstream
