#include "mediator/ledger/checkpoint.h"

#include <algorithm>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "mediator/base/status.h"

namespace tipstaff::ledger {
namespace {

constexpr absl::string_view kFirstLine = "tipstaff ledger checkpoint v1";
constexpr absl::string_view kStatePrefix("tipstaff-ledger-state-v1\0", 25);

void AppendBigEndian(uint64_t number, int bytes, std::string& out) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(number >> shift));
  }
}

absl::Status Bad(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("not a checkpoint: ", what));
}

// Reads lines of the form "name value".
class Lines {
 public:
  explicit Lines(absl::string_view text) : lines_(absl::StrSplit(text, '\n')) {}

  absl::StatusOr<absl::string_view> Take(absl::string_view name) {
    absl::string_view line = next_ < lines_.size() ? lines_[next_++] : "";
    if (!absl::ConsumePrefix(&line, name) || !absl::ConsumePrefix(&line, " ")) {
      return Bad(absl::StrCat("line ", next_, " does not begin with `", name, "`"));
    }
    return line;
  }
  absl::StatusOr<uint64_t> Number(absl::string_view name) {
    TIPSTAFF_ASSIGN_OR_RETURN(const absl::string_view text, Take(name));
    uint64_t number = 0;
    if (!absl::SimpleAtoi(text, &number)) return Bad(absl::StrCat("`", name, "` has no number"));
    return number;
  }
  absl::StatusOr<base::Digest> Digest(absl::string_view name) {
    TIPSTAFF_ASSIGN_OR_RETURN(const absl::string_view text, Take(name));
    const std::optional<base::Digest> digest = base::DigestFromHex(text);
    if (!digest) return Bad(absl::StrCat("`", name, "` has no digest"));
    return *digest;
  }
  bool at_end() const { return next_ + 1 >= lines_.size(); }

 private:
  std::vector<absl::string_view> lines_;
  size_t next_ = 1;  // after the first
};

absl::StatusOr<RunHead> ReadHead(absl::string_view line) {
  const std::vector<absl::string_view> words = absl::StrSplit(line, ' ');
  RunHead head;
  const std::optional<base::Digest> digest =
      words.size() == 3 ? base::DigestFromHex(words[2]) : std::nullopt;
  if (!digest || words[0].empty() || !absl::SimpleAtoi(words[1], &head.records)) {
    return Bad("a line `run` is not an id, a count and a digest");
  }
  head.run = std::string(words[0]);
  head.head = *digest;
  return head;
}

}  // namespace

std::string ToText(const Checkpoint& checkpoint) {
  std::string text = absl::StrCat(
      kFirstLine, "\nledger ", checkpoint.ledger, "\nnumber ", checkpoint.number, "\nprevious ",
      base::ToHex(checkpoint.previous), "\ntime_us ", absl::ToUnixMicros(checkpoint.time),
      "\nruns ", checkpoint.runs, "\nstate ", base::ToHex(checkpoint.state), "\n");
  for (const RunHead& one : checkpoint.changed) {
    absl::StrAppend(&text, "run ", one.run, " ", one.records, " ", base::ToHex(one.head), "\n");
  }
  return text;
}

absl::StatusOr<Checkpoint> ParseCheckpoint(absl::string_view text) {
  if (!absl::StartsWith(text, absl::StrCat(kFirstLine, "\n"))) {
    return Bad(absl::StrCat("it does not begin with `", kFirstLine, "`"));
  }
  Lines lines(text);
  Checkpoint checkpoint;
  TIPSTAFF_ASSIGN_OR_RETURN(const absl::string_view ledger, lines.Take("ledger"));
  checkpoint.ledger = std::string(ledger);
  TIPSTAFF_ASSIGN_OR_RETURN(checkpoint.number, lines.Number("number"));
  TIPSTAFF_ASSIGN_OR_RETURN(checkpoint.previous, lines.Digest("previous"));
  TIPSTAFF_ASSIGN_OR_RETURN(const uint64_t time, lines.Number("time_us"));
  checkpoint.time = absl::FromUnixMicros(static_cast<int64_t>(time));
  TIPSTAFF_ASSIGN_OR_RETURN(checkpoint.runs, lines.Number("runs"));
  TIPSTAFF_ASSIGN_OR_RETURN(checkpoint.state, lines.Digest("state"));
  while (!lines.at_end()) {
    TIPSTAFF_ASSIGN_OR_RETURN(const absl::string_view line, lines.Take("run"));
    TIPSTAFF_ASSIGN_OR_RETURN(RunHead head, ReadHead(line));
    checkpoint.changed.push_back(std::move(head));
  }
  if (ToText(checkpoint) != text) return Bad("it is not in the one form that is signed");
  return checkpoint;
}

void Heads::Set(const RunHead& head) {
  const auto [place, is_new] = places_.try_emplace(head.run, heads_.size());
  if (is_new) {
    heads_.push_back(head);
  } else {
    heads_[place->second] = head;
  }
}

const RunHead* Heads::Find(absl::string_view run) const {
  const auto place = places_.find(run);
  return place == places_.end() ? nullptr : &heads_[place->second];
}

base::Digest Heads::Digest(const std::vector<RunHead>& changed) const {
  Heads with;
  for (const RunHead& head : changed) with.Set(head);
  std::string bytes(kStatePrefix.data(), kStatePrefix.size());
  const auto add = [&bytes](const RunHead& head) {
    AppendBigEndian(head.run.size(), 4, bytes);
    bytes += head.run;
    AppendBigEndian(head.records, 8, bytes);
    bytes.append(reinterpret_cast<const char*>(head.head.data()), head.head.size());
  };
  for (const RunHead& head : heads_) {
    const RunHead* instead = with.size() == 0 ? nullptr : with.Find(head.run);
    add(instead == nullptr ? head : *instead);
  }
  for (const RunHead& head : changed) {
    if (Find(head.run) == nullptr) add(head);
  }
  return base::DigestOf(bytes);
}

}  // namespace tipstaff::ledger
