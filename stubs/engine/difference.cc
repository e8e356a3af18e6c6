#include "stubs/engine/difference.h"

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/json/write.h"
#include "stubs/engine/fields.h"

namespace tipstaff::engine {
namespace {

std::string Show(json::Value value) {
  return value.exists() ? base::EscapeAndCut(json::Canonical(value), 200) : "nothing";
}

std::string Differ(const std::string& path, json::Value expected, json::Value found) {
  return absl::StrCat(path.empty() ? "the whole" : path, ": expected ", Show(expected), ", found ",
                      Show(found));
}

std::optional<std::string> Compare(const std::string& path, json::Value expected,
                                   json::Value found) {
  if (expected.is_object() && found.is_object()) {
    for (const json::Member& member : expected.members()) {
      const json::Value other = found.Find(member.key);
      const std::string below = absl::StrCat(path, "/", base::Escape(member.key));
      if (!other.exists()) {
        std::vector<std::string> names;
        for (const json::Member& candidate : found.members()) names.emplace_back(candidate.key);
        const std::string suggestion = Suggest(member.key, names);
        return absl::StrCat(Differ(below, member.value, other), suggestion.empty() ? "" : "; ",
                            suggestion);
      }
      if (auto difference = Compare(below, member.value, other)) return difference;
    }
    return std::nullopt;
  }
  if (expected.is_array() && found.is_array()) {
    if (expected.size() != found.size()) {
      return absl::StrCat(path.empty() ? "the whole" : path, ": expected ", expected.size(),
                          " items, found ", found.size(), ": ", Show(found));
    }
    size_t index = 0;
    auto other = found.items().begin();
    for (json::Value item : expected.items()) {
      if (auto difference = Compare(absl::StrCat(path, "/", index++), item, *other)) {
        return difference;
      }
      ++other;
    }
    return std::nullopt;
  }
  if (found.exists() && json::Equal(expected, found)) return std::nullopt;
  return Differ(path, expected, found);
}

}  // namespace

std::optional<std::string> FirstDifference(json::Value expected, json::Value found) {
  return Compare("", expected, found);
}

}  // namespace tipstaff::engine
