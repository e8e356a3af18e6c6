// Looking for planted texts in one text after another, and in what each may be an encoding of.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/policy/decoded_text.h"
#include "mediator/policy/digits.h"
#include "mediator/policy/planted.h"

namespace tipstaff::policy::internal {

// Thread-compatible.
class CanarySearch {
 public:
  // `most_work`: bytes that are looked through in all. It is over soon after `given_up`, if any, is
  // set by whatever thread. Both outlive it.
  CanarySearch(const Planted& planted, size_t most_work, const std::atomic<bool>* given_up)
      : planted_(planted),
        most_work_(most_work),
        given_up_(given_up),
        decoded_(planted, too_much_) {}
  CanarySearch(const CanarySearch&) = delete;
  CanarySearch& operator=(const CanarySearch&) = delete;

  // Each is true where the search is over: one was found, or there is more to look through than is
  // looked through.
  //
  // In `text`, which may be backwards as a whole.
  bool LookAt(absl::string_view text);
  // In `values` one after the other, as one text. What is in one of them alone is found, too.
  bool LookAtAll(const std::vector<std::string>& values);

  size_t work() const { return work_; }
  // Once it is over.
  bool certain() const { return certain_; }          // false: too much, or given up
  size_t canary() const { return canary_; }          // its number
  const std::string& form() const { return form_; }  // "as it is", "in base64, in hex"

 private:
  struct Form;
  static std::string Words(const Form* form, bool backwards = false);

  bool InArgument(absl::string_view text, const Form* form);
  bool InEncodings(absl::string_view text, const Form* form, int levels);
  bool InUnescaped(absl::string_view text, const Form* form, int levels);
  bool InDigits(absl::string_view text, const Form* form, int levels);
  bool InBytes(absl::string_view bytes, const Form* form, int levels);
  bool InText(absl::string_view bytes, ReadAs as, const Form* form, int levels);
  bool InCharactersAsBytes(absl::string_view text, const Form* form, int levels);
  bool InBytesAsCharacters(absl::string_view bytes, const Form* form);
  bool TooMuch(size_t bytes);

  const Planted& planted_;
  const size_t most_work_;
  const std::atomic<bool>* const given_up_;
  const std::function<bool(size_t)> too_much_ = [this](size_t bytes) { return TooMuch(bytes); };
  DecodedText decoded_;
  Seen seen_texts_;
  SeenDigits seen_;
  size_t work_ = 0;
  bool certain_ = true;
  size_t canary_ = 0;
  std::string form_;
};

}  // namespace tipstaff::policy::internal
