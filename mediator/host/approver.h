// Who says whether a held call may be made, and whether that is one who may.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "mediator/config/config.h"
#include "mediator/policy/skill.h"

namespace tipstaff::host {

// What a person says, of which call: a tool and its arguments in one run under one policy.
struct Statement {
  std::string decision;          // "run_...#7"
  std::string tool;              // "mail.send_message"
  std::string arguments_digest;  // as the record of the decision has it
  std::string policy;            // the digest of the run's grant
  bool approves = false;
  std::string why;  // one line, or ""
};

// What a person signs: a line for each member, and a line feed at the end.
std::string StatementText(const Statement& statement);

// Who said it, for the record: "dana (uid:1000)" or "dana (key K)". `note`: a signed note
// (keys/signed_note.h) around StatementText() by a key of `people`; "": it is whoever is connected,
// `asker` ("uid:1000"). PermissionDenied: nobody of `people`, one whom `rule` does not name by name
// or group, or whoever opened the run (`opened_by`, "uid:1000").
absl::StatusOr<std::string> CheckApprover(absl::Span<const config::Person> people,
                                          const policy::Approval& rule,
                                          const std::string& opened_by, const std::string& asker,
                                          const Statement& statement, const std::string& note);

// "uid:1000" of a Unix user; "" when there is none of that name.
std::string UidOf(const std::string& user);

}  // namespace tipstaff::host
