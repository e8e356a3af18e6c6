#include "mediator/policy/limits.h"

#include "absl/strings/str_cat.h"
#include "mediator/base/units.h"

namespace tipstaff::policy {

absl::string_view LimitKey(LimitKind kind) {
  switch (kind) {
    case LimitKind::kCalls:
      return "calls";
    case LimitKind::kArgumentBytes:
      return "argument_bytes";
    case LimitKind::kResultBytes:
      return "result_bytes";
    case LimitKind::kCallsPerMinute:
      return "calls_per_minute";
  }
  return "";
}

bool IsSize(LimitKind kind) {
  return kind == LimitKind::kArgumentBytes || kind == LimitKind::kResultBytes;
}

bool Recovers(LimitKind kind) { return kind == LimitKind::kCallsPerMinute; }

bool IsOver(LimitKind kind, uint64_t limit, const Use& use, uint64_t argument_bytes) {
  switch (kind) {
    case LimitKind::kCalls:
      return use.allowed >= limit;
    case LimitKind::kArgumentBytes:
      return use.argument_bytes > limit || argument_bytes > limit - use.argument_bytes;
    case LimitKind::kResultBytes:
      return use.result_bytes >= limit;
    case LimitKind::kCallsPerMinute:
      return use.last_minute >= limit;
  }
  return true;
}

std::string LimitInWords(LimitKind kind, uint64_t limit) {
  switch (kind) {
    case LimitKind::kCalls:
      return absl::StrCat("at most ", limit, " allowed calls");
    case LimitKind::kArgumentBytes:
      return absl::StrCat("at most ", base::ShowBytes(limit), " of arguments");
    case LimitKind::kResultBytes:
      return absl::StrCat("less than ", base::ShowBytes(limit), " of results before a call");
    case LimitKind::kCallsPerMinute:
      return absl::StrCat("at most ", limit, " allowed calls in a minute");
  }
  return "";
}

std::string UseInWords(LimitKind kind, const Use& use, uint64_t argument_bytes) {
  switch (kind) {
    case LimitKind::kCalls:
      return absl::StrCat(use.allowed, " before this one");
    case LimitKind::kArgumentBytes:
      return absl::StrCat(base::ShowBytes(use.argument_bytes), " before this one of ",
                          base::ShowBytes(argument_bytes));
    case LimitKind::kResultBytes:
      return base::ShowBytes(use.result_bytes);
    case LimitKind::kCallsPerMinute:
      return absl::StrCat(use.last_minute, " in the minute before this one");
  }
  return "";
}

}  // namespace tipstaff::policy
