// Reads values of tipstaff.yaml, and says what is wrong with them and where.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "mediator/source/document.h"

namespace tipstaff::config::internal {

// Each method that finds something wrong adds one diagnostic. Both arguments must outlive it.
class Reader {
 public:
  Reader(const source::Document& document, source::Diagnostics& diagnostics);

  void Error(json::Value at, const char* code, std::string message, std::string label = "");
  void ErrorAtKey(json::Value at, const char* code, std::string message, std::string label = "");

  // Whether `value` is a mapping. A key that is not `known` is an error; `what` names the mapping.
  bool IsMapping(json::Value value, absl::string_view what,
                 absl::Span<const absl::string_view> known);
  // A text that is not empty; nothing when the member is absent or wrong.
  std::optional<std::string> Text(json::Value mapping, absl::string_view key);
  // As Text, as a path: a relative one is taken relative to the folder of the file.
  std::optional<std::string> Path(json::Value mapping, absl::string_view key);
  // The texts of a list under `key`; nothing when it is absent or wrong.
  std::optional<std::vector<std::string>> Texts(json::Value mapping, absl::string_view key);
  // A vsock port. Absent is an error.
  std::optional<uint32_t> Port(json::Value mapping, absl::string_view what);
  // Whether `name` can name a person, a group or an upstream; `what`: "a person".
  bool IsName(json::Value at, absl::string_view name, absl::string_view what, bool at_key);

  std::string Resolve(absl::string_view path) const;
  // Of the file, as its path has it; "" for the working folder.
  const std::string& folder() const { return folder_; }

 private:
  bool IsText(json::Value value, absl::string_view what);

  const source::Document& document_;
  source::Diagnostics& diagnostics_;
  std::string folder_;
};

}  // namespace tipstaff::config::internal
