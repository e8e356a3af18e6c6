#include "mediator/upstream/notes.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/utf8.h"
#include "mediator/upstream/limits.h"

namespace tipstaff::upstream {
namespace {

void Append(std::vector<std::string>& notes, std::vector<std::string> more) {
  notes.insert(notes.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

}  // namespace

bool Notes::full() const { return taken_ > kMaxNotes; }

std::vector<std::string> Notes::Take(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  if (text.empty() || full()) return {};
  if (++taken_ > kMaxNotes) {
    return {absl::StrCat("said more than ", kMaxNotes, " lines: the rest is dropped")};
  }
  // Before it is cut, so that no part of it stays.
  if (secrets_.AreIn(text)) return {"said a line with a credential in it"};
  return {base::Escape(base::CutUtf8(text, kMaxNoteBytes))};
}

std::vector<std::string> Notes::TakeBytes(absl::string_view bytes) {
  std::vector<std::string> notes;
  while (!bytes.empty() && !full()) {
    const size_t end = bytes.find('\n');
    const absl::string_view part = bytes.substr(0, end);
    // More than is shown: a secret at the cut is to be seen as a whole.
    const size_t room = kMaxNoteBytes + secrets_.longest() - line_.size();
    line_.append(part.data(), std::min(part.size(), room));
    if (end == absl::string_view::npos) break;
    Append(notes, TakeEnd());
    bytes.remove_prefix(end + 1);
  }
  return notes;
}

std::vector<std::string> Notes::TakeEnd() { return Take(std::exchange(line_, {})); }

}  // namespace tipstaff::upstream
