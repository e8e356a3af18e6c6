#include "mediator/host/approver.h"

#include <pwd.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/base/status.h"
#include "mediator/keys/keys.h"
#include "mediator/keys/signed_note.h"

namespace tipstaff::host {
namespace {

// A person, and how they were known.
struct Known {
  const config::Person* person = nullptr;
  std::string how;  // "uid:1000", "key K"
};

absl::StatusOr<Known> KnownByUser(absl::Span<const config::Person> people,
                                  const std::string& asker) {
  for (const config::Person& person : people) {
    if (!person.user.empty() && UidOf(person.user) == asker) return Known{&person, asker};
  }
  return absl::PermissionDeniedError(
      absl::StrCat("`", asker, "` is the `user` of nobody in `people:` of the configuration: ",
                   "somebody else has to say it, or sign it with --sign-with"));
}

absl::StatusOr<Known> KnownByKey(absl::Span<const config::Person> people, const std::string& note,
                                 const std::string& text) {
  std::vector<std::pair<keys::KnownKey, const config::Person*>> keys;
  for (const config::Person& person : people) {
    if (person.key.empty()) continue;
    TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<keys::KnownKey> theirs,
                              keys::ReadTrustedKeys(person.key));
    for (const keys::KnownKey& key : theirs) keys.emplace_back(key, &person);
  }
  const auto find = [&keys](absl::string_view kid) {
    return std::find_if(keys.begin(), keys.end(),
                        [kid](const auto& entry) { return entry.first.kid == kid; });
  };
  const auto verified =
      keys::VerifyNote(note, [&](absl::string_view kid) -> const keys::PublicKey* {
        const auto it = find(kid);
        return it == keys.end() ? nullptr : &it->first.key;
      });
  if (absl::IsNotFound(verified.status())) {
    return absl::PermissionDeniedError(
        "it is signed with the `key` of nobody in `people:` of the configuration");
  }
  if (!verified.ok()) return absl::PermissionDeniedError(verified.status().message());
  if (verified->text != text) {
    return absl::PermissionDeniedError("what was signed is about another call, or says otherwise");
  }
  return Known{find(verified->kid)->second, absl::StrCat("key ", verified->kid)};
}

bool MayApprove(const config::Person& person, const policy::Approval& rule) {
  return std::any_of(rule.by.begin(), rule.by.end(), [&](const std::string& name) {
    return name == person.name ||
           std::find(person.groups.begin(), person.groups.end(), name) != person.groups.end();
  });
}

}  // namespace

std::string StatementText(const Statement& statement) {
  return absl::StrCat("tipstaff approval 1\n", "decision ", statement.decision, "\n",
                      statement.approves ? "approved" : "denied", "\ntool ", statement.tool,
                      "\narguments ", statement.arguments_digest, "\npolicy ", statement.policy,
                      "\nwhy ", statement.why, "\n");
}

absl::StatusOr<std::string> CheckApprover(absl::Span<const config::Person> people,
                                          const policy::Approval& rule,
                                          const std::string& opened_by, const std::string& asker,
                                          const Statement& statement, const std::string& note) {
  TIPSTAFF_ASSIGN_OR_RETURN(const Known known,
                            note.empty() ? KnownByUser(people, asker)
                                         : KnownByKey(people, note, StatementText(statement)));
  const config::Person& person = *known.person;
  if (!MayApprove(person, rule)) {
    return absl::PermissionDeniedError(absl::StrCat("`", person.name, "` may not say so: `",
                                                    absl::StrJoin(rule.by, "`, `"), "` may"));
  }
  if (!person.user.empty() && UidOf(person.user) == opened_by) {
    return absl::PermissionDeniedError(
        absl::StrCat("`", person.name, "` opened the run: somebody else has to say it"));
  }
  return absl::StrCat(person.name, " (", known.how, ")");
}

std::string UidOf(const std::string& user) {
  passwd entry{};
  passwd* found = nullptr;
  std::vector<char> buffer(16 << 10);
  if (::getpwnam_r(user.c_str(), &entry, buffer.data(), buffer.size(), &found) != 0 ||
      found == nullptr) {
    return "";
  }
  return absl::StrCat("uid:", found->pw_uid);
}

}  // namespace tipstaff::host
