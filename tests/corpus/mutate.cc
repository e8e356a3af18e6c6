#include "tests/corpus/mutate.h"

#include <stdexcept>

#include "absl/strings/str_cat.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::corpus {
namespace {

enum class Action { kMisspell, kRemove, kReplace };

struct Change {
  uint32_t index = 0;  // json::Value::index() of the value that changes
  Action action = Action::kRemove;
  json::Value by;  // for kReplace
};

void Copy(json::Value value, const Change& change, json::Builder& b) {
  const auto is_it = [&change](json::Value one, Action action) {
    return one.index() == change.index && change.action == action;
  };
  if (is_it(value, Action::kReplace)) {
    b.Copy(change.by);
  } else if (value.is_object()) {
    b.StartObject();
    for (const json::Member& member : value.members()) {
      if (is_it(member.value, Action::kRemove)) continue;
      const bool misspelt = is_it(member.value, Action::kMisspell);
      b.Key(absl::StrCat(member.key, misspelt ? "x" : ""));
      Copy(member.value, change, b);
    }
    b.EndObject();
  } else if (value.is_array()) {
    b.StartArray();
    for (json::Value item : value.items()) {
      if (!is_it(item, Action::kRemove)) Copy(item, change, b);
    }
    b.EndArray();
  } else {
    b.Copy(value);
  }
}

class Mutator {
 public:
  explicit Mutator(json::Value root) : root_(root) {}

  std::vector<Mutation> Run() {
    Visit(root_, "", /*has_key=*/false);
    return std::move(all_);
  }

 private:
  void Visit(json::Value value, const std::string& pointer, bool has_key) {
    if (!pointer.empty()) {
      if (has_key) Add({value.index(), Action::kMisspell}, pointer, "misspelt");
      Add({value.index(), Action::kRemove}, pointer, "left out");
    }
    for (json::Value other : others_.root().items()) {
      const bool number = value.is_number() && other.is_number();
      if (other.kind() == value.kind() || number) continue;
      Add({value.index(), Action::kReplace, other}, pointer,
          absl::StrCat("as ", json::Dump(other)));
    }
    int index = 0;
    for (json::Value item : value.items()) {
      Visit(item, absl::StrCat(pointer, "/", index++), false);
    }
    for (const json::Member& member : value.members()) {
      Visit(member.value, absl::StrCat(pointer, "/", member.key), true);
    }
  }

  void Add(const Change& change, const std::string& pointer, absl::string_view what) {
    json::Builder builder;
    Copy(root_, change, builder);
    const absl::StatusOr<json::Document> changed = std::move(builder).Build();
    if (!changed.ok()) throw std::runtime_error(changed.status().ToString());
    all_.push_back({absl::StrCat(pointer, " ", what), json::Dump(changed->root())});
  }

  const json::Value root_;
  // One of each kind, texts that are a reference and that are none.
  const json::Document others_ =
      json::MustParse(R"([null, true, 7, "text", [], {}, ["text"], {"a": 1}])");
  std::vector<Mutation> all_;
};

}  // namespace

std::vector<Mutation> MutationsOf(json::Value root) { return Mutator(root).Run(); }

}  // namespace tipstaff::corpus
