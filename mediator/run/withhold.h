// Records without the values that a skill marks as sensitive. In the place of such a value stands
// {"withheld":DIGEST}, a keyed digest (hex BLAKE2b-256) of its canonical form. The key is the run's
// own and is destroyed with it, so that nobody finds the value by trying.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mediator/json/document.h"
#include "mediator/policy/grant.h"
#include "mediator/policy/parts.h"

namespace tipstaff::run {

// A value that is not in the record.
struct Withheld {
  std::string pointer;             // into the arguments, or a result's structuredContent
  uint64_t size = 0;               // bytes of its canonical form
  std::vector<std::string> holds;  // the keywords beside `sensitive`, as they came out
  std::vector<std::string> fails;
};

// What a record keeps of a value.
struct Kept {
  std::string text;  // canonical JSON
  std::vector<Withheld> withheld;
};

// `key` empty: without digests. An object of which a part cannot be told is withheld whole.
Kept KeepArguments(const policy::Parts& sensitive, json::Value arguments, const std::string& key);
// Of a CallToolResult: the parts of its structuredContent, with a text block that says so in place
// of its content; all of it where that may say other things, or where a value that was
// withheld from the arguments stands in it.
Kept KeepResult(const policy::Parts& sensitive, const std::string& result,
                const std::vector<std::string>& secrets, const std::string& key);

// The values that were withheld from arguments, as texts to look for in a result.
std::vector<std::string> SecretsIn(const policy::Parts& sensitive, json::Value arguments);

}  // namespace tipstaff::run
