#include <array>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "mediator/schema/format_checks.h"

// RFC 3339: sections 5.6 (dates and times), 5.7 (leap seconds) and appendix A (durations).
namespace tipstaff::schema {
namespace {

// The next `digits` digits of `text` as a number, taken off it; -1 when they are not there.
int TakeNumber(int digits, absl::string_view& text) {
  if (text.size() < static_cast<size_t>(digits)) return -1;
  int number = 0;
  for (int i = 0; i < digits; ++i) {
    if (!absl::ascii_isdigit(text[i])) return -1;
    number = number * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return number;
}

// Digits in any number, one at least.
bool TakeDigits(absl::string_view& text) {
  size_t digits = 0;
  while (digits < text.size() && absl::ascii_isdigit(text[digits])) ++digits;
  text.remove_prefix(digits);
  return digits > 0;
}

struct Date {
  int day = 0;
  bool last_of_month = false;
};

int DaysIn(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[month - 1];
}

bool TakeDate(absl::string_view& text, Date& date) {
  const int year = TakeNumber(4, text);
  if (year < 0 || !absl::ConsumePrefix(&text, "-")) return false;
  const int month = TakeNumber(2, text);
  if (month < 1 || month > 12 || !absl::ConsumePrefix(&text, "-")) return false;
  const int day = TakeNumber(2, text);
  if (day < 1 || day > DaysIn(year, month)) return false;
  date = {day, day == DaysIn(year, month)};
  return true;
}

struct Time {
  int minutes = 0;  // since midnight, local
  bool leap_second = false;
  int offset = 0;  // minutes east of UTC
};

bool TakeOffset(absl::string_view& text, int& offset) {
  if (absl::ConsumePrefix(&text, "Z") || absl::ConsumePrefix(&text, "z")) return true;
  const int sign = absl::StartsWith(text, "-") ? -1 : 1;
  if (!absl::ConsumePrefix(&text, "+") && !absl::ConsumePrefix(&text, "-")) return false;
  const int hours = TakeNumber(2, text);
  if (hours < 0 || hours > 23 || !absl::ConsumePrefix(&text, ":")) return false;
  const int minutes = TakeNumber(2, text);
  if (minutes < 0 || minutes > 59) return false;
  offset = sign * (hours * 60 + minutes);
  return true;
}

bool TakeTime(absl::string_view& text, Time& time) {
  const int hour = TakeNumber(2, text);
  if (hour < 0 || hour > 23 || !absl::ConsumePrefix(&text, ":")) return false;
  const int minute = TakeNumber(2, text);
  if (minute < 0 || minute > 59 || !absl::ConsumePrefix(&text, ":")) return false;
  const int second = TakeNumber(2, text);
  if (second < 0 || second > 60) return false;
  if (absl::ConsumePrefix(&text, ".") && !TakeDigits(text)) return false;
  time = {hour * 60 + minute, second == 60};
  if (!TakeOffset(text, time.offset)) return false;
  constexpr int kDay = 24 * 60;
  const int utc = (time.minutes - time.offset + kDay) % kDay;
  return !time.leap_second || utc == kDay - 1;
}

// The part of a duration that these units make, in their order and without a gap: one at least.
template <size_t kUnits>
bool TakeUnits(const std::array<char, kUnits>& units, absl::string_view& text) {
  bool any = false;
  size_t next = 0;
  while (!text.empty() && absl::ascii_isdigit(text[0])) {
    if (!TakeDigits(text) || text.empty()) return false;
    size_t unit = next;
    while (unit < kUnits && units[unit] != text[0]) ++unit;
    if (unit == kUnits || (any && unit != next)) return false;
    text.remove_prefix(1);
    next = unit + 1;
    any = true;
  }
  return any;
}

}  // namespace

bool IsDate(absl::string_view text) {
  Date date;
  return TakeDate(text, date) && text.empty();
}

bool IsTime(absl::string_view text) {
  Time time;
  return TakeTime(text, time) && text.empty();
}

bool IsDateTime(absl::string_view text) {
  Date date;
  if (!TakeDate(text, date)) return false;
  if (!absl::ConsumePrefix(&text, "T") && !absl::ConsumePrefix(&text, "t")) return false;
  Time time;
  if (!TakeTime(text, time) || !text.empty()) return false;
  // East of Greenwich 23:59:60 UTC falls on the next day.
  return !time.leap_second || (time.offset > 0 ? date.day == 1 : date.last_of_month);
}

bool IsDuration(absl::string_view text) {
  if (!absl::ConsumePrefix(&text, "P")) return false;
  if (absl::EndsWith(text, "W")) return TakeUnits<1>({'W'}, text) && text.empty();
  if (!absl::StartsWith(text, "T") && !TakeUnits<3>({'Y', 'M', 'D'}, text)) return false;
  if (text.empty()) return true;
  return absl::ConsumePrefix(&text, "T") && TakeUnits<3>({'H', 'M', 'S'}, text) && text.empty();
}

}  // namespace tipstaff::schema
