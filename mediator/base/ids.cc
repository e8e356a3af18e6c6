#include "mediator/base/ids.h"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace tipstaff::base {
namespace {

constexpr absl::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyz234567";
constexpr size_t kRunIdLength = 12;

}  // namespace

std::string RandomBytes(size_t length) {
  std::string bytes(length, '\0');
  size_t have = 0;
  while (have < length) {
    const ssize_t got = ::getrandom(bytes.data() + have, length - have, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      std::perror("getrandom");
      std::abort();
    }
    have += got;
  }
  return bytes;
}

std::string RandomText(size_t length) {
  std::string text = RandomBytes(length);
  for (char& c : text) c = kAlphabet[static_cast<unsigned char>(c) % kAlphabet.size()];
  return text;
}

std::string NewRunId() { return absl::StrCat("run_", RandomText(kRunIdLength)); }

bool IsRunId(absl::string_view text) {
  return absl::ConsumePrefix(&text, "run_") && text.size() == kRunIdLength &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return kAlphabet.find(c) != absl::string_view::npos; });
}

}  // namespace tipstaff::base
