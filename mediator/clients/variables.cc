#include "mediator/clients/variables.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace tipstaff::clients {
namespace {

// What VS Code and Cursor know of by themselves, without a name of something behind it.
constexpr absl::string_view kEditorNames[] = {
    "userHome", "workspaceFolder", "workspaceFolderBasename", "pathSeparator", "/", "cwd",
};

bool IsNameChar(char c) { return absl::ascii_isalnum(c) || c == '_'; }

// "NAME" at the beginning of `text`; "" when there is none.
absl::string_view NameAt(absl::string_view text) {
  if (text.empty() || absl::ascii_isdigit(text[0])) return "";
  return text.substr(0, std::find_if_not(text.begin(), text.end(), IsNameChar) - text.begin());
}

void KeepFirst(std::string& slot, absl::string_view text) {
  if (slot.empty()) slot = std::string(text);
}

// `${...}`, of which `inside` is the inside; whether the client replaces it.
bool ExpandBraces(const Client& client, absl::string_view inside, const Environment& environment,
                  Expanded& out) {
  absl::string_view name = inside;
  std::optional<std::string> otherwise;
  if (client.expands == Expands::kEditor && !absl::ConsumePrefix(&name, "env:")) {
    const bool is_known_name = absl::StrContains(inside, ':') ||
                               std::find(std::begin(kEditorNames), std::end(kEditorNames),
                                         inside) != std::end(kEditorNames);
    if (!is_known_name) return false;
    const std::optional<std::string> home = environment("HOME");
    const bool is_home = inside == "userHome" && home;
    absl::StrAppend(&out.text, is_home ? *home : absl::StrCat("${", inside, "}"));
    out.is_known = out.is_known && is_home;
    return true;
  }
  if (client.expands == Expands::kEnvironment) {
    const size_t colon = inside.find(":-");
    name = inside.substr(0, colon);
    if (colon != absl::string_view::npos) otherwise = std::string(inside.substr(colon + 2));
  }
  std::optional<std::string> value = environment(std::string(name));
  if (!value) value = otherwise;
  if (!value) KeepFirst(out.unset, name);
  absl::StrAppend(&out.text, value ? *value : absl::StrCat("${", inside, "}"));
  return true;
}

// What stands at the beginning of `rest`, if a shell would replace it; "" else.
absl::string_view ShellWordAt(absl::string_view rest) {
  if (rest[0] == '$') {
    const absl::string_view name = NameAt(rest.substr(1));
    return name.empty() ? "" : rest.substr(0, name.size() + 1);
  }
  if (rest[0] == '%') {
    const absl::string_view name = NameAt(rest.substr(1));
    const bool is_closed = name.size() + 1 < rest.size() && rest[name.size() + 1] == '%';
    return name.empty() || !is_closed ? "" : rest.substr(0, name.size() + 2);
  }
  return "";
}

}  // namespace

Expanded Expand(const Client& client, absl::string_view text, const Environment& environment) {
  Expanded out;
  if (text == "~" || absl::StartsWith(text, "~/")) out.unexpanded = "~";
  for (size_t at = 0; at < text.size();) {
    const absl::string_view rest = text.substr(at);
    const size_t close = absl::StartsWith(rest, "${") ? rest.find('}') : absl::string_view::npos;
    if (close != absl::string_view::npos) {
      const absl::string_view inside = rest.substr(2, close - 2);
      if (client.expands == Expands::kNothing || !ExpandBraces(client, inside, environment, out)) {
        KeepFirst(out.unexpanded, rest.substr(0, close + 1));
        absl::StrAppend(&out.text, rest.substr(0, close + 1));
      }
      at += close + 1;
      continue;
    }
    const absl::string_view word = ShellWordAt(rest);
    if (!word.empty()) KeepFirst(out.unexpanded, word);
    const size_t taken = std::max<size_t>(word.size(), 1);
    absl::StrAppend(&out.text, rest.substr(0, taken));
    at += taken;
  }
  return out;
}

}  // namespace tipstaff::clients
