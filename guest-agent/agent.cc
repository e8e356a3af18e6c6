#include "guest-agent/agent.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <variant>

#include "guest-agent/limits.h"

namespace tipstaff::guest_agent {
namespace {

constexpr absl::Duration kLastWords = absl::Seconds(2);
constexpr size_t kReadBytes = 64 << 10;

}  // namespace

Agent::Agent(int input, int output, mcp::ServerInfo info, Connection::Dial dial,
             Connection::Token token, Log log, Patience patience)
    : input_(input),
      log_(std::move(log)),
      output_gone_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      writer_(output, kMaxOutputBytes, [this] { ::eventfd_write(output_gone_.get(), 1); }),
      connection_(std::move(dial), std::move(token), log_),
      session_(std::move(info)),
      calls_(connection_, *this, patience) {}

void Agent::Run() {
  while (Read()) {
    HandleLines();
    writer_.WaitForRoom();
  }
  calls_.Stop();
  writer_.Flush(kLastWords);
}

bool Agent::Read() {
  char buffer[kReadBytes];
  while (true) {
    pollfd ready[] = {{input_, POLLIN, 0}, {output_gone_.get(), POLLIN, 0}};
    if (::poll(ready, 2, -1) < 0 && errno != EINTR) return false;
    if (ready[1].revents != 0) return false;
    if (ready[0].revents == 0) continue;
    const ssize_t got = ::read(input_, buffer, sizeof buffer);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return false;
    lines_.Add(absl::string_view(buffer, got));
    return true;
  }
}

void Agent::HandleLines() {
  while (const auto line = lines_.Next()) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Do(line->too_long ? session_.OnTooLong(mcp::kMaxLineBytes) : session_.OnMessage(line->text));
  }
}

void Agent::Do(std::vector<mcp::Output> outputs) {
  for (mcp::Output& output : outputs) Do(std::move(output));
}

void Agent::Do(mcp::Output output) {
  if (auto* send = std::get_if<mcp::Send>(&output)) {
    // A client that does not read is not told each step: its answers are what has to be kept.
    if (send->kind == mcp::Send::Kind::kEvent && writer_.full()) return;
    return writer_.Write(std::move(send->message));
  }
  if (const auto* cancel = std::get_if<mcp::Cancel>(&output)) return calls_.Cancel(cancel->ticket);
  if (const auto* note = std::get_if<mcp::Note>(&output)) return log_(note->text);
  connection_.SetAgent(session_.client());
  if (const auto* list = std::get_if<mcp::WantList>(&output)) calls_.List(*list);
  if (const auto* call = std::get_if<mcp::WantCall>(&output)) calls_.Call(*call);
}

void Agent::OnList(uint64_t ticket, const absl::StatusOr<mcp::CatalogPtr>& catalog) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Do(session_.OnList(ticket, catalog));
}

void Agent::OnProgress(uint64_t ticket, const mcp::CallProgress& progress) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Do(session_.OnProgress(ticket, progress));
}

void Agent::OnLog(uint64_t ticket, const std::string& params) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Do(session_.OnLog(ticket, params));
}

void Agent::OnCallEnd(uint64_t ticket, const mcp::CallEnd& end) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Do(session_.OnCallEnd(ticket, end));
}

void Agent::OnChange(const mcp::Change& change) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Do(session_.OnChange(change));
}

}  // namespace tipstaff::guest_agent
