#include "mediator/cli/new_stub.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/base/escape.h"
#include "mediator/cli/templates.h"
#include "mediator/policy/name.h"

namespace tipstaff::cli {
namespace {

constexpr absl::string_view kTemplates = "mediator/cli/templates/stub_folder";
// Agents see alias_tool in at most 60 characters.
constexpr size_t kMaxStubName = 40;

struct Part {
  const char* path;  // in the stub's folder
  const char* name;  // of the template
};
constexpr Part kParts[] = {
    {"README.md", "_readme.md.in"},
    {"close_item.lua", "_script.lua.in"},
    {"fixtures/items.yaml", "_items.yaml.in"},
    {"schema/add_note.json", "_schema.json.in"},
    {"stub.yaml", ".yaml.in"},
    {"tests/items.yaml", "_test.yaml.in"},
};

bool IsStubName(const std::string& name) {
  return policy::IsName(name) && name.size() <= kMaxStubName;
}

std::string TextOf(absl::string_view name) {
  for (const Template& one : Templates()) {
    if (one.path == absl::StrCat(kTemplates, name)) return one.text;
  }
  return "";
}

}  // namespace

std::string NearestStubName(const std::string& text) {
  std::string name;
  for (const unsigned char c : text) {
    const bool fits = absl::ascii_isalnum(c) || c == '_' || c == '-';
    if (name.empty() && !absl::ascii_isalpha(c)) continue;
    if (!fits && absl::EndsWith(name, "-")) continue;
    name += fits ? static_cast<char>(c) : '-';
    if (name.size() == kMaxStubName) break;
  }
  while (absl::EndsWith(name, "-")) name.pop_back();
  return name.empty() ? "my-stub" : name;
}

absl::StatusOr<std::vector<NewFile>> MakeStub(const std::string& name, const std::string& folder,
                                              const std::string& schema) {
  if (!IsStubName(name)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", base::EscapeAndCut(name, 60), "` is no name for a stub: use at most ",
                     kMaxStubName, " letters, digits, `-` and `_`, a letter first, for instance `",
                     NearestStubName(name), "`"));
  }
  const std::string schema_line =
      schema.empty() ? "" : absl::StrCat("# yaml-language-server: $schema=", schema, "\n");
  std::vector<NewFile> files;
  for (const Part& part : kParts) {
    files.push_back(
        {part.path, absl::StrReplaceAll(
                        TextOf(part.name),
                        {{"@NAME@", name}, {"@FOLDER@", folder}, {"@SCHEMA_LINE@", schema_line}})});
  }
  return files;
}

}  // namespace tipstaff::cli
