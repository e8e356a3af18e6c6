// Appends that wait for their end: for tests.
#pragma once

#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "mediator/ledger/ledger.h"

namespace tipstaff::ledger {

inline call::Record MakeRecord(call::RecordKind kind, std::string body, std::string payload = "",
                               int64_t micros = 1'767'225'600'000'000) {
  return {kind, absl::FromUnixMicros(micros), std::move(body), std::move(payload)};
}

// A `done` and the future of what it gets.
inline std::pair<AppendDone, std::future<absl::StatusOr<Appended>>> Promise() {
  auto promise = std::make_shared<std::promise<absl::StatusOr<Appended>>>();
  auto future = promise->get_future();
  return {[promise](absl::StatusOr<Appended> result) { promise->set_value(std::move(result)); },
          std::move(future)};
}

inline absl::StatusOr<Appended> AppendNow(Ledger& ledger, const std::string& run,
                                          std::vector<call::Record> records) {
  auto [done, future] = Promise();
  ledger.Append(run, std::move(records), std::move(done));
  return future.get();
}

inline absl::StatusOr<Appended> OpenNow(Ledger& ledger, const std::string& run,
                                        std::vector<Pinned> pinned = {}) {
  auto [done, future] = Promise();
  ledger.Open(run, std::move(pinned), {MakeRecord(call::RecordKind::kRunOpened, "{}")},
              std::move(done));
  return future.get();
}

// Keeps the writer thread busy in a `done`, so that what is appended meanwhile is one batch. The
// run must be open and gets one record.
class WriterHeld {
 public:
  WriterHeld(Ledger& ledger, const std::string& run) {
    auto held = std::make_shared<std::promise<void>>();
    ledger.Append(run, {MakeRecord(call::RecordKind::kDecided, "{}")},
                  [held, released = release_.get_future()](absl::StatusOr<Appended>) {
                    held->set_value();
                    released.wait();
                  });
    held->get_future().wait();
  }
  ~WriterHeld() { release_.set_value(); }
  WriterHeld(const WriterHeld&) = delete;
  WriterHeld& operator=(const WriterHeld&) = delete;

 private:
  std::promise<void> release_;
};

}  // namespace tipstaff::ledger
