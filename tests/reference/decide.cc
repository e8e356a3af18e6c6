#include "tests/reference/decide.h"

#include <algorithm>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/builder.h"
#include "tests/reference/canary.h"
#include "tests/reference/check.h"
#include "tests/reference/units.h"

namespace tipstaff::reference {
namespace {

std::string Text(json::Value mapping, absl::string_view key) {
  return std::string(mapping.StringOr(key, ""));
}

// `*` stands for any characters.
bool Matches(absl::string_view pattern, absl::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    return Matches(pattern.substr(1), text) || (!text.empty() && Matches(pattern, text.substr(1)));
  }
  return !text.empty() && pattern[0] == text[0] && Matches(pattern.substr(1), text.substr(1));
}

// What was used of limits, by a permission or, with empty names, by the run.
struct Used {
  uint64_t calls = 0, last_minute = 0, argument_bytes = 0, result_bytes = 0;
};

// What was given, and defaults for the rest.
json::Document BindingsOf(const RunSoFar& run) {
  json::Builder builder;
  builder.StartObject();
  std::set<std::string> names;
  for (const json::Member& given : run.bindings.members()) {
    names.emplace(given.key);
    builder.Field(given.key, given.value);
  }
  for (json::Value skill : run.skills) {
    for (const json::Member& binding : skill.Find("bindings").members()) {
      const json::Value chosen = binding.value.Find("default");
      if (chosen.exists() && names.emplace(binding.key).second) builder.Field(binding.key, chosen);
    }
  }
  builder.EndObject();
  return *std::move(builder).Build();
}

class Deciding {
 public:
  Deciding(const RunSoFar& run, const NewCall& call, Counters* counters)
      : run_(run), call_(call), counters_(counters), bindings_(BindingsOf(run)) {}

  Judgement Run() {
    const auto tool = std::find_if(run_.tools.begin(), run_.tools.end(),
                                   [&](const OfferedTool& one) { return one.name == call_.tool; });
    if (tool != run_.tools.end()) judgement_.effect = tool->effect;
    if (IsExpired()) return Because(call::Reason::kRunExpired);
    if (tool == run_.tools.end()) return Because(call::Reason::kUnknownTool);
    AskAll();
    if (CarriesCanary()) return Because(call::Reason::kCanary);
    if (FindDenyRule()) return Because(call::Reason::kDenyRule);
    if (judgement_.opinions.empty()) return Because(call::Reason::kNoPermission);
    return Conclude();
  }

 private:
  using Came = Opinion::Came;

  Judgement Because(call::Reason reason) {
    judgement_.reasons = {reason};
    return std::move(judgement_);
  }

  bool Count(const char* word, bool held) const {
    if (counters_ != nullptr) counters_->Add(word, held);
    return held;
  }

  bool CarriesCanary() {
    if (run_.canaries.empty()) return false;
    const Carries carries = CarriesOut(run_.canaries, call_.arguments);
    judgement_.perhaps_canary = carries == Carries::kPerhaps;
    return !judgement_.perhaps_canary && !Count("canary", carries == Carries::kNo);
  }

  // The strictest of the skills counts, from opening.
  bool IsExpired() const {
    for (json::Value skill : run_.skills) {
      const json::Value wall = skill.Find("limits").Find("wall");
      if (wall.exists() && !Count("wall", call_.at < Milliseconds(wall))) return true;
    }
    return false;
  }

  // Whether the permission or rule is about what is called.
  bool Names(json::Value node, bool glob) const {
    for (const char* kind : {"tool", "resource", "prompt"}) {
      if (!node.Find(kind).exists()) continue;
      const std::string prefix = kind == std::string("tool") ? "" : absl::StrCat(kind, ":");
      const std::string pattern = Text(node, kind);
      if (!absl::StartsWith(call_.tool, prefix)) return false;
      const std::string name = call_.tool.substr(prefix.size());
      if (absl::StrContains(name, ':')) return false;  // of another kind
      return glob ? Matches(pattern, name) : pattern == name;
    }
    return false;
  }

