#include "guest-agent/watcher.h"

#include <algorithm>
#include <utility>

namespace tipstaff::guest_agent {
namespace {

constexpr absl::Duration kFirstWait = absl::Milliseconds(100);
constexpr absl::Duration kLongestWait = absl::Seconds(30);

}  // namespace

void Watcher::Start() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (running_ || connection_.hellos() == hellos_without_changes_) return;
  running_ = true;
  pool_.Submit([this] { Run(); });
}

void Watcher::Stop() {
  cancellation_.Cancel();
  pool_.Stop();
}

void Watcher::Run() {
  absl::Duration wait = kFirstWait;
  bool lost = false;
  while (true) {
    const absl::Status status = connection_.Watch(
        cancellation_, {.on_begin =
                            [&] {
                              OnBegin(std::exchange(lost, true));
                              wait = kFirstWait;
                            },
                        .on_change = [&](const mcp::Change& change) { OnChange(change); }});
    Forget(/*watching=*/false);
    const bool final = absl::IsUnimplemented(status) || absl::IsPermissionDenied(status);
    if (final || !cancellation_.Sleep(wait)) {
      const std::lock_guard<std::mutex> lock(mutex_);
      running_ = false;
      if (final) hellos_without_changes_ = connection_.hellos();
      return;
    }
    wait = std::min(2 * wait, kLongestWait);
  }
}

void Watcher::OnBegin(bool again) {
  Forget(/*watching=*/true);
  if (!again) return;
  using What = mcp::Change::What;
  for (const What what : {What::kTools, What::kResources, What::kPrompts}) on_change_({what});
}

void Watcher::OnChange(const mcp::Change& change) {
  if (change.what != mcp::Change::What::kResource) Forget(/*watching=*/true);
  on_change_(change);
}

void Watcher::Forget(bool watching) {
  const std::lock_guard<std::mutex> lock(mutex_);
  watching_ = watching;
  ++stamp_;
  catalog_ = nullptr;
}

mcp::CatalogPtr Watcher::catalog() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return catalog_;
}

uint64_t Watcher::stamp() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return stamp_;
}

void Watcher::Keep(uint64_t stamp, mcp::CatalogPtr catalog) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (watching_ && stamp == stamp_) catalog_ = std::move(catalog);
}

}  // namespace tipstaff::guest_agent
