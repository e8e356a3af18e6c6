// Reads mappings of the files that stub authors write, and says what is wrong with them and where.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "mediator/source/diagnostic.h"
#include "mediator/source/document.h"

namespace tipstaff::engine {

// Each method that finds something wrong adds one diagnostic. `document` and `diagnostics` must
// outlive it.
class Fields {
 public:
  Fields(const source::Document& document, source::Diagnostics& diagnostics)
      : document_(document), diagnostics_(diagnostics) {}

  const source::Document& document() const { return document_; }
  source::Diagnostics& diagnostics() { return diagnostics_; }

  void Error(json::Value at, absl::string_view code, absl::string_view message,
             absl::string_view label = "");
  void ErrorAtKey(json::Value at, absl::string_view code, absl::string_view message,
                  absl::string_view label = "");
  void Warning(json::Value at, absl::string_view code, absl::string_view message,
               absl::string_view label = "");

  void WarningAtKey(json::Value at, absl::string_view code, absl::string_view message,
                    absl::string_view label = "");

  // Whether `value` is a mapping; its keys beside `known` and the `required` ones that it lacks are
  // errors. `what` is for messages: "a tool".
  bool IsMapping(json::Value value, absl::string_view what,
                 std::initializer_list<absl::string_view> known,
                 std::initializer_list<absl::string_view> required = {});
  // Whether the value has this type; `what` names it: "`description`".
  bool IsText(json::Value value, absl::string_view what);
  bool IsSequence(json::Value value, absl::string_view what);
  bool IsObject(json::Value value, absl::string_view what);
  std::optional<bool> Bool(json::Value value, absl::string_view what);
  std::optional<int64_t> Integer(json::Value value, absl::string_view what, int64_t least,
                                 int64_t most);

  // An error at `at` for a name that is not among `names`: "unknown table `outbx`", with the one
  // that was meant.
  void Unknown(json::Value at, absl::string_view what, absl::string_view name,
               absl::Span<const std::string> names);

  // While it lives, diagnostics carry the note "in tool `send_message`".
  class Within {
   public:
    Within(Fields& fields, std::string note) : fields_(fields) {
      fields_.notes_.push_back(std::move(note));
    }
    ~Within() { fields_.notes_.pop_back(); }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

   private:
    Fields& fields_;
  };

 private:
  void Add(source::Diagnostic diagnostic, absl::string_view label);
  bool IsKind(json::Value value, json::Kind kind, absl::string_view what,
              absl::string_view expected);

  const source::Document& document_;
  source::Diagnostics& diagnostics_;
  std::vector<std::string> notes_;
};

// "did you mean `x`?" or "".
std::string Suggest(absl::string_view name, absl::Span<const std::string> names);
// "`a`, `b` and `c`".
std::string ListNames(absl::Span<const std::string> names);

}  // namespace tipstaff::engine