  bool FindDenyRule() {
    for (json::Value skill : run_.skills) {
      for (json::Value rule : skill.Find("deny").items()) {
        if (!Count("deny", !Names(rule, /*glob=*/true)) && AsksFor(rule)) {
          judgement_.by.insert({Text(skill, "skill"), Text(rule, "id")});
        }
      }
    }
    // Of several the first by skill and id is named.
    while (judgement_.by.size() > 1) judgement_.by.erase(std::prev(judgement_.by.end()));
    return !judgement_.by.empty();
  }

  // Whether the arguments are ones that the rule denies.
  bool AsksFor(json::Value rule) const {
    const json::Value args = rule.Find("args"), schema = rule.Find("schema");
    const Rules rules{.bindings = bindings_.root(), .denies = true, .counters = counters_};
    if (args.exists()) {
      return Count("deny: args", CheckArguments(args, call_.arguments, rules).passed());
    }
    if (const json::Value uri = rule.Find("uri"); uri.exists()) {
      return Count("deny: uri", CheckUri(uri, call_.arguments, rules).passed());
    }
    if (!schema.exists()) return true;
    return Count("deny: schema", Checker(schema, rules).Check(call_.arguments, 0).passed());
  }

  void AskAll() {
    for (json::Value skill : run_.skills) {
      for (json::Value permission : skill.Find("permissions").items()) {
        if (!Names(permission, permission.Find("resource").exists())) continue;
        if (const auto raised = call::ParseEffect(permission.StringOr("effect", ""))) {
          judgement_.effect = *raised;
        }
        judgement_.opinions.push_back(Ask(skill, permission));
      }
    }
    std::sort(judgement_.opinions.begin(), judgement_.opinions.end(),
              [](const Opinion& a, const Opinion& b) {
                return std::tie(a.skill, a.permission) < std::tie(b.skill, b.permission);
              });
  }

  Opinion Ask(json::Value skill, json::Value permission) const {
    Opinion opinion{Text(skill, "skill"), Text(permission, "id")};
    Rules rules{.bindings = bindings_.root(), .counters = counters_};
    for (json::Value name : skill.Find("scope").items()) rules.scope.emplace(name.string());
    const json::Value schema = permission.Find("schema");
    const json::Value uri = permission.Find("uri");
    const Tally tally = schema.exists() ? Checker(schema, rules).Check(call_.arguments, 0)
                        : uri.exists()
                            ? CheckUri(uri, call_.arguments, rules)
                            : CheckArguments(permission.Find("args"), call_.arguments, rules);
    if (schema.exists()) Count("schema", tally.passed());
    if (uri.exists()) Count("uri", tally.passed());
    if (permission.Find("prompt").exists()) Count("prompt", tally.passed());
    if (!tally.passed()) {
      opinion.least = std::max<size_t>(tally.least(), 1);
      opinion.most = tally.most();
      opinion.argument_refused = tally.beyond_scope() || tally.maybe_beyond_scope();
      opinion.out_of_scope = !tally.beyond_scope();
      return opinion;
    }
    opinion.came = IsMarked(permission)                                      ? Came::kMarked
                   : !IsPrepared(opinion.skill, permission)                  ? Came::kPrecondition
                   : IsUsedUp(opinion.skill, opinion.permission, permission) ? Came::kLimit
                   : permission.Find("approval").exists()                    ? Came::kAsks
                                                                             : Came::kPermits;
    return opinion;
  }

  bool IsMarked(json::Value permission) const {
    for (json::Value label : permission.Find("refused_after").items()) {
      for (const EarlierCall& earlier : run_.earlier) {
        const json::Value marking = PermissionOf(earlier);
        for (json::Value mark : marking.Find("result").Find("marks").items()) {
          if (mark.string() == label.string()) return !Count("refused_after", false);
        }
      }
      Count("refused_after", true);
    }
    return false;
  }

  json::Value PermissionOf(const EarlierCall& earlier) const {
    for (json::Value skill : run_.skills) {
      if (skill.StringOr("skill", "") != earlier.skill) continue;
      for (json::Value permission : skill.Find("permissions").items()) {
        if (permission.StringOr("id", "") == earlier.permission) return permission;
      }
    }
    return json::Value();
  }

