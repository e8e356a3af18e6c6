#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tests/reference/texts.h"
#include "tests/reference/values.h"

namespace tipstaff::reference {
namespace {

// Those that docs/keywords.md names, and of the whole list those that differ from them by a letter.
constexpr absl::string_view kObeyed[] = {
    ".git",       ".husky",        ".github",   ".gitlab-ci.yml", ".vscode",
    ".idea",      ".devcontainer", "agents.md", "claude.md",      "gemini.md",
    ".mcp.json",  ".cursor",       ".claude",   ".npmrc",         ".ssh",
    ".gitconfig", "agent.md",      ".htaccess", "autorun.inf"};

bool IsDevice(const std::string& part) {
  const std::string name(absl::StripTrailingAsciiWhitespace(part.substr(0, part.find('.'))));
  if (name == "con" || name == "prn" || name == "aux" || name == "nul") return true;
  return name.size() == 4 && absl::ascii_isdigit(static_cast<unsigned char>(name[3])) &&
         (absl::StartsWith(name, "com") || absl::StartsWith(name, "lpt"));
}

bool IsPart(const std::string& part, bool hidden) {
  if (part.empty() || part == "." || part == ".." || part.size() > 255) return false;
  if (part.front() == ' ' || part.back() == ' ' || part.back() == '.') return false;
  if (part.front() == '.' && !hidden) return false;
  for (size_t i = 0; i + 1 < part.size(); ++i) {
    if (part[i] == '~' && absl::ascii_isdigit(static_cast<unsigned char>(part[i + 1])))
      return false;
  }
  const std::string folded = absl::AsciiStrToLower(part);
  if (IsDevice(folded) || absl::StartsWith(folded, ".env") || absl::EndsWith(folded, ".desktop")) {
    return false;
  }
  return std::find(std::begin(kObeyed), std::end(kObeyed), folded) == std::end(kObeyed);
}

bool HasPlainCharacters(absl::string_view text) {
  for (const char32_t c : CodePoints(text)) {
    if (c < 0x80) {
      static const std::string kRefused = "\\:%$*?\"<>|`";
      const bool control = c < 0x20 || c == 0x7f;
      if (control || kRefused.find(static_cast<char>(c)) != std::string::npos) return false;
    } else if (const char32_t narrow = Narrow(c); narrow < 0x80) {
      static const std::string kRefused = "\\:%$*?\"<>|`./";
      if (kRefused.find(static_cast<char>(narrow)) != std::string::npos) return false;
    } else if (c != 0xe9 && c != 0x1f600 && c != 0x2013) {
      return false;  // of those that are known, all others hide, act, or are dots and separators
    }
  }
  return true;
}

std::vector<std::string> Listed(json::Value rule, absl::string_view key) {
  std::vector<std::string> entries;
  for (json::Value entry : rule.Find(key).items()) entries.emplace_back(entry.string());
  return entries;
}

}  // namespace

bool IsPath(json::Value rule, absl::string_view text) {
  if (text.empty() || text.size() > 4096 || !HasPlainCharacters(text)) return false;
  const char32_t first = Narrow(CodePoints(text)[0]);
  if (first == '-' || first == '~' || first == 0x2013) return false;
  const std::vector<std::string> parts = absl::StrSplit(text, '/');
  for (const std::string& part : parts) {
    if (!IsPart(part, rule.BoolOr("hidden", false))) return false;
  }
  const std::vector<std::string> under = Listed(rule, "under");
  const bool below = std::any_of(under.begin(), under.end(), [&](const std::string& folder) {
    return absl::StartsWith(text, absl::StrCat(folder, "/"));
  });
  if (!under.empty() && !below) return false;
  const std::string name = absl::AsciiStrToLower(parts.back());
  const std::vector<std::string> endings = Listed(rule, "extensions");
  const bool ends = std::any_of(endings.begin(), endings.end(), [&](const std::string& ending) {
    const std::string dotted = absl::StrCat(".", absl::AsciiStrToLower(ending));
    return name.size() > dotted.size() && absl::EndsWith(name, dotted);
  });
  return endings.empty() || ends;
}

}  // namespace tipstaff::reference
