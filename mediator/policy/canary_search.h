// Looking for planted texts in one text after another, and in what each may be an encoding of.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/policy/decoded_text.h"
#include "mediator/policy/digits.h"
#include "mediator/policy/planted.h"

namespace tipstaff::policy::internal {

// Bytes looked through in all, before it is not certain any more: more than everyday content of the
// greatest size takes (canary_everyday_test.cc), and about a second's work.
inline constexpr size_t kMostCanaryWork = 64 << 20;

// Thread-compatible.
class CanarySearch {
 public:
  explicit CanarySearch(const Planted& planted) : planted_(planted), decoded_(planted, too_much_) {}
  CanarySearch(const CanarySearch&) = delete;
  CanarySearch& operator=(const CanarySearch&) = delete;

  // Each is true where the search is over: one was found, or there is more to look through than is
  // looked through.
  //
  // In `text`, which may be backwards as a whole.
  bool LookAt(absl::string_view text);
  // In `values` one after the other, as one text. What is in one of them alone is found, too.
  bool LookAtAll(const std::vector<std::string>& values);

  // Once it is over.
  bool certain() const { return certain_; }          // false: too much
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
  bool TooMuch(size_t bytes);

  const Planted& planted_;
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
