#include "mediator/mcp/decision.h"

#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"

namespace tipstaff::mcp {

std::string DecisionJson(const Decision& decision) {
  return absl::StrCat(R"({"id":)", json::Quote(decision.id), R"(,"verdict":)",
                      json::Quote(decision.verdict), R"(,"reason":)", json::Quote(decision.reason),
                      R"(,"retry":)", decision.retry ? "true" : "false", "}");
}

}  // namespace tipstaff::mcp
