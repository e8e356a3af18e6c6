#include "mediator/policy/parts.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "mediator/json/parse.h"
#include "mediator/json/pointer.h"

namespace tipstaff::policy {
namespace {

// Values of a result stand a little deeper in it than in what the tool made.
constexpr int kMaxDepth = 64;

bool IsEscaped(absl::string_view token) {
  for (size_t at = token.find('~'); at != absl::string_view::npos; at = token.find('~', at + 1)) {
    if (at + 1 == token.size() || (token[at + 1] != '0' && token[at + 1] != '1')) return false;
  }
  return true;
}

std::string Unescaped(absl::string_view token) {
  return absl::StrReplaceAll(token, {{"~0", "~"}, {"~1", "/"}});
}

// Whether any part is there. Recurses as deep as `value` nests.
bool Holds(json::Value value, const Parts::Place& place) {
  if (place.is_part()) return true;
  if (!place.leads_on()) return false;
  for (const json::Member& member : value.members()) {
    if (Holds(member.value, place.Below(member.key))) return true;
  }
  size_t index = 0;
  for (json::Value item : value.items()) {
    if (Holds(item, place.Below(absl::StrCat(index++)))) return true;
  }
  return false;
}

// Copies `value`, with what `at_part` writes in the place of parts, and what leads to none if it is
// to be kept. Recurses as deep as `value` nests.
class Copying {
 public:
  Copying(const Parts::Write& at_part, bool keep_others)
      : at_part_(at_part), keep_others_(keep_others) {}

  json::Document Run(json::Value value, const Parts::Place& place) && {
    Take(value, place, "");
    absl::StatusOr<json::Document> document = std::move(builder_).Build();
    return document.ok() ? *std::move(document) : json::Document();
  }

 private:
  void Take(json::Value value, const Parts::Place& place, const std::string& pointer) {
    if (place.is_part() || (keep_others_ && !place.Fits(value))) {
      return at_part_(builder_, pointer, value);
    }
    if (!place.leads_on()) {
      builder_.Copy(value);
    } else if (value.is_object()) {
      builder_.StartObject();
      for (const json::Member& member : value.members()) {
        const Parts::Place below = place.Below(member.key);
        if (!keep_others_ && !Holds(member.value, below)) continue;
        builder_.Key(member.key);
        Take(member.value, below, absl::StrCat(pointer, "/", json::PointerToken(member.key)));
      }
      builder_.EndObject();
    } else if (value.is_array()) {
      builder_.StartArray();
      size_t index = 0;
      for (json::Value item : value.items()) {
        const std::string token = absl::StrCat(index++);
        const Parts::Place below = place.Below(token);
        if (keep_others_ || Holds(item, below)) {
          Take(item, below, absl::StrCat(pointer, "/", token));
        }
      }
      builder_.EndArray();
    } else {
      builder_.Copy(value);
    }
  }

  const Parts::Write& at_part_;
  const bool keep_others_;
  json::Builder builder_{kMaxDepth};
};

bool HasPart(json::Value value, const Parts::Place& place) {
  if (place.is_part() || !place.Fits(value)) return true;
  if (!place.leads_on()) return false;
  if (value.is_object()) {
    for (const json::Member& member : value.members()) {
      if (HasPart(member.value, place.Below(member.key))) return true;
    }
  } else if (value.is_array()) {
    size_t index = 0;
    for (json::Value item : value.items()) {
      if (HasPart(item, place.Below(absl::StrCat(index++)))) return true;
    }
  }
  return false;
}

}  // namespace

Parts::Place::Place(const Parts& parts) {
  for (const Path& path : parts.paths_) on_.push_back({&path, 0});
}

bool Parts::Place::is_part() const {
  return std::any_of(on_.begin(), on_.end(),
                     [](const auto& at) { return at.second == at.first->size(); });
}

bool Parts::Place::Fits(json::Value value) const {
  if (on_.empty() || value.is_object()) return true;
  return value.is_array() && std::all_of(on_.begin(), on_.end(), [](const auto& at) {
           const std::string& next = (*at.first)[at.second];
           return next == "*" || std::all_of(next.begin(), next.end(), absl::ascii_isdigit);
         });
}

Parts::Place Parts::Place::Below(absl::string_view token) const {
  Place below;
  for (const auto& [path, at] : on_) {
    if (at == path->size() || ((*path)[at] != "*" && (*path)[at] != token)) continue;
    below.on_.push_back({path, at + 1});
  }
  return below;
}

bool Parts::Add(absl::string_view pointer) {
  if (!pointer.empty() && pointer.front() != '/') return false;
  Path path;
  if (!pointer.empty()) {
    for (const absl::string_view token : absl::StrSplit(pointer.substr(1), '/')) {
      if (!IsEscaped(token)) return false;
      path.push_back(Unescaped(token));
    }
  }
  paths_.push_back(std::move(path));
  return true;
}

void Parts::Add(const Parts& more) {
  paths_.insert(paths_.end(), more.paths_.begin(), more.paths_.end());
}

json::Document Parts::Only(json::Value value) const {
  if (paths_.empty()) return json::MustParse("{}");
  const Write copy = [](json::Builder& builder, const std::string&, json::Value part) {
    builder.Copy(part);
  };
  return Copying(copy, /*keep_others=*/false).Run(value, Place(*this));
}

json::Document Parts::Replaced(json::Value value, const Write& write) const {
  return Copying(write, /*keep_others=*/true).Run(value, Place(*this));
}

bool Parts::AnyIn(json::Value value) const { return HasPart(value, Place(*this)); }

bool Parts::Has(absl::string_view pointer) const {
  Place place(*this);
  if (!pointer.empty()) {
    for (const absl::string_view token : absl::StrSplit(pointer.substr(1), '/')) {
      place = place.Below(Unescaped(token));
    }
  }
  return place.is_part();
}

std::string Parts::Outermost(absl::string_view pointer) const {
  Place place(*this);
  for (size_t end = 0; !place.is_part() && end < pointer.size();) {
    const size_t start = end + 1;
    end = std::min(pointer.find('/', start), pointer.size());
    place = place.Below(Unescaped(pointer.substr(start, end - start)));
    if (place.is_part()) return std::string(pointer.substr(0, end));
  }
  return place.is_part() ? "" : std::string(pointer);
}

bool Parts::Touch(absl::string_view pointer) const {
  Place place(*this);
  if (place.is_part()) return true;
  if (!pointer.empty()) {
    for (const absl::string_view token : absl::StrSplit(pointer.substr(1), '/')) {
      place = place.Below(Unescaped(token));
      if (place.is_part()) return true;
    }
  }
  return place.leads_on();
}

}  // namespace tipstaff::policy
