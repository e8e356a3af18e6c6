#include "mediator/config/people.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "mediator/config/codes.h"
#include "mediator/config/shape.h"

namespace tipstaff::config::internal {
namespace {

Person LoadPerson(const json::Member& member, Reader& reader) {
  Person person{.name = std::string(member.key)};
  if (!reader.IsName(member.value, member.key, "a person", true)) return person;
  const std::string what = absl::StrCat("person `", member.key, "`");
  if (!reader.IsMapping(member.value, what, kPersonKeys)) return person;
  person.user = reader.Text(member.value, "user").value_or("");
  person.key = reader.Path(member.value, "key").value_or("");
  person.groups = reader.Texts(member.value, "groups").value_or(std::vector<std::string>());
  for (json::Value group : member.value.Find("groups").items()) {
    if (group.is_string() && !group.string().empty()) {
      reader.IsName(group, group.string(), "a group", false);
    }
  }
  if (!member.value.Find("user").exists() && !member.value.Find("key").exists()) {
    reader.ErrorAtKey(member.value, kMissingKey, absl::StrCat(what, " needs `user` or `key`"));
  }
  return person;
}

}  // namespace

std::vector<Person> LoadPeople(json::Value people, Reader& reader) {
  std::vector<Person> loaded;
  if (!people.exists()) return loaded;
  if (!people.is_object()) {
    reader.Error(people, kWrongType, "`people` must be a mapping of names",
                 "for instance {dana: {user: dana}}");
    return loaded;
  }
  std::map<std::string, std::string> users;  // Unix user -> person
  for (const json::Member& member : people.members()) {
    Person person = LoadPerson(member, reader);
    if (!person.user.empty()) {
      const auto [first, is_new] = users.emplace(person.user, person.name);
      if (!is_new) {
        reader.Error(
            member.value.Find("user"), kTwice,
            absl::StrCat("`", person.name, "` and `", first->second, "` are the same Unix user"),
            "one person per user");
      }
    }
    for (json::Value group : member.value.Find("groups").items()) {
      if (!group.is_string() || !people.Find(group.string()).exists()) continue;
      reader.Error(group, kTwice, absl::StrCat("`", group.string(), "` is a person and a group"),
                   "rename the group");
    }
    loaded.push_back(std::move(person));
  }
  return loaded;
}

}  // namespace tipstaff::config::internal
