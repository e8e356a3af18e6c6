#include "mediator/backend/structured_result.h"

#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"

namespace tipstaff::backend {

std::string StructuredResult(json::Value value) {
  const std::string text = value.is_string() ? std::string(value.string()) : json::Dump(value);
  std::string result = R"({"content":[{"type":"text","text":)";
  result.reserve(result.size() + 2 * text.size() + 64);
  json::AppendQuoted(text, result);
  result += "}]";
  // Before 2026-07-28 structured content had to be an object.
  if (value.is_object()) absl::StrAppend(&result, R"(,"structuredContent":)", text);
  result += '}';
  return result;
}

}  // namespace tipstaff::backend
