// A skill as loading leaves it. Not for other libraries.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mediator/policy/result_rule.h"
#include "mediator/policy/skill.h"
#include "mediator/schema/program.h"

namespace tipstaff::policy::internal {

// What a run must supply.
struct BindingDecl {
  std::string name;
  json::Value schema;         // in the file's document
  json::Value default_value;  // missing: it has to be given
  bool is_array = false;
  bool in_scope = false;
  std::optional<schema::Program> program;
};

// One keyword beside `sensitive: true`: how it came out is recorded, the value is not.
struct SensitiveCheck {
  Parts at;
  std::string keyword;
  schema::Program program;
};

struct Permission {
  std::string id;
  std::string tool;                           // FullName(); of resources it may be a glob
  call::Effect effect = call::Effect::kRead;  // the tool's, raised where the skill says so
  std::string fingerprint;                    // FingerprintOf() the tool when it was loaded
  json::Value node;                           // in the file's document
  json::Value target;                         // the same: what `tool` was read from
  json::Value args, schema, uri;              // the same; one of them is there
  std::optional<schema::Program> program;     // of it
  std::vector<size_t> after;                  // indices of permissions
  std::vector<std::string> marks;             // labels that an allowed call puts on the run
  std::vector<std::string> refused_after;     // labels
  ResultRule result;
  Parts sensitive;  // of the arguments
  std::vector<SensitiveCheck> sensitive_checks;
  Parts sensitive_result;
  Limits limits;
  std::string unscoped;  // why, "" for none
  std::optional<Approval> approval;

  call::Kind kind() const { return call::KindOf(tool); }
  // Whether it is about `name`, a FullName().
  bool Names(absl::string_view name) const;
  // Argument -> its schema, as far as they are listed one by one. Of a resource there are none.
  json::Value listed() const { return args.exists() ? args : schema.Find("properties"); }
};

struct DenyRule {
  std::string id;
  std::string tool;  // FullName() of a glob
  std::string reason;
  json::Value node;
  json::Value target;  // what `tool` was read from
  // Of `args` or `schema`: calls that it may accept are denied.
  std::optional<schema::Program> program;

  // Whatever the arguments are.
  bool denies_all() const { return !program.has_value(); }
  // Whether it is about `name`, a FullName() or a glob: what `*` matches is of the same kind.
  bool Names(absl::string_view name) const;
};

// What a test in the file expects; empty where it does not say.
struct Expectation {
  std::optional<call::Verdict> verdict;
  std::optional<call::Reason> reason;
  std::optional<std::string> permission, nearest, at;
};

struct SkillTest {
  std::string name;
  json::Value node, run, args;
  std::optional<std::string> uri;  // of a resource, in place of `args`
  std::string tool;
  std::vector<size_t> after;  // permissions by which calls have succeeded before, one for each
  Expectation expect;
};

// What of tools, by FullName(), the meaning of a permission hangs on.
std::string FingerprintOf(const std::map<std::string, const call::Tool*>& tools);

class CompiledSkill final : public Skill {
 public:
  const std::string& name() const override { return name_; }
  const std::string& description() const override { return description_; }
  const std::string& digest() const override { return digest_; }
  const source::File& file() const override { return *document_.file(); }
  absl::Span<const std::pair<std::string, BackendRef>> backends() const override {
    return backends_;
  }
  const SkillLimits& limits() const override { return limits_; }

  // The place of a value of the file by its index: of its key where it has one.
  source::Span SpanAt(uint32_t index) const {
    return index < spans_.size() ? spans_[index] : source::Span();
  }

  // Written while loading, then constant.
  source::Document document_;
  std::vector<source::Span> spans_;
  std::string name_, description_, digest_;
  std::vector<std::pair<std::string, BackendRef>> backends_;
  SkillLimits limits_;
  json::Value limits_node_;
  std::vector<BindingDecl> bindings_;
  std::vector<schema::Binding> schema_bindings_;  // the same, for compiling
  std::vector<Permission> permissions_;           // in the order of the file
  std::vector<DenyRule> deny_;
  bool bare_names_ = false;  // agents see `send_message` for `mail.send_message`
  std::vector<SkillTest> tests_;
};

}  // namespace tipstaff::policy::internal
