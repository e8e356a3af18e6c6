#include <regex>

#include "absl/strings/ascii.h"
#include "tests/reference/texts.h"

namespace tipstaff::reference {
namespace {

bool Matches(absl::string_view text, const char* pattern, std::smatch* parts, std::string& kept) {
  kept = std::string(text);
  return std::regex_match(kept, *parts, std::regex(pattern));
}

int DaysIn(int year, int month) {
  if (month == 2) return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

bool IsDate(absl::string_view text) {
  std::smatch parts;
  std::string kept;
  if (!Matches(text, "(\\d{4})-(\\d{2})-(\\d{2})", &parts, kept)) return false;
  const int month = std::stoi(parts[2]), day = std::stoi(parts[3]);
  return month >= 1 && month <= 12 && day >= 1 && day <= DaysIn(std::stoi(parts[1]), month);
}

// Days since some day long ago.
int DayNumber(int year, int month, int day) {
  int days = 365 * year + (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400 + day;
  for (int m = 1; m < month; ++m) days += DaysIn(year, m);
  return days;
}

// RFC 3339, section 5.7: at the end of a month of UTC.
bool IsLeapSecond(absl::string_view date, int minute_of_day, int offset) {
  const int year = std::stoi(std::string(date.substr(0, 4)));
  const int month = std::stoi(std::string(date.substr(5, 2)));
  const int day = std::stoi(std::string(date.substr(8, 2)));
  const int next = (DayNumber(year, month, day) * 1440) + minute_of_day - offset + 1;
  if (next % 1440 != 0) return false;  // the next minute begins no day of UTC
  for (int y = year - 1; y <= year + 1; ++y) {
    for (int m = 1; m <= 12; ++m) {
      if (DayNumber(y < 0 ? 0 : y, m, 1) * 1440 == next) return true;
    }
  }
  return false;
}

bool IsDateTime(absl::string_view text) {
  std::smatch parts;
  std::string kept;
  const char* const kForm =
      "(.{10})[Tt](\\d{2}):(\\d{2}):(\\d{2})(?:\\.\\d+)?(?:[Zz]|([+-])(\\d{2}):(\\d{2}))";
  if (!Matches(text, kForm, &parts, kept) || !IsDate(parts[1].str())) return false;
  const int hour = std::stoi(parts[2]), minute = std::stoi(parts[3]), second = std::stoi(parts[4]);
  int offset = 0;
  if (parts[5].matched) {
    const int hours = std::stoi(parts[6]), minutes = std::stoi(parts[7]);
    if (hours > 23 || minutes > 59) return false;
    offset = (parts[5] == "-" ? -1 : 1) * (60 * hours + minutes);
  }
  if (hour > 23 || minute > 59 || second > 60) return false;
  return second < 60 || IsLeapSecond(parts[1].str(), 60 * hour + minute, offset);
}

bool IsUuid(absl::string_view text) {
  if (text.size() != 36) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool hyphen = i == 8 || i == 13 || i == 18 || i == 23;
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (hyphen ? c != '-' : !absl::ascii_isxdigit(c)) return false;
  }
  return true;
}

}  // namespace

const std::set<std::string>& Formats() {
  static const auto* formats = new std::set<std::string>{"date", "date-time", "uuid", "ipv4"};
  return *formats;
}

bool HasFormat(absl::string_view format, absl::string_view text) {
  if (format == "date") return IsDate(text);
  if (format == "date-time") return IsDateTime(text);
  if (format == "uuid") return IsUuid(text);
  return IsIpv4(text);
}

}  // namespace tipstaff::reference
