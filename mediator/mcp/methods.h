// The requests that the serving side knows, by generation.
// Source: schema/ of modelcontextprotocol/modelcontextprotocol, `ClientRequest` of each revision.
#pragma once

#include "absl/strings/string_view.h"
#include "mediator/mcp/version.h"

namespace tipstaff::mcp {

enum class Method {
  kInitialize,
  kPing,
  kDiscover,
  kListen,
  kSetLevel,
  kToolsList,
  kToolsCall,
  kResourcesList,
  kTemplatesList,
  kResourcesRead,
  kSubscribe,
  kUnsubscribe,
  kPromptsList,
  kPromptsGet,
  kComplete,
};

// What a run has to have for a method to be there.
enum class Needs { kNothing, kResources, kSubscriptions, kPrompts, kCompletions, kLogging };

struct MethodRule {
  absl::string_view name;
  Method method;
  bool legacy;
  bool modern;
  Needs needs;
  // The member of params that the header `Mcp-Name` repeats; "": none.
  absl::string_view named_by;

  bool Serves(Generation generation) const {
    return generation == Generation::kModern ? modern : legacy;
  }
};

// Nothing for a method of neither generation.
const MethodRule* FindMethod(absl::string_view name);

}  // namespace tipstaff::mcp
