#include "mediator/mcp/methods.h"

namespace tipstaff::mcp {
namespace {

constexpr MethodRule kMethods[] = {
    {"initialize", Method::kInitialize, true, false, Needs::kNothing, ""},
    {"ping", Method::kPing, true, false, Needs::kNothing, ""},
    {"server/discover", Method::kDiscover, false, true, Needs::kNothing, ""},
    {"subscriptions/listen", Method::kListen, false, true, Needs::kNothing, ""},
    {"logging/setLevel", Method::kSetLevel, true, false, Needs::kLogging, ""},
    {"tools/list", Method::kToolsList, true, true, Needs::kNothing, ""},
    {"tools/call", Method::kToolsCall, true, true, Needs::kNothing, "name"},
    {"resources/list", Method::kResourcesList, true, true, Needs::kResources, ""},
    {"resources/templates/list", Method::kTemplatesList, true, true, Needs::kResources, ""},
    {"resources/read", Method::kResourcesRead, true, true, Needs::kResources, "uri"},
    {"resources/subscribe", Method::kSubscribe, true, false, Needs::kSubscriptions, ""},
    {"resources/unsubscribe", Method::kUnsubscribe, true, false, Needs::kSubscriptions, ""},
    {"prompts/list", Method::kPromptsList, true, true, Needs::kPrompts, ""},
    {"prompts/get", Method::kPromptsGet, true, true, Needs::kPrompts, "name"},
    {"completion/complete", Method::kComplete, true, true, Needs::kCompletions, ""},
};

}  // namespace

const MethodRule* FindMethod(absl::string_view name) {
  for (const MethodRule& rule : kMethods) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

}  // namespace tipstaff::mcp
