#include "mediator/run/submission.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/base/digest.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::run {

std::string CallIdentity(absl::string_view tool, absl::string_view arguments_digest) {
  return absl::StrCat(arguments_digest, " ", tool);
}

std::string SubmissionKey(absl::string_view run, uint64_t number, absl::string_view identity) {
  return base::ToHex(
      base::DigestOf(absl::StrCat("tipstaff-submission-v1 ", run, "#", number, " ", identity)));
}

Submission MakeSubmission(std::string key, absl::string_view key_argument,
                          const json::Document& arguments, absl::string_view canonical) {
  if (key_argument.empty()) return {std::move(key), arguments, std::string(canonical)};
  json::Document with_key = WithKey(arguments, key_argument, key);
  std::string text = json::Canonical(with_key.root());
  return {std::move(key), std::move(with_key), std::move(text)};
}

json::Document WithKey(const json::Document& arguments, absl::string_view name,
                       absl::string_view key) {
  // Deep enough for all arguments: without its key a result must not leave.
  json::Builder b(2 * json::kMaxDepth);
  b.StartObject();
  for (const json::Member& member : arguments.root().members()) {
    if (member.key != name) b.Key(member.key).Copy(member.value);
  }
  b.Field(name, key).EndObject();
  return *std::move(b).Build();
}

}  // namespace tipstaff::run
