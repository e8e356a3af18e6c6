#include "mediator/config/reader.h"

#include <algorithm>
#include <filesystem>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/base/escape.h"
#include "mediator/config/codes.h"
#include "mediator/config/shape.h"

namespace tipstaff::config::internal {
namespace {

std::string Shown(absl::string_view text) {
  return absl::StrCat("`", base::EscapeAndCut(text, 60), "`");
}

std::string MustBe(absl::string_view what, absl::string_view expected, json::Value found) {
  return absl::StrCat(what, " must be ", expected, ", not ", json::KindName(found.kind()));
}

}  // namespace

Reader::Reader(const source::Document& document, source::Diagnostics& diagnostics)
    : document_(document),
      diagnostics_(diagnostics),
      folder_(std::filesystem::path(document.file()->path).parent_path().string()) {}

void Reader::Error(json::Value at, const char* code, std::string message, std::string label) {
  diagnostics_.push_back(document_.At(at, code, std::move(message)));
  diagnostics_.back().label = std::move(label);
}

void Reader::ErrorAtKey(json::Value at, const char* code, std::string message, std::string label) {
  diagnostics_.push_back(document_.AtKey(at, code, std::move(message)));
  diagnostics_.back().label = std::move(label);
}

bool Reader::IsMapping(json::Value value, absl::string_view what,
                       absl::Span<const absl::string_view> known) {
  if (!value.is_object()) {
    Error(value, kWrongType, MustBe(what, "a mapping", value));
    return false;
  }
  const std::vector<std::string> names(known.begin(), known.end());
  for (const json::Member& member : value.members()) {
    if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    const std::string nearest = source::NearestName(member.key, names);
    ErrorAtKey(member.value, kUnknownKey, absl::StrCat("unknown key ", Shown(member.key)),
               nearest.empty() ? absl::StrCat(what, " has ", absl::StrJoin(names, ", "))
                               : absl::StrCat("did you mean `", nearest, "`?"));
  }
  return true;
}

bool Reader::IsText(json::Value value, absl::string_view what) {
  if (!value.is_string()) {
    Error(value, kWrongType, MustBe(what, "a text", value),
          value.is_number() || value.is_bool() ? "quote it" : "");
    return false;
  }
  if (!value.string().empty()) return true;
  Error(value, kBadValue, absl::StrCat(what, " is empty"));
  return false;
}

std::optional<std::string> Reader::Text(json::Value mapping, absl::string_view key) {
  const json::Value value = mapping.Find(key);
  if (!value.exists() || !IsText(value, absl::StrCat("`", key, "`"))) return std::nullopt;
  return std::string(value.string());
}

std::optional<std::string> Reader::Path(json::Value mapping, absl::string_view key) {
  const std::optional<std::string> path = Text(mapping, key);
  if (!path) return std::nullopt;
  return Resolve(*path);
}

std::string Reader::Resolve(absl::string_view path) const {
  const std::filesystem::path given{std::string(path)};
  std::string resolved = (std::filesystem::path(folder_) / given).lexically_normal().string();
  while (resolved.size() > 1 && resolved.back() == '/') resolved.pop_back();
  return resolved;
}

std::optional<std::vector<std::string>> Reader::Texts(json::Value mapping, absl::string_view key) {
  const json::Value list = mapping.Find(key);
  if (!list.exists()) return std::nullopt;
  if (!list.is_array()) {
    Error(list, kWrongType, MustBe(absl::StrCat("`", key, "`"), "a list of texts", list),
          list.is_string() ? "write it as a list: [...]" : "");
    return std::nullopt;
  }
  std::vector<std::string> texts;
  for (json::Value item : list.items()) {
    if (!IsText(item, absl::StrCat("an item of `", key, "`"))) continue;
    if (std::find(texts.begin(), texts.end(), item.string()) != texts.end()) {
      Error(item, kTwice, absl::StrCat(Shown(item.string()), " is listed twice"), "remove one");
      continue;
    }
    texts.emplace_back(item.string());
  }
  return texts;
}

std::optional<uint32_t> Reader::Port(json::Value mapping, absl::string_view what) {
  const json::Value port = mapping.Find("port");
  if (!port.exists()) {
    ErrorAtKey(mapping, kMissingKey, absl::StrCat("`", what, "` needs `port`"));
    return std::nullopt;
  }
  if (!port.is_integer()) {
    Error(port, kWrongType, MustBe("`port`", "a whole number", port));
    return std::nullopt;
  }
  const bool fits = port.kind() == json::Kind::kInteger && port.integer() >= kMinVsockPort &&
                    port.integer() <= kMaxVsockPort;
  if (fits) return static_cast<uint32_t>(port.integer());
  Error(port, kBadValue, "`port` is out of range",
        absl::StrCat("expected ", kMinVsockPort, " to ", kMaxVsockPort));
  return std::nullopt;
}

bool Reader::IsName(json::Value at, absl::string_view name, absl::string_view what, bool at_key) {
  const bool good =
      !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
        return absl::ascii_isalnum(c) || c == '_' || c == '-' || c == '.';
      });
  if (good) return true;
  const std::string message = absl::StrCat("bad name of ", what, " ", Shown(name));
  const std::string label = "expected 1 to 64 letters, digits, `_`, `-` and `.`";
  at_key ? ErrorAtKey(at, kBadValue, message, label) : Error(at, kBadValue, message, label);
  return false;
}

}  // namespace tipstaff::config::internal
