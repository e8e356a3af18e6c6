#include "mediator/json/parse.h"

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/builder.h"

namespace tipstaff::json {
namespace {

// The value of `literal` (a JSON number with a fraction or exponent) when it is an integer that
// fits 64 bits: its digits without point, shifted by the exponent.
struct Integer {
  bool negative;
  uint64_t magnitude;
};
std::optional<Integer> ExactInteger(absl::string_view literal) {
  Integer result{literal.front() == '-', 0};
  if (result.negative) literal.remove_prefix(1);
  int64_t exponent = 0;
  if (const size_t e = literal.find_first_of("eE"); e != absl::string_view::npos) {
    absl::string_view digits = literal.substr(e + 1);
    const bool small = digits.size() < 8;
    if (!absl::SimpleAtoi(digits, &exponent) || !small) {
      exponent = digits.front() == '-' ? -1'000'000 : 1'000'000;
    }
    literal = literal.substr(0, e);
  }
  std::string digits;
  if (const size_t point = literal.find('.'); point != absl::string_view::npos) {
    digits = absl::StrCat(literal.substr(0, point), literal.substr(point + 1));
    exponent -= static_cast<int64_t>(literal.size() - point - 1);
  } else {
    digits = std::string(literal);
  }
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits.empty()) return Integer{false, 0};
  while (digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  if (exponent < 0 || exponent + digits.size() > 20) return std::nullopt;
  digits.append(exponent, '0');
  if (!absl::SimpleAtoi(digits, &result.magnitude)) return std::nullopt;
  if (result.negative && result.magnitude > uint64_t{1} << 63) return std::nullopt;
  return result;
}

// Feeds a Builder from nlohmann's tokenizer, which keeps its own stack on the heap.
class Handler : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Handler(const ParseOptions& options) : builder_(options.max_depth) {}

  bool null() override { return Go(builder_.Null()); }
  bool boolean(bool value) override { return Go(builder_.Bool(value)); }
  bool number_integer(number_integer_t value) override { return Go(builder_.Integer(value)); }
  bool number_unsigned(number_unsigned_t value) override { return Go(builder_.Unsigned(value)); }
  bool number_float(number_float_t value, const string_t& literal) override {
    if (literal.find_first_of(".eE") == std::string::npos) {
      return Fail("an integer outside the range of 64 bits");
    }
    if (const std::optional<Integer> exact = ExactInteger(literal)) {
      return exact->negative ? Go(builder_.Integer(static_cast<int64_t>(0 - exact->magnitude)))
                             : Go(builder_.Unsigned(exact->magnitude));
    }
    return Go(builder_.Double(value));
  }
  bool string(string_t& value) override { return Go(builder_.String(value)); }
  bool binary(binary_t&) override { return Fail("binary data"); }
  bool start_object(size_t) override { return Go(builder_.StartObject()); }
  bool key(string_t& value) override {
    if (value.find('\0') != std::string::npos) return Fail("a key with U+0000 in it");
    return Go(builder_.Key(value));
  }
  bool end_object() override { return Go(builder_.EndObject()); }
  bool start_array(size_t) override { return Go(builder_.StartArray()); }
  bool end_array() override { return Go(builder_.EndArray()); }
  bool parse_error(size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    // out_of_range (406): a number such as 1e400. Everything else is a matter of syntax.
    const bool overflow = error.id == 406;
    if (problem_.empty()) {
      problem_ = absl::StrCat(overflow ? "a number that is out of range" : "not JSON", " at byte ",
                              position);
    }
    return false;
  }

  absl::StatusOr<Document> Take() && {
    if (!problem_.empty()) return absl::InvalidArgumentError(problem_);
    return std::move(builder_).Build();
  }

 private:
  bool Go(bool accepted) {
    if (!accepted && problem_.empty()) problem_ = std::string(builder_.problem());
    return accepted;
  }
  bool Fail(absl::string_view problem) {
    problem_ = std::string(problem);
    return false;
  }

  Builder builder_;
  std::string problem_;
};

}  // namespace

absl::StatusOr<Document> Parse(absl::string_view bytes, const ParseOptions& options) {
  if (bytes.size() > std::numeric_limits<uint32_t>::max() / 2) {
    return absl::InvalidArgumentError("larger than 2 GiB");
  }
  if (bytes.substr(0, 3) == "\xef\xbb\xbf") {
    return absl::InvalidArgumentError("begins with a byte order mark");
  }
  // nlohmann's lexer takes a NUL byte for the end of the input and would not look behind it.
  if (bytes.find('\0') != absl::string_view::npos) {
    return absl::InvalidArgumentError("not JSON: a NUL byte");
  }
  Handler handler(options);
  nlohmann::json::sax_parse(bytes.begin(), bytes.end(), &handler);
  return std::move(handler).Take();
}

Document MustParse(absl::string_view text) {
  absl::StatusOr<Document> document = Parse(text);
  if (!document.ok()) {
    std::fprintf(stderr, "MustParse: %s\n", document.status().ToString().c_str());
    std::abort();
  }
  return *std::move(document);
}

}  // namespace tipstaff::json
