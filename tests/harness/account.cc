#include "tests/harness/account.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "mediator/base/fd.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::harness {
namespace {

constexpr const char* kWhat[] = {"asked", "effect", "refused"};

absl::StatusOr<Entry> ReadEntry(absl::string_view line) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document, json::Parse(line));
  const json::Value root = document.root();
  Entry entry;
  for (int i = 0; i < 3; ++i) {
    if (root.StringOr("what", "") == kWhat[i]) entry.what = static_cast<Entry::What>(i);
  }
  entry.run = std::string(root.StringOr("run", ""));
  entry.call = static_cast<uint64_t>(root.IntegerOr("call", 0));
  entry.tool = std::string(root.StringOr("tool", ""));
  entry.key = std::string(root.StringOr("key", ""));
  entry.label = std::string(root.StringOr("label", ""));
  entry.finalizes = root.BoolOr("finalizes", false);
  return entry;
}

std::string PathOf(const std::string& folder, const std::string& run) {
  return absl::StrCat(folder, "/", run, ".account");
}

}  // namespace

absl::Status AppendToAccount(const std::string& folder, const Entry& entry) {
  const std::string account = PathOf(folder, entry.run);
  const std::string line = absl::StrCat(
      R"({"what":")", kWhat[static_cast<int>(entry.what)], R"(","run":)", json::Quote(entry.run),
      R"(,"call":)", entry.call, R"(,"tool":)", json::Quote(entry.tool), R"(,"key":)",
      json::Quote(entry.key), R"(,"label":)", json::Quote(entry.label), R"(,"finalizes":)",
      entry.finalizes ? "true" : "false", "}\n");
  const base::Fd file(::open(account.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
  if (!file) return base::ErrnoToStatus(errno, absl::StrCat("cannot open `", account, "`"));
  const ssize_t put = ::write(file.get(), line.data(), line.size());
  if (put != static_cast<ssize_t>(line.size()) || ::fdatasync(file.get()) != 0) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot write `", account, "`"));
  }
  return absl::OkStatus();
}

absl::Status ShareAccount(const std::string& folder, const std::string& run,
                          const std::string& other_folder) {
  const std::string account = PathOf(folder, run), other = PathOf(other_folder, run);
  const base::Fd file(::open(account.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (!file) return base::ErrnoToStatus(errno, absl::StrCat("cannot make `", account, "`"));
  if ((::mkdir(other_folder.c_str(), 0700) != 0 && errno != EEXIST) ||
      ::link(account.c_str(), other.c_str()) != 0) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot make `", other, "`"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Entry>> ReadAccount(const std::string& folder, const std::string& run) {
  const std::string account = PathOf(folder, run);
  absl::StatusOr<std::string> text = base::ReadFile(account, size_t{1} << 30);
  if (absl::IsNotFound(text.status())) return std::vector<Entry>();
  if (!text.ok()) return text.status();
  const size_t end = text->rfind('\n');
  text->resize(end == std::string::npos ? 0 : end);
  std::vector<Entry> entries;
  for (absl::string_view line : absl::StrSplit(*text, '\n', absl::SkipEmpty())) {
    TIPSTAFF_ASSIGN_OR_RETURN(Entry entry, ReadEntry(line));
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace tipstaff::harness
