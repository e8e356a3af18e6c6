#include "mediator/mcp/catalog.h"

#include "absl/strings/str_cat.h"

namespace tipstaff::mcp {

std::string CapabilitiesJson(const Catalog* catalog) {
  std::string json = R"({"tools":{"listChanged":true})";
  if (catalog != nullptr) {
    if (catalog->has_resources()) {
      absl::StrAppend(&json, R"(,"resources":{"listChanged":true)",
                      catalog->subscriptions ? R"(,"subscribe":true})" : "}");
    }
    if (catalog->has_prompts()) absl::StrAppend(&json, R"(,"prompts":{"listChanged":true})");
    if (catalog->completions) absl::StrAppend(&json, R"(,"completions":{})");
    if (catalog->logging) absl::StrAppend(&json, R"(,"logging":{})");
  }
  return absl::StrCat(json, "}");
}

}  // namespace tipstaff::mcp
