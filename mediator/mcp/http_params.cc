#include "mediator/mcp/http_params.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

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

// Every annotated property, with its argument. Only what a chain of `properties` leads to may be
// annotated.
struct Annotated {
  json::Value property, argument;
};
std::vector<Annotated> AnnotatedOf(json::Value schema, json::Value arguments) {
  std::vector<Annotated> found;
  std::vector<Annotated> open = {{schema, arguments}};
  while (!open.empty()) {
    const Annotated at = open.back();
    open.pop_back();
    for (const json::Member& property : at.property.Find("properties").members()) {
      const json::Value argument = at.argument.Find(property.key);
      if (property.value.Find(kAnnotation).exists()) found.push_back({property.value, argument});
      open.push_back({property.value, argument});
    }
  }
  return found;
}

}  // namespace

std::optional<std::string> ParamMismatch(absl::string_view input_schema, json::Value arguments,
                                         const HttpHead& head) {
  const absl::StatusOr<json::Document> schema =
      json::Parse(input_schema, {.max_depth = kMaxMessageDepth});
  if (!schema.ok()) return std::nullopt;  // such a tool is not listed
  for (const Annotated& at : AnnotatedOf(schema->root(), arguments)) {
    const absl::string_view name = at.property.StringOr(kAnnotation, "");
    if (!IsFieldName(name)) continue;
    if (std::optional<std::string> wrong = Mismatch(name, at.argument, head)) return wrong;
  }
  return std::nullopt;
}

std::vector<std::pair<std::string, std::string>> ParamHeaders(json::Value input_schema,
                                                              absl::string_view arguments) {
  std::vector<std::pair<std::string, std::string>> headers;
  if (AnnotatedOf(input_schema, json::Value()).empty()) return headers;
  const absl::StatusOr<json::Document> given =
      json::Parse(arguments, {.max_depth = kMaxMessageDepth});
  if (!given.ok()) return headers;
  for (const auto& [property, argument] : AnnotatedOf(input_schema, given->root())) {
    const absl::string_view name = property.StringOr(kAnnotation, "");
    // `number` may not be annotated, and neither may what has parts.
    if (!IsFieldName(name) || !argument.exists() || argument.is_null() || argument.is_array() ||
        argument.is_object() || argument.kind() == json::Kind::kDouble) {
      continue;
    }
    headers.emplace_back(absl::StrCat("Mcp-Param-", name), argument.is_string()
                                                               ? std::string(argument.string())
                                                               : json::Dump(argument));
  }
  return headers;
}

std::string ParamProblem(json::Value input_schema) {
  constexpr absl::string_view kTypes[] = {"string", "integer", "boolean"};
  std::set<std::string> seen;
  for (const Annotated& at : AnnotatedOf(input_schema, json::Value())) {
    const absl::string_view name = at.property.StringOr(kAnnotation, "");
    const absl::string_view type = at.property.StringOr("type", "");
    if (!IsFieldName(name)) return absl::StrCat("its `x-mcp-header` ", Shown(name), " is no name");
    if (std::find(std::begin(kTypes), std::end(kTypes), type) == std::end(kTypes)) {
      return absl::StrCat("`x-mcp-header` ", Shown(name),
                          " is at what is not a string, an integer or a boolean");
    }
    if (!seen.insert(absl::AsciiStrToLower(name)).second) {
      return absl::StrCat("`x-mcp-header` ", Shown(name), " is there twice");
    }
  }
  return "";
}

}  // namespace tipstaff::mcp
