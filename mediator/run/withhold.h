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

// Values that were withheld from the arguments of calls, to be looked for in what comes of them.
class Secrets {
 public:
  // All texts and numbers in the parts.
  void AddFrom(const policy::Parts& parts, json::Value arguments);
  // Of calls before a restart nobody knows the values: from now on they may be anywhere.
  void Forget() { anywhere_ = true; }

  // Whether `text`, JSON or not, has one of them, also where it is JSON within JSON. True too where
  // that cannot be told: of values that are too short to look for, or too many.
  bool In(absl::string_view text) const;

 private:
  std::vector<std::string> texts_;
  size_t bytes_ = 0;
  bool anywhere_ = false;
};

// `key` empty: without digests.
Kept KeepArguments(const policy::Parts& sensitive, json::Value arguments, const std::string& key);
// Of a denied call: only arguments that Grant::KeepingOf() lets be kept, the digests of others.
// `kept`: as KeepArguments() made it.
Kept KeepDenied(const policy::Grant& grant, absl::string_view tool, json::Value arguments,
                Kept kept, const std::string& key);
// Of a CallToolResult: without the parts of its structuredContent, and with a text block that says
// so in place of its content; nothing of it where that may say other things, or where one of
// `secrets` or of those parts stands in the rest.
Kept KeepResult(const policy::Parts& sensitive, const std::string& result, const Secrets& secrets,
                const std::string& key);

}  // namespace tipstaff::run
