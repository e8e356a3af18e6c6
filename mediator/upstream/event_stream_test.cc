#include "mediator/upstream/event_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"

namespace tipstaff::upstream {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr size_t kMax = 1000;
using Events = std::vector<std::string>;

// All events of `text`, in pieces of `step` bytes.
Events EventsOf(absl::string_view text, size_t step) {
  EventStream stream(kMax);
  Events all;
  for (size_t at = 0; at < text.size(); at += step) {
    const auto some = stream.Add(text.substr(at, step));
    EXPECT_TRUE(some.ok()) << some.status();
    if (some.ok()) all.insert(all.end(), some->begin(), some->end());
  }
  return all;
}

TEST(EventStream, ReadsTheStandardsForms) {
  const struct {
    const char* name;
    std::string text;
    Events events;
  } kRows[] = {
      {"one event", "data: {\"a\":1}\n\n", {"{\"a\":1}"}},
      {"one space is taken", "data:  x\n\ndata:y\n\n", {" x", "y"}},
      {"lines of data are joined", "data: a\ndata\ndata: b\n\n", {"a\n\nb"}},
      {"carriage returns", "data: a\r\rdata: b\r\r", {"a", "b"}},
      {"both", "data: a\r\n\r\ndata: b\r\n\r\n", {"a", "b"}},
      {"mixed", "data: a\ndata: b\r\n\rdata: c\n\r", {"a\nb", "c"}},
      {"a byte order mark",
       "\xEF\xBB\xBF"
       "data: a\n\n",
       {"a"}},
      {"only at the beginning",
       "data: a\n\n\xEF\xBB\xBF"
       "data: b\n\n",
       {"a"}},
      {"comments", ": ping\n\n:data: no\ndata: a\n: more\n\n", {"a"}},
      {"ids and times are no data", "id: 7\nretry: 1\ndata: a\n\n", {"a"}},
      {"its type is message", "event: message\ndata: a\n\n", {"a"}},
      {"another type", "event: endpoint\ndata: /x\n\ndata: a\n\n", {"a"}},
      {"no data", "id: 1\ndata:\n\nid: 2\n\n", {}},
      {"unknown fields", "date: x\ndatax: y\n data: z\ndata: a\n\n", {"a"}},
      {"a colon in the data", "data: a: b\n\n", {"a: b"}},
      {"not whole", "data: a\n\ndata: b\n", {"a"}},
  };
  for (const auto& row : kRows) {
    for (const size_t step : {size_t{1}, size_t{2}, size_t{3}, size_t{5}, row.text.size()}) {
      EXPECT_EQ(EventsOf(row.text, step), row.events) << row.name << " in steps of " << step;
    }
  }
}

TEST(EventStream, TellsWhereItCanBeTakenUpAgain) {
  const struct {
    const char* name;
    std::string text;
    const char* id;
    std::optional<absl::Duration> retry;
  } kRows[] = {
      {"neither", "data: a\n\n", "", std::nullopt},
      {"both, without data", "id: 7\nretry: 250\ndata:\n\n", "7", absl::Milliseconds(250)},
      {"the last counts", "id: 1\ndata: a\n\nid: 2\ndata: b\n\n", "2", std::nullopt},
      {"it stays for events without one", "id: 1\n\ndata: b\n\n", "1", std::nullopt},
      {"an event that is not whole", "id: 1\n\nid: 2\ndata: b\n", "1", std::nullopt},
      {"no id that a header can hold", "id: a\x01\n\n", "", std::nullopt},
      {"too long", absl::StrCat("id: ", std::string(1025, 'x'), "\n\n"), "", std::nullopt},
      {"no time", "retry: soon\nretry: -1\nretry: 99999999999\n\n", "", std::nullopt},
  };
  for (const auto& row : kRows) {
    EventStream stream(4096);
    ASSERT_TRUE(stream.Add(row.text).ok()) << row.name;
    EXPECT_EQ(stream.last_id(), row.id) << row.name;
    EXPECT_EQ(stream.retry(), row.retry) << row.name;
  }
}

TEST(EventStream, GivesAnEventOutAsSoonAsItIsWhole) {
  EventStream stream(kMax);
  EXPECT_THAT(*stream.Add("data: a\r"), IsEmpty());
  EXPECT_THAT(*stream.Add("\r"), ElementsAre("a")) << "it does not wait for a line feed";
  EXPECT_THAT(*stream.Add("\ndata: b\n\n"), ElementsAre("b"));
}

TEST(EventStream, BoundsWhatIsNotWhole) {
  const std::string much(kMax, 'x');
  const struct {
    const char* name;
    std::string text;
  } kRows[] = {
      {"a line", absl::StrCat("data: ", much)},
      {"a comment", absl::StrCat(":", much)},
      {"many lines", absl::StrCat("data: ", much.substr(600), "\ndata: ", much.substr(600),
                                  "\ndata: ", much.substr(600), "\n")},
  };
  for (const auto& row : kRows) {
    for (const size_t step : {size_t{7}, row.text.size()}) {
      EventStream stream(kMax);
      absl::Status status;
      for (size_t at = 0; at < row.text.size() && status.ok(); at += step) {
        status = stream.Add(absl::string_view(row.text).substr(at, step)).status();
      }
      EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << row.name;
    }
  }
  std::string endless;
  for (int i = 0; i < 2000; ++i) endless += "data: a\n\n: x\n\n";
  EXPECT_EQ(EventsOf(endless, 100).size(), 2000u) << "all of them together are not bounded";
}

}  // namespace
}  // namespace tipstaff::upstream
