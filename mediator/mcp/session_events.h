// What goes into a ServerSession besides a client's messages, and what comes out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "absl/time/time.h"
#include "mediator/mcp/call_kind.h"
#include "mediator/mcp/catalog.h"
#include "mediator/mcp/decision.h"

namespace tipstaff::mcp {

// ---- what comes out ----

// A message for the client, without the line feed.
struct Send {
  enum class Kind {
    kAnswer,  // the last of its request
    kEvent,   // progress, a log message: may be left out when the client does not keep up
    kChange,  // a list or a resource changed, or a subscription began
  };
  std::string message;
  // Of the request that it belongs to. 0: the answer to the message that was just taken in, or,
  // for a change, a matter of the whole session.
  uint64_t ticket = 0;
  Kind kind = Kind::kAnswer;
  int error = 0;  // the code of an error answer
};
// Wanted: OnList, at the latest after `patience` (zero: as long as it usually takes).
struct WantList {
  uint64_t ticket = 0;
  absl::Duration patience;
};
// Wanted: any number of OnProgress (when `want_progress`) and OnLog (when there is a `log_level`),
// then OnCallEnd.
struct WantCall {
  uint64_t ticket = 0;
  std::string name;            // of a tool or prompt, the client's word: any text
  std::string arguments;       // a JSON object
  std::string log_level = "";  // the least that is wanted; "": nothing
  CallKind kind = CallKind::kTool;
  bool want_progress = false;
};
// Nobody waits for that ticket any more.
struct Cancel {
  uint64_t ticket = 0;
};
// Something for the log, escaped.
struct Note {
  std::string text;
};
using Output = std::variant<Send, WantList, WantCall, Cancel, Note>;

// ---- what goes in ----

// Shared, as several sessions may be shown the same.
using CatalogPtr = std::shared_ptr<const Catalog>;

struct CallProgress {
  double progress = 0;
  double total = 0;     // 0: not known
  std::string message;  // "": none
};

// Of a call of a kind whose results cannot be errors.
struct CallError {
  int code = 0;
  std::string message;
};

struct CallEnd {
  std::string result;  // as JSON; see CallResult()
  std::optional<Decision> decision;
  std::optional<CallError> error = std::nullopt;  // instead of `result`
};

struct Change {
  enum class What { kTools, kResources, kPrompts, kResource };
  What what = What::kTools;
  std::string uri = "";  // of kResource: the one that was updated
};

}  // namespace tipstaff::mcp
