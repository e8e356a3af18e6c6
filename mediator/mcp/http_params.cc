#include "mediator/mcp/http_params.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"

namespace tipstaff::mcp {
namespace {

constexpr absl::string_view kAnnotation = "x-mcp-header";

// RFC 9110's token.
bool IsFieldName(absl::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return absl::ascii_isalnum(c) ||
           absl::string_view("!#$%&'*+-.^_`|~").find(c) != absl::string_view::npos;
  });
}

bool Says(absl::string_view header, json::Value argument) {
  const std::optional<std::string> value = DecodeHeaderValue(header);
  if (!value) return false;
  if (argument.is_string()) return *value == argument.string();
  // Numbers are compared as numbers: `42.0` is 42.
  const absl::StatusOr<json::Document> read = json::Parse(*value);
  return read.ok() && json::Equal(read->root(), argument);
}

std::optional<std::string> Mismatch(absl::string_view name, json::Value argument,
                                    const HttpHead& head) {
  // `number` may not be annotated, and neither may what has parts.
  if (argument.is_array() || argument.is_object() || argument.kind() == json::Kind::kDouble) {
    return std::nullopt;
  }
  const std::string key = absl::StrCat("mcp-param-", absl::AsciiStrToLower(name));
  const auto count = std::count_if(head.headers.begin(), head.headers.end(),
                                   [&](const auto& header) { return header.first == key; });
  const bool wanted = argument.exists() && !argument.is_null();
  if (count == 0 && !wanted) return std::nullopt;
  const std::string shown = Shown(absl::StrCat("Mcp-Param-", name));
  if (!wanted) return absl::StrCat(shown, " is there, its argument is not");
  if (count == 0) return absl::StrCat(shown, " is missing");
  if (count > 1) return absl::StrCat(shown, " is there twice");
  if (Says(*head.Find(key), argument)) return std::nullopt;
  return absl::StrCat(shown, " does not say what the argument says");
}

}  // namespace

std::optional<std::string> ParamMismatch(absl::string_view input_schema, json::Value arguments,
                                         const HttpHead& head) {
  const absl::StatusOr<json::Document> schema =
      json::Parse(input_schema, {.max_depth = kMaxMessageDepth});
  if (!schema.ok()) return std::nullopt;  // such a tool is not listed
  // Only what a chain of `properties` leads to may be annotated.
  std::vector<std::pair<json::Value, json::Value>> open = {{schema->root(), arguments}};
  while (!open.empty()) {
    const auto [object, value] = open.back();
    open.pop_back();
    for (const json::Member& property : object.Find("properties").members()) {
      const json::Value argument = value.Find(property.key);
      const absl::string_view name = property.value.StringOr(kAnnotation, "");
      if (IsFieldName(name)) {
        if (std::optional<std::string> wrong = Mismatch(name, argument, head)) return wrong;
      }
      open.emplace_back(property.value, argument);
    }
  }
  return std::nullopt;
}

}  // namespace tipstaff::mcp
