// What docs/keywords.md says of strings. Of characters outside ASCII these know only a few, which
// IsKnown() names; where names of hosts need IDNA, or `path` the whole list of obeyed names, ask
// about what stands in the page.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"

namespace tipstaff::reference {

// All characters of the text are ones that these functions judge.
bool IsKnown(absl::string_view text);

// ASCII of another width as it is; any other character unchanged.
char32_t Narrow(char32_t c);

// `text: line`, `lines`, `any`.
bool IsText(absl::string_view mode, absl::string_view text);

bool IsPlain(absl::string_view text);

// `path` with its operand.
bool IsPath(json::Value rule, absl::string_view text);

// The lists of a `url`, with what bindings stand for; nothing for one that is not written. Entries
// may be anything.
struct UrlLists {
  std::optional<std::vector<json::Value>> schemes, hosts, ports, paths;
};
bool IsUrl(const UrlLists& lists, absl::string_view text);

// "local@domain" with the domain in lower case; "" for what is no plain address.
std::string PlainAddress(absl::string_view text);
// Whether a plain address lies in `entry`: `example.com` or `*.example.com`.
bool IsInDomain(absl::string_view entry, absl::string_view address);
// A host's name in ASCII, and no IP address in any notation.
bool IsDomain(absl::string_view name);
bool IsIpv4(absl::string_view text);

// `format`, of those in Formats().
bool HasFormat(absl::string_view format, absl::string_view text);
const std::set<std::string>& Formats();

}  // namespace tipstaff::reference
