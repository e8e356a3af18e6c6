#include "mediator/clients/merge.h"

#include <algorithm>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "mediator/base/status.h"
#include "mediator/clients/config_text.h"
#include "mediator/clients/json_text.h"
#include "mediator/json/builder.h"
#include "mediator/json/write.h"

namespace tipstaff::clients {
namespace {

// White space from the beginning of the line to `at`; nullopt when something else is between.
std::optional<std::string> IndentBefore(absl::string_view text, size_t at) {
  const size_t line = text.rfind('\n', at == 0 ? 0 : at - 1);
  const size_t begin = line == absl::string_view::npos ? 0 : line + 1;
  const absl::string_view indent = text.substr(begin, at - begin);
  if (indent.find_first_not_of(" \t") != absl::string_view::npos) return std::nullopt;
  if (begin == 0 && line == absl::string_view::npos) return std::nullopt;  // nothing above it
  return std::string(indent);
}

// White space that the line of `at` begins with.
std::string IndentOfLine(absl::string_view text, size_t at) {
  const size_t line = at == 0 ? absl::string_view::npos : text.rfind('\n', at - 1);
  const size_t begin = line == absl::string_view::npos ? 0 : line + 1;
  const size_t end = text.find_first_not_of(" \t", begin);
  return std::string(
      text.substr(begin, (end == absl::string_view::npos ? text.size() : end) - begin));
}

// How a text is laid out.
struct Layout {
  std::string unit = "  ";  // one step of indentation
  std::string line_end = "\n";
};

Layout LayoutOf(absl::string_view text, const ObjectPlace& root) {
  Layout layout;
  if (absl::StrContains(text, "\r\n")) layout.line_end = "\r\n";
  if (root.members.empty()) return layout;
  const auto indent = IndentBefore(text, root.members[0].key_begin);
  if (indent && !indent->empty()) layout.unit = *indent;
  return layout;
}

// The value over several lines, the first of them where it is put.
std::string Laid(json::Value value, const Layout& layout, const std::string& indent) {
  std::string text;
  for (absl::string_view line : absl::StrSplit(json::DumpIndented(value), '\n')) {
    if (!text.empty()) absl::StrAppend(&text, layout.line_end, indent);
    const size_t spaces = std::min(line.find_first_not_of(' '), line.size());
    for (size_t i = 0; i < spaces / 2; ++i) absl::StrAppend(&text, layout.unit);
    absl::StrAppend(&text, line.substr(spaces));
  }
  return text;
}

// `text` with one more member at the end of `object`.
std::string WithMember(absl::string_view text, const ObjectPlace& object, absl::string_view key,
                       json::Value value, const Layout& layout) {
  const std::string quoted = absl::StrCat(json::Quote(key), ": ");
  if (object.members.empty()) {
    const std::string outer = IndentOfLine(text, object.begin);
    const std::string inner = absl::StrCat(outer, layout.unit);
    return absl::StrCat(text.substr(0, object.begin + 1), layout.line_end, inner, quoted,
                        Laid(value, layout, inner), layout.line_end, outer,
                        text.substr(object.end));
  }
  const MemberPlace& last = object.members.back();
  const absl::string_view before = text.substr(0, last.value_end);
  const absl::string_view after = text.substr(last.value_end);
  const auto indent = IndentBefore(text, last.key_begin);
  // All in one line: so is the new one.
  if (!indent) return absl::StrCat(before, ", ", quoted, json::Dump(value), after);
  return absl::StrCat(before, ",", layout.line_end, *indent, quoted, Laid(value, layout, *indent),
                      after);
}

const MemberPlace* Find(const ObjectPlace& object, absl::string_view key) {
  for (const MemberPlace& member : object.members) {
    if (member.key == key) return &member;
  }
  return nullptr;
}

absl::StatusOr<json::Document> Wrapped(absl::string_view key, json::Value value) {
  json::Builder b;
  b.StartObject().Key(key).Copy(value).EndObject();
  return std::move(b).Build();
}

absl::StatusOr<Merged> NewText(absl::string_view servers_key, absl::string_view name,
                               json::Value entry) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document servers, Wrapped(name, entry));
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document whole, Wrapped(servers_key, servers.root()));
  return Merged{absl::StrCat(json::DumpIndented(whole.root()), "\n"), Change::kAdded};
}

}  // namespace

absl::StatusOr<Merged> Merge(absl::string_view text, absl::string_view servers_key,
                             absl::string_view name, json::Value entry, bool replaces) {
  if (absl::StripAsciiWhitespace(text).empty()) return NewText(servers_key, name, entry);
  TIPSTAFF_ASSIGN_OR_RETURN(const ConfigFile config, ParseConfig(text));
  const json::Value root = config.document.root();
  const json::Value servers = root.Find(servers_key);
  if (!root.is_object() || (servers.exists() && !servers.is_object())) {
    return absl::InvalidArgumentError(
        root.is_object() ? absl::StrCat("`", servers_key, "` is no object") : "it is no object");
  }
  const json::Value there = servers.Find(name);
  if (there.exists() && json::Equal(there, entry)) {
    return Merged{std::string(text), Change::kNone};
  }
  if (there.exists() && !replaces) {
    return absl::AlreadyExistsError(
        absl::StrCat("it has another `", name, "`: add --replace, or choose another --name"));
  }
  if (config.has_comments) {
    return absl::FailedPreconditionError(
        "it has comments or trailing commas, and nothing was changed so that they stay");
  }
  const ObjectPlace object = *ObjectAt(text, 0);
  const Layout layout = LayoutOf(text, object);
  const MemberPlace* const member = Find(object, servers_key);
  if (member == nullptr) {
    TIPSTAFF_ASSIGN_OR_RETURN(const json::Document wrapped, Wrapped(name, entry));
    return Merged{WithMember(text, object, servers_key, wrapped.root(), layout), Change::kAdded};
  }
  const ObjectPlace list = *ObjectAt(text, member->value_begin);
  const MemberPlace* const old = Find(list, name);
  if (old == nullptr) {
    return Merged{WithMember(text, list, name, entry, layout), Change::kAdded};
  }
  const auto indent = IndentBefore(text, old->key_begin);
  return Merged{absl::StrCat(text.substr(0, old->value_begin),
                             indent ? Laid(entry, layout, *indent) : json::Dump(entry),
                             text.substr(old->value_end)),
                Change::kReplaced};
}

}  // namespace tipstaff::clients
