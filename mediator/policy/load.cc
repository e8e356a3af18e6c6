#include "absl/strings/str_cat.h"
#include "mediator/base/units.h"
#include "mediator/call/limits.h"
#include "mediator/json/write.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/loader.h"

namespace tipstaff::policy {
namespace internal {
namespace {

// The place of every value, by index: of its key where it has one.
std::vector<source::Span> SpansOf(const source::Document& document) {
  std::vector<source::Span> spans(document.json().node_count());
  std::vector<json::Value> open = {document.root()};
  while (!open.empty()) {
    const json::Value value = open.back();
    open.pop_back();
    const source::Span key = document.KeySpanOf(value);
    spans[value.index()] = key.line > 0 ? key : document.SpanOf(value);
    for (json::Value item : value.items()) open.push_back(item);
    for (const json::Member& member : value.members()) open.push_back(member.value);
  }
  return spans;
}

}  // namespace

std::string FingerprintOf(const call::Tool& tool) {
  return absl::StrCat(call::EffectName(tool.effect), " ",
                      json::Canonical(tool.input_schema.root()));
}

Loader::Loader(source::Document document, const Catalog& catalog, source::Diagnostics& diagnostics)
    : catalog_(catalog),
      skill_([&] {
        auto skill = std::make_shared<CompiledSkill>();
        skill->document_ = std::move(document);
        return skill;
      }()),
      reader_(skill_->document_, diagnostics) {}

std::shared_ptr<const Skill> Loader::Load() {
  if (!reader_.CheckMapping(root(), "a skill",
                            {"skill", "description", "bindings", "scope", "backends", "limits",
                             "permissions", "deny", "finalize", "tests"},
                            {"names", "marks"})) {
    return nullptr;
  }
  ReadHead();
  ReadLimits();
  ReadBindings();
  ReadScope();
  ReadBackends();
  ReadPermissions();
  ReadAfter();
  ReadDeny();
  ReadTests();
  if (reader_.failed()) return nullptr;
  Lint();
  skill_->spans_ = SpansOf(skill_->document_);
  skill_->digest_ = base::ToHex(base::DigestOf(skill_->file().text));
  return skill_;
}

void Loader::ReadHead() {
  skill_->name_ = reader_.RequireName(root(), "skill", "a skill").value_or("");
  skill_->description_ = reader_.Text(root(), "description").value_or("");
}

std::optional<uint64_t> Loader::ReadCount(json::Value mapping, absl::string_view key) {
  const json::Value value = mapping.Find(key);
  if (!value.exists()) return std::nullopt;
  if (value.kind() == json::Kind::kInteger && value.integer() > 0) {
    return static_cast<uint64_t>(value.integer());
  }
  reader_.Error(value, kBadLimit, absl::StrCat("`", key, "` takes a whole number over 0"));
  return std::nullopt;
}

void Loader::ReadLimits() {
  const json::Value limits = skill_->limits_node_ = root().Find("limits");
  if (!limits.exists()) return;
  if (!reader_.CheckMapping(limits, "the limits of a skill", {"calls", "wall", "result_bytes"},
                            {"argument_bytes", "calls_per_minute", "bytes"})) {
    return;
  }
  skill_->limits_.calls = ReadCount(limits, "calls");
  if (const json::Value wall = limits.Find("wall"); wall.exists()) {
    const auto duration = wall.is_string() ? base::ParseDuration(wall.string())
                                           : absl::InvalidArgumentError("no text");
    if (duration.ok() && *duration > absl::ZeroDuration()) {
      skill_->limits_.wall = *duration;
    } else {
      reader_.Error(wall, kBadLimit, "`wall` takes a duration over 0 such as `30m` or `1h30m`");
    }
  }
  if (const json::Value bytes = limits.Find("result_bytes"); bytes.exists()) {
    const auto size =
        bytes.is_string() ? base::ParseBytes(bytes.string()) : base::ParseBytes(json::Dump(bytes));
    if (size.ok() && *size > 0 && *size <= call::kMaxResultBytes) {
      skill_->limits_.result_bytes = *size;
    } else {
      reader_.Error(bytes, kBadLimit,
                    absl::StrCat("`result_bytes` takes a size such as `2MiB`, over 0 and at most ",
                                 base::ShowBytes(call::kMaxResultBytes)));
    }
  }
}

}  // namespace internal

std::shared_ptr<const Skill> LoadSkill(std::shared_ptr<const source::File> file,
                                       const Catalog& catalog, source::Diagnostics& diagnostics) {
  std::optional<source::Document> document = source::ParseYaml(std::move(file), diagnostics);
  if (!document.has_value()) return nullptr;
  return internal::Loader(*std::move(document), catalog, diagnostics).Load();
}

}  // namespace tipstaff::policy
