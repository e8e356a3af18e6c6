// What can be called besides tools. Each call is decided and recorded.
#pragma once

namespace tipstaff::mcp {

enum class CallKind {
  kTool,
  kResource,  // a read
  kPrompt,
  kSubscription,  // to the updates of a resource
  kCompletion,    // of an argument of a prompt or resource template
};

}  // namespace tipstaff::mcp
