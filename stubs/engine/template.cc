#include "stubs/engine/template.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "mediator/base/status.h"
#include "stubs/engine/call_scope.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/fields.h"

namespace tipstaff::engine {
namespace {

bool IsSegment(absl::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return absl::ascii_isalnum(c) || c == '_' || c == '-';
  });
}

std::vector<std::string> MemberNames(json::Value object) {
  std::vector<std::string> names;
  for (const json::Member& member : object.members()) names.emplace_back(member.key);
  return names;
}

json::Value FindPath(json::Value value, const std::vector<std::string>& path) {
  for (const std::string& segment : path) value = value.Find(segment);
  return value;
}

}  // namespace

std::optional<Template> Template::Load(json::Value value, const TemplateNames& names,
                                       Fields& fields) {
  Template result;
  json::Builder builder;
  builder.Copy(value);
  absl::StatusOr<json::Document> copy = std::move(builder).Build();
  if (!copy.ok()) {
    fields.Error(value, kReferenceCode, copy.status().message());
    return std::nullopt;
  }
  result.value_ = *std::move(copy);
  result.reference_at_.assign(result.value_.node_count(), -1);
  if (!result.Scan(result.value_.root(), value, names, fields)) return std::nullopt;
  return result;
}

bool Template::Scan(json::Value copy, json::Value original, const TemplateNames& names,
                    Fields& fields) {
  bool good = true;
  if (copy.is_string() && !copy.string().empty() && copy.string()[0] == '$') {
    std::optional<Reference> reference = Parse(original, names, fields);
    if (!reference) return false;
    reference_at_[copy.index()] = static_cast<int32_t>(references_.size());
    references_.push_back(*std::move(reference));
  }
  auto item = original.items().begin();
  for (json::Value child : copy.items()) {
    good &= Scan(child, *item, names, fields);
    ++item;
  }
  for (const json::Member& member : copy.members()) {
    good &= Scan(member.value, original.Find(member.key), names, fields);
  }
  return good;
}

// Only a row has parts of its own.
bool Template::CheckPart(json::Value at, absl::Span<const std::string> path,
                         const TemplateNames& names, Fields& fields) {
  if (path.size() == 1) return true;
  if (path.front() != "row") {
    fields.Error(at, kReferenceCode,
                 absl::StrCat("`$", path.front(), "` has no parts: it stands alone"));
    return false;
  }
  if (names.row == nullptr || names.row->Find(path[1]) != nullptr) return true;
  fields.Unknown(at, "column", path[1], names.row->Names());
  return false;
}

std::optional<Template::Reference> Template::Parse(json::Value at, const TemplateNames& names,
                                                   Fields& fields) {
  const absl::string_view text = at.string();
  Reference reference;
  if (text.substr(0, 2) == "$$") {
    reference.text = std::string(text.substr(1));
    return reference;
  }
  if (text == "$now") {
    reference.kind = Reference::Kind::kNow;
    return reference;
  }
  std::vector<std::string> path = absl::StrSplit(text.substr(1), '.');
  const std::string head = path.front();
  if (std::find(names.parts.begin(), names.parts.end(), head) != names.parts.end() &&
      std::all_of(path.begin(), path.end(), IsSegment)) {
    if (!CheckPart(at, path, names, fields)) return std::nullopt;
    reference.kind = Reference::Kind::kPart;
    reference.path = std::move(path);
    return reference;
  }
  path.erase(path.begin());
  if (path.empty() || !std::all_of(path.begin(), path.end(), IsSegment) ||
      (head != "args" && head != "bindings" && head != "id") || (head == "id" && path.size() > 1)) {
    fields.Error(at, kReferenceCode,
                 "a text that begins with `$` refers to something, and this does not",
                 absl::StrCat("expected $args.NAME, $bindings.NAME, $id.NAME or $now",
                              names.parts.empty() ? "" : ", here also ",
                              absl::StrJoin(names.parts, ", ",
                                            [](std::string* out, const std::string& part) {
                                              absl::StrAppend(out, "$", part);
                                            }),
                              "; $$ for a plain dollar"));
    return std::nullopt;
  }
  if (head == "id") {
    const auto found = std::find(names.ids.begin(), names.ids.end(), path.front());
    if (found == names.ids.end()) {
      fields.Unknown(at, "id", path.front(), names.ids);
      return std::nullopt;
    }
    reference.kind = Reference::Kind::kId;
    reference.id = found - names.ids.begin();
    return reference;
  }
  const json::Value properties = names.input.Find("properties");
  if (head == "args" && properties.is_object() && !properties.Find(path.front()).exists()) {
    fields.Unknown(at, "argument", path.front(), MemberNames(properties));
    return std::nullopt;
  }
  reference.kind = head == "args" ? Reference::Kind::kArgument : Reference::Kind::kBinding;
  reference.path = std::move(path);
  return reference;
}

