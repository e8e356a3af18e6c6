#include "stubs/engine/replies.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/json/builder.h"
#include "mediator/json/write.h"
#include "stubs/engine/difference.h"

namespace tipstaff::engine {
namespace {

// How many arguments are given on one side only, or differ.
size_t Distance(json::Value wanted, json::Value found) {
  size_t distance = 0;
  for (const json::Member& member : wanted.members()) {
    const json::Value other = found.Find(member.key);
    distance += other.exists() && json::Equal(member.value, other) ? 0 : 1;
  }
  for (const json::Member& member : found.members()) {
    distance += wanted.Find(member.key).exists() ? 0 : 1;
  }
  return distance;
}

std::string Differ(json::Value wanted, json::Value found) {
  if (auto difference = FirstDifference(wanted, found)) return *std::move(difference);
  for (const json::Member& member : found.members()) {
    if (wanted.Find(member.key).exists()) continue;
    return absl::StrCat("/", base::Escape(member.key), ": expected nothing, found ",
                        base::EscapeAndCut(json::Canonical(member.value), 200));
  }
  return absl::StrCat("a part that it does not have: found ",
                      base::EscapeAndCut(json::Canonical(found), 200));
}

}  // namespace

absl::StatusOr<json::Document> Replies::Compared(json::Value arguments) const {
  json::Builder builder;
  builder.StartObject();
  for (const json::Member& member : arguments.members()) {
    if (member.key != key_argument_ || key_argument_.empty())
      builder.Field(member.key, member.value);
  }
  builder.EndObject();
  return std::move(builder).Build();
}

absl::Status Replies::Add(json::Value arguments, CannedReply reply) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::optional<json::Document> filled, defaults_.Fill(arguments));
  TIPSTAFF_ASSIGN_OR_RETURN(reply.arguments, Compared(filled ? filled->root() : arguments));
  const auto [at, is_new] =
      by_arguments_.emplace(json::Canonical(reply.arguments.root()), groups_.size());
  if (is_new) groups_.emplace_back();
  groups_[at->second].push_back(all_.size());
  all_.push_back(std::move(reply));
  return absl::OkStatus();
}

std::optional<size_t> Replies::FindGroup(json::Value complete_arguments) const {
  const absl::StatusOr<json::Document> compared = Compared(complete_arguments);
  if (!compared.ok()) return std::nullopt;
  const auto found = by_arguments_.find(json::Canonical(compared->root()));
  if (found == by_arguments_.end()) return std::nullopt;
  return found->second;
}

const CannedReply& Replies::At(size_t group, uint64_t given) const {
  const std::vector<size_t>& members = groups_[group];
  return all_[members[std::min<uint64_t>(given, members.size() - 1)]];
}

std::string Replies::ExplainNearest(json::Value complete_arguments) const {
  const absl::StatusOr<json::Document> compared = Compared(complete_arguments);
  if (!compared.ok() || all_.empty()) return "there is no reply";
  size_t nearest = 0, fewest = SIZE_MAX;
  for (size_t i = 0; i < all_.size(); ++i) {
    const size_t distance = Distance(all_[i].arguments.root(), compared->root());
    if (distance < fewest) nearest = i;
    fewest = std::min(fewest, distance);
  }
  return absl::StrCat("the nearest reply is number ", nearest + 1, ", whose arguments differ at ",
                      Differ(all_[nearest].arguments.root(), compared->root()));
}

std::vector<std::string> Replies::Errors() const {
  std::set<std::string> codes;
  for (const CannedReply& reply : all_) {
    if (!reply.error.empty()) codes.insert(reply.error);
  }
  return {codes.begin(), codes.end()};
}

}  // namespace tipstaff::engine
