// Resources, resource templates and prompts as agents see them, and which of them a name means.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/policy/granting.h"
#include "mediator/policy/publish.h"
#include "mediator/policy/uri_template.h"

namespace tipstaff::policy::internal {
namespace {

std::string UriOf(const call::Tool& tool) {
  return std::string(tool.pinned.root().StringOr("uri", ""));
}
std::string TemplateOf(const call::Tool& tool) {
  return std::string(tool.pinned.root().StringOr("uriTemplate", ""));
}

// As pinned, under the name that agents call it by, with the arguments that may be given.
std::string PromptJson(const call::Tool& tool, const std::string& name,
                       absl::Span<const GrantedPermission* const> permissions) {
  const auto listed = [&](absl::string_view argument) {
    return std::any_of(permissions.begin(), permissions.end(), [&](const auto* one) {
      return one->permission->listed().Find(argument).exists();
    });
  };
  json::Builder b(2 * json::kMaxDepth);
  b.StartObject();
  for (const json::Member& member : tool.pinned.root().members()) {
    if (member.key == "name") {
      b.Field("name", name);
    } else if (member.key == "arguments" && member.value.is_array()) {
      b.Key("arguments").StartArray();
      for (json::Value argument : member.value.items()) {
        if (listed(argument.StringOr("name", ""))) b.Copy(argument);
      }
      b.EndArray();
    } else {
      b.Field(member.key, member.value);
    }
  }
  b.EndObject();
  const absl::StatusOr<json::Document> document = std::move(b).Build();
  return document.ok() ? json::Dump(document->root()) : "";
}

}  // namespace

bool Granting::Shows(const call::Tool& tool, const GrantedPermission& permission) const {
  if (tool.kind != call::Kind::kResource) return CanPass(tool, permission);
  const std::string uri = UriOf(tool);
  if (uri.empty()) return true;  // a template, of which some may pass
  json::Builder b;
  b.StartObject().Field("uri", uri).EndObject();
  const absl::StatusOr<json::Document> arguments = std::move(b).Build();
  return arguments.ok() && permission.permission->program &&
         !permission.permission->program->Check(arguments->root(), permission.granted->values);
}

void Granting::PublishItems() {
  for (const auto& [name, tool] : offered_) {
    const GrantedTool& granted = grant_->tools_[name];
    if (tool.kind == call::Kind::kCompletion && !granted.permissions.empty()) {
      grant_->completes_ = grant_->completes_ || !granted.always_denied();
    }
    if (tool.kind != call::Kind::kResource && tool.kind != call::Kind::kPrompt) continue;
    if (!tool.pinned.root().is_object()) continue;
    std::vector<const GrantedPermission*> permissions;
    for (const int index : granted.permissions) {
      const GrantedPermission& permission = grant_->permissions_[index];
      if (!granted.always_denied() && Shows(tool, permission)) permissions.push_back(&permission);
    }
    if (tool.kind == call::Kind::kResource) {
      const std::string uri = UriOf(tool);
      grant_->places_.push_back({uri, TemplateOf(tool), name, !permissions.empty()});
      if (permissions.empty()) continue;
      (uri.empty() ? grant_->resource_templates_ : grant_->resources_)
          .push_back({name, json::Dump(tool.pinned.root())});
    } else {
      const std::string published =
          PublishedName(granted.bare_name ? absl::string_view(tool.name) : call::WithoutKind(name));
      const bool is_new = grant_->prompt_by_published_name_.emplace(published, name).second;
      if (permissions.empty() || !is_new) continue;
      grant_->prompts_.push_back({name, PromptJson(tool, published, permissions)});
    }
  }
}

}  // namespace tipstaff::policy::internal

namespace tipstaff::policy {

std::string internal::GrantImpl::ResolveResource(absl::string_view uri) const {
  const Place* best = nullptr;
  const auto better = [&](const Place& place) {
    if (best == nullptr) return true;
    if (place.shown != best->shown) return place.shown;
    return best->uri.empty() && !place.uri.empty();  // the very one before a template
  };
  for (const Place& place : places_) {
    const bool meant = place.uri.empty() ? ComesTo(place.uri_template, uri) : place.uri == uri;
    if (meant && better(place)) best = &place;
  }
  return best == nullptr ? "" : best->name;
}

std::string internal::GrantImpl::ResolvePrompt(absl::string_view name) const {
  const auto it = prompt_by_published_name_.find(name);
  return it == prompt_by_published_name_.end() ? "" : it->second;
}

std::string internal::GrantImpl::ResolveCompletion(absl::string_view prompt,
                                                   absl::string_view uri_template) const {
  std::string named = prompt.empty() ? "" : ResolvePrompt(prompt);
  for (const Place& place : places_) {
    if (prompt.empty() && !uri_template.empty() && place.uri_template == uri_template) {
      named = place.name;
    }
  }
  return named.empty() ? "" : call::FullName(call::Kind::kCompletion, call::WithoutKind(named));
}

}  // namespace tipstaff::policy
