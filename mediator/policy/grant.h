// What one run may do: its skills with its bindings, checked together.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "mediator/call/call.h"
#include "mediator/call/outcome.h"
#include "mediator/policy/limits.h"
#include "mediator/policy/parts.h"
#include "mediator/policy/skill.h"

namespace tipstaff::policy {

class Canaries;
class CanaryResult;

// A tool as agents see it.
struct PublishedTool {
  std::string name;  // "reports_get_report": [A-Za-z0-9_-], at most 60 characters
  std::string tool;  // "reports.get_report"
  std::string title;
  std::string description;
  call::Effect effect;        // the tool's, raised where a skill says so
  std::string input_schema;   // JSON text, narrowed to what the permissions allow
  std::string output_schema;  // JSON text, "" for none
  std::string more;           // of an upstream's: its other members as pinned, an object; else ""
};

// A resource, resource template or prompt as agents see it.
struct PublishedItem {
  std::string name;  // "resource:docs.guide", "prompt:docs.summarise"
  std::string json;  // as pinned; of a prompt with its published name
};

// What Decide() may know of a run beside its grant. Kept by the run's state machine.
struct RunFacts {
  Use run;
  std::vector<Use> by_permission;  // by Decision::permission_index
};

struct KeywordOutcome {
  std::string keyword;
  bool holds = false;
};

// Immutable; thread-safe.
class Grant {
 public:
  virtual ~Grant() = default;

  // `bindings` is an object: name -> value. Errors (P1xx) for a missing, unknown or ill-typed
  // binding, an alias that two skills use for different backends, a second finalize permission,
  // a clash of published names. Defaults are filled in. A call that carries one of `canaries`
  // (canary.h) out is denied.
  static std::shared_ptr<const Grant> Make(std::vector<std::shared_ptr<const Skill>> skills,
                                           const json::Document& bindings, const Catalog& catalog,
                                           source::Diagnostics& diagnostics,
                                           absl::Span<const std::string> canaries = {});

  virtual absl::Span<const std::shared_ptr<const Skill>> skills() const = 0;
  virtual const json::Document& bindings() const = 0;  // with defaults, sorted by name
  // alias -> backend over all skills, sorted by alias.
  virtual absl::Span<const std::pair<std::string, BackendRef>> backends() const = 0;
  // What tools/list shows: permitted tools only, sorted by published name.
  virtual absl::Span<const PublishedTool> tools() const = 0;
  // "reports.get_report" for a published name or for itself; "" when no backend of the grant
  // offers such a tool. (A tool that is offered but not permitted resolves, and is then denied.)
  virtual std::string ResolveTool(absl::string_view name) const = 0;
  // Likewise, as the backends offer them.
  virtual absl::Span<const PublishedItem> resources() const = 0;
  virtual absl::Span<const PublishedItem> resource_templates() const = 0;
  virtual absl::Span<const PublishedItem> prompts() const = 0;
  // "resource:docs.guide" for the URI of a resource, or one that a template may come to; "" when no
  // backend of the grant offers it.
  virtual std::string ResolveResource(absl::string_view uri) const = 0;
  // "prompt:docs.summarise" for a published name; "" likewise.
  virtual std::string ResolvePrompt(absl::string_view name) const = 0;
  // "completion:docs.summarise" for a prompt's published name, or a resource template; "" likewise.
  virtual std::string ResolveCompletion(absl::string_view prompt,
                                        absl::string_view uri_template) const = 0;
  // Whether any completion may be permitted.
  virtual bool completes() const = 0;
  virtual size_t permission_count() const = 0;
  // "skill/permission" for records and recovery; index < permission_count().
  virtual std::string PermissionName(int index) const = 0;
  virtual int PermissionIndex(absl::string_view skill, absl::string_view permission) const = 0;
  // Nothing where the permission asks for none.
  virtual std::optional<Approval> ApprovalOf(int permission) const = 0;
  // What of a result of a call by the permission goes back to the guest; result_rule.h.
  virtual std::string LimitResult(int permission, call::OutcomeKind kind,
                                  std::string result) const = 0;
  // What the ledger does not keep: parts of the arguments of `tool` and of the structuredContent of
  // its results, as any permission for it says.
  virtual const Parts& SensitiveArguments(absl::string_view tool) const = 0;
  virtual const Parts& SensitiveResult(absl::string_view tool) const = 0;
  virtual bool has_sensitive() const = 0;  // for any tool
  // What a denied call's record may hold of an argument, where there is anything sensitive at all:
  // a value may have been given to the wrong tool, under the wrong name or in the wrong form.
  enum class Keeping {
    kAll,
    kDigest,   // something of it is sensitive
    kNothing,  // no permission for the tool lists it
  };
  virtual Keeping KeepingOf(absl::string_view tool, absl::string_view argument) const = 0;
  // How the keywords beside `sensitive: true` come out for the argument at `pointer`, as the
  // permission has them.
  virtual std::vector<KeywordOutcome> OutcomesOf(int permission, absl::string_view pointer,
                                                 json::Value value) const = 0;
  // Hex digest over the skills' digests and the bindings.
  virtual const std::string& digest() const = 0;
  // The strictest over the skills.
  virtual SkillLimits limits() const = 0;
  // Whether any limit, of a skill or a permission, is about a minute: Use::last_minute matters.
  virtual bool limits_rate() const = 0;
  virtual bool has_finalize() const = 0;
  virtual const Canaries& canaries() const = 0;
  // Whether what a call of `tool` is decided to be depends on them.
  virtual bool SearchesCalls(absl::string_view tool) const = 0;
};

// Decides. Pure: the same inputs give the same decision, whatever the order of permissions and
// rules in the files. Total: what cannot be evaluated is a denial (`undecided`). Says nothing of
// the run's state (sealing, final, closed): the state machine does.
// `searched` is what canaries().Search() said of this call's arguments, where that was asked
// before: it may take seconds, and is asked here otherwise.
call::Decision Decide(const Grant& grant, const RunFacts& facts, const call::Call& call,
                      const CanaryResult* searched = nullptr);

}  // namespace tipstaff::policy
