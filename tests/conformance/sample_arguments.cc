#include "tests/conformance/sample_arguments.h"

#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"

namespace tipstaff::conformance {
namespace {

constexpr std::pair<absl::string_view, absl::string_view> kOfType[] = {
    {"string", R"("text")"}, {"number", "5"}, {"integer", "3"},
    {"boolean", "true"},     {"array", "[]"}, {"object", "{}"}};

std::string Sample(json::Value schema) {
  if (const json::Value fixed = schema.Find("const"); fixed.exists()) return json::Dump(fixed);
  if (const json::Value first = schema.Find("enum").At(0); first.exists()) {
    return json::Dump(first);
  }
  for (const auto& [type, value] : kOfType) {
    if (schema.StringOr("type", "") == type) return std::string(value);
  }
  return "null";
}

}  // namespace

std::string SampleArguments(json::Value input_schema) {
  const json::Value properties = input_schema.Find("properties");
  std::string members;
  for (const json::Value name : input_schema.Find("required").items()) {
    absl::StrAppend(&members, members.empty() ? "" : ",", json::Quote(name.string()), ":",
                    Sample(properties.Find(name.string())));
  }
  return absl::StrCat("{", members, "}");
}

}  // namespace tipstaff::conformance
