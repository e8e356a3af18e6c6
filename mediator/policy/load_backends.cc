#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/loader.h"

namespace tipstaff::policy::internal {

void Loader::ReadBackends() {
  const json::Value backends = root().Find("backends");
  if (!backends.exists()) {
    return reader_.MissingKey(root(), "backends", "`backends` is missing in a skill",
                              "add for instance `backends: {mail: {stub: mailbox}}`");
  }
  if (!backends.is_object()) {
    return reader_.Error(backends, kWrongKind, "`backends` is a mapping from aliases to backends");
  }
  for (const json::Member& member : backends.members()) ReadBackend(member);
}

void Loader::ReadBackend(const json::Member& member) {
  const Reader::Within within(reader_, absl::StrCat("in backend ", Shown(member.key)));
  if (!reader_.CheckName(member.value, member.key, /*at_key=*/true)) return;
  const std::string alias(member.key);
  tools_[alias];  // known, so that its tools are not reported one by one
  const std::optional<BackendRef> backend = ReadBackendRef(member);
  if (!backend.has_value()) return;
  skill_->backends_.emplace_back(alias, *backend);
  AddTools(member, *backend);
}

std::optional<BackendRef> Loader::ReadBackendRef(const json::Member& member) {
  const json::Value node = member.value;
  if (node.is_string()) {
    reader_.Error(node, kWrongKind, "a backend is a mapping of keys, not a text",
                  absl::StrCat("write ", Shown(absl::StrCat("{stub: ", node.string(), "}"))));
    return std::nullopt;
  }
  if (!reader_.CheckMapping(node, "a backend", {"stub", "upstream"})) return std::nullopt;
  const bool stub = node.Find("stub").exists(), upstream = node.Find("upstream").exists();
  if (stub == upstream) {
    reader_.Error(node, kBadBackend, "a backend is either `{stub: NAME}` or `{upstream: NAME}`");
    return std::nullopt;
  }
  const auto name = reader_.RequireText(node, stub ? "stub" : "upstream", "a backend");
  if (!name.has_value()) return std::nullopt;
  return BackendRef{stub ? BackendRef::Kind::kStub : BackendRef::Kind::kUpstream, *name};
}

void Loader::AddTools(const json::Member& member, const BackendRef& backend) {
  absl::StatusOr<std::vector<call::Tool>> tools = catalog_.ToolsOf(backend);
  if (tools.ok()) {
    tools_[std::string(member.key)] = *std::move(tools);
    return;
  }
  const bool stub = backend.kind == BackendRef::Kind::kStub;
  const json::Value at = member.value.Find(stub ? "stub" : "upstream");
  if (!absl::IsNotFound(tools.status())) {
    return reader_.Error(at, kUnknownBackend, std::string(tools.status().message()),
                         "mend it first: `tipstaff check` shows what is wrong with it");
  }
  // The status of one that is not there says where it was looked for, which is no matter here.
  const std::string message = stub ? absl::StrCat("there is no stub ", Shown(backend.name))
                                   : std::string(tools.status().message());
  reader_.Error(at, kUnknownBackend, message,
                Reader::Suggestion(backend.name, catalog_.NamesOf(backend.kind)));
}

}  // namespace tipstaff::policy::internal