const Template::Reference* Template::ReferenceAt(json::Value node) const {
  if (node.index() >= reference_at_.size() || reference_at_[node.index()] < 0) return nullptr;
  return &references_[reference_at_[node.index()]];
}

absl::StatusOr<Template::Found> Template::Follow(const Reference& reference,
                                                 CallScope& scope) const {
  switch (reference.kind) {
    case Reference::Kind::kArgument:
      return Found{FindPath(scope.arguments(), reference.path), {}};
    case Reference::Kind::kBinding:
      return Found{FindPath(scope.bindings(), reference.path), {}};
    case Reference::Kind::kPart:
      return Found{FindPath(scope.parts(), reference.path), {}};
    case Reference::Kind::kNow:
      return Found{{}, scope.now()};
    case Reference::Kind::kText:
      return Found{{}, reference.text};
    case Reference::Kind::kId:
      break;
  }
  TIPSTAFF_ASSIGN_OR_RETURN(std::string id, scope.NextId(reference.id));
  return Found{{}, std::move(id)};
}

absl::Status Template::WriteChild(const json::Member& child, CallScope& scope,
                                  json::Builder& builder) const {
  Found found{child.value, {}};
  const Reference* reference = ReferenceAt(child.value);
  if (reference != nullptr) {
    TIPSTAFF_ASSIGN_OR_RETURN(found, Follow(*reference, scope));
    if (!found.text && !found.value.exists()) return absl::OkStatus();
  }
  if (!child.key.empty()) builder.Key(child.key);
  if (found.text) {
    builder.String(*found.text);
  } else if (reference != nullptr) {
    builder.Copy(found.value);
  } else {
    return Write(child.value, scope, builder);
  }
  return absl::OkStatus();
}

absl::Status Template::Write(json::Value node, CallScope& scope, json::Builder& builder) const {
  if (node.is_array()) {
    builder.StartArray();
    for (json::Value item : node.items()) {
      TIPSTAFF_RETURN_IF_ERROR(WriteChild({"", item}, scope, builder));
    }
    builder.EndArray();
  } else if (node.is_object()) {
    builder.StartObject();
    for (const json::Member& member : node.members()) {
      TIPSTAFF_RETURN_IF_ERROR(WriteChild(member, scope, builder));
    }
    builder.EndObject();
  } else {
    builder.Copy(node);
  }
  return absl::OkStatus();
}

bool Template::HasBindings(const CallScope& scope) const {
  return std::all_of(references_.begin(), references_.end(), [&](const Reference& reference) {
    return reference.kind != Reference::Kind::kBinding ||
           FindPath(scope.bindings(), reference.path).exists();
  });
}

bool Template::Draws(absl::string_view key) const {
  const json::Value member = value_.root().Find(key);
  const Reference* reference = member.exists() ? ReferenceAt(member) : nullptr;
  return reference != nullptr && reference->kind == Reference::Kind::kId;
}

absl::StatusOr<json::Value> Template::Resolve(CallScope& scope,
                                              std::vector<json::Document>& storage) const {
  const json::Value root = value_.root();
  json::Builder builder;
  if (const Reference* reference = ReferenceAt(root)) {
    TIPSTAFF_ASSIGN_OR_RETURN(const Found found, Follow(*reference, scope));
    if (!found.text) return found.value;
    builder.String(*found.text);
  } else if (references_.empty()) {
    return root;
  } else {
    TIPSTAFF_RETURN_IF_ERROR(Write(root, scope, builder));
  }
  TIPSTAFF_ASSIGN_OR_RETURN(json::Document document, std::move(builder).Build());
  return storage.emplace_back(std::move(document)).root();
}

}  // namespace tipstaff::engine