  bool IsPrepared(const std::string& skill, json::Value permission) const {
    for (json::Value id : permission.Find("after").items()) {
      const bool done =
          std::any_of(run_.earlier.begin(), run_.earlier.end(), [&](const EarlierCall& earlier) {
            return earlier.skill == skill && earlier.settled && earlier.ok &&
                   earlier.permission == id.string();
          });
      if (!Count("after", done)) return false;
    }
    return true;
  }

  bool IsUsedUp(const std::string& skill, const std::string& id, json::Value permission) const {
    for (json::Value one : run_.skills) {
      if (IsOver("run: ", one.Find("limits"), UsedBy("", ""))) return true;
    }
    return IsOver("", permission.Find("limits"), UsedBy(skill, id));
  }

  Used UsedBy(const std::string& skill, const std::string& permission) const {
    Used used;
    for (const EarlierCall& earlier : run_.earlier) {
      const bool counts =
          skill.empty() || (earlier.skill == skill && earlier.permission == permission);
      if (!counts) continue;
      ++used.calls;
      used.last_minute += call_.at - earlier.at < 60'000 ? 1 : 0;
      used.argument_bytes += earlier.argument_bytes;
      used.result_bytes += earlier.settled ? earlier.result_bytes : 0;
    }
    return used;
  }

  bool IsOver(const char* whose, json::Value limits, const Used& used) const {
    const auto over = [&](const char* word, uint64_t would_be, auto read) {
      const json::Value limit = limits.Find(word);
      return limit.exists() && !Count(absl::StrCat(whose, word).c_str(), would_be <= read(limit));
    };
    const auto number = [](json::Value limit) { return static_cast<uint64_t>(limit.integer()); };
    // The call whose result goes over it is the last: the one after it finds at least that much.
    return over("calls", used.calls + 1, number) ||
           over("argument_bytes", used.argument_bytes + call_.argument_bytes, Bytes) ||
           over("result_bytes", used.result_bytes + 1, Bytes) ||
           over("calls_per_minute", used.last_minute + 1, number);
  }

  Judgement Conclude() {
    Came nearest = Came::kArguments;
    for (const Opinion& opinion : judgement_.opinions) nearest = std::min(nearest, opinion.came);
    if (nearest == Came::kArguments) return RefuseArguments();
    // A person is asked only where no other permission lets the call pass.
    for (const Opinion& opinion : judgement_.opinions) {
      if (opinion.came == Came::kAsks) Count("approval", nearest == Came::kPermits);
    }
    for (const Opinion& opinion : judgement_.opinions) {
      if (opinion.came != nearest) continue;
      judgement_.by = {{opinion.skill, opinion.permission}};
      break;
    }
    if (nearest == Came::kPermits) {
      judgement_.verdict = call::Verdict::kAllow;
      return Because(call::Reason::kPermitted);
    }
    if (nearest == Came::kAsks) {
      judgement_.verdict = call::Verdict::kHold;
      return Because(call::Reason::kApprovalPending);
    }
    return Because(nearest == Came::kPrecondition ? call::Reason::kPrecondition
                   : nearest == Came::kLimit      ? call::Reason::kLimitExceeded
                                                  : call::Reason::kMarked);
  }

  // The nearest failed by the fewest constraints; of equals it is the first.
  Judgement RefuseArguments() {
    size_t fewest = ~size_t{0};
    for (const Opinion& opinion : judgement_.opinions) fewest = std::min(fewest, opinion.most);
    bool settled = false;  // one was there that has exactly so many
    for (const Opinion& opinion : judgement_.opinions) {
      if (opinion.least > fewest || (settled && opinion.least == fewest)) continue;
      settled = settled || opinion.most == fewest;
      judgement_.by.insert({opinion.skill, opinion.permission});
      if (opinion.out_of_scope) judgement_.reasons.insert(call::Reason::kOutOfScope);
      if (opinion.argument_refused) judgement_.reasons.insert(call::Reason::kArgumentRefused);
    }
    return std::move(judgement_);
  }

  const RunSoFar& run_;
  const NewCall& call_;
  Counters* const counters_;
  const json::Document bindings_;
  Judgement judgement_;
};

}  // namespace

Judgement Decide(const RunSoFar& run, const NewCall& call, Counters* counters) {
  return Deciding(run, call, counters).Run();
}

}  // namespace tipstaff::reference
