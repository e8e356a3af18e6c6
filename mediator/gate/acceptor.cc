#include "mediator/gate/acceptor.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "absl/strings/str_cat.h"
#include "mediator/gate/limits.h"
#include "mediator/gate/preface.h"
#include "mediator/transport/listen/listen.h"

namespace tipstaff::gate {
namespace {

using std::chrono::milliseconds;

// A socket with part of a preface, or one that has hung up, is ready all the time: it is looked at
// this often instead.
constexpr milliseconds kRest{20};
// Served connections are looked at this often, should nothing else happen.
constexpr milliseconds kTick{500};
// After accept ran out of descriptors.
constexpr milliseconds kSourceRest{100};
constexpr int kTakenAtOnce = 64;

int MillisecondsUntil(Clock::time_point time, Clock::time_point now) {
  const auto left = std::chrono::ceil<milliseconds>(time - now).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 60'000));
}

}  // namespace

struct Acceptor::Guest {
  base::Fd waiting;                        // until gRPC has it
  std::shared_ptr<Connection> connection;  // from then on
  Clock::time_point deadline;              // of the preface
  Clock::time_point rests_until{};
  bool gone = false;

  int fd() const { return connection ? connection->fd() : waiting.get(); }
};

Acceptor::Acceptor(base::Fd source_socket, ConnectionSource source, Connections& connections,
                   const Log& log, Serve serve)
    : source_socket_(std::move(source_socket)),
      source_(source),
      connections_(connections),
      log_(log),
      serve_(std::move(serve)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      over_limit_(log, absl::StrCat("refused a connection: ", kMaxConnections, " are open")),
      no_preface_(log, "closed a connection that is not HTTP/2"),
      silent_(log, "closed a connection that did not begin in time"),
      no_descriptor_(log, "cannot take a connection") {}

Acceptor::~Acceptor() = default;

void Acceptor::Stop() {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t ignored = ::write(wake_.get(), &one, sizeof one);
}

void Acceptor::Run() {
  for (;;) {
    Clock::time_point now = Clock::now();
    std::vector<pollfd> polled;
    polled.push_back({wake_.get(), POLLIN, 0});
    // A negative descriptor is passed over by poll.
    polled.push_back({now < source_rests_until_ ? -1 : source_socket_.get(), POLLIN, 0});
    for (const auto& guest : guests_) {
      const short events = guest->connection ? 0 : POLLIN | POLLRDHUP;
      polled.push_back({now < guest->rests_until ? -1 : guest->fd(), events, 0});
    }
    const int ready = ::poll(polled.data(), polled.size(), PollTimeout(now));
    if (ready < 0 && errno != EINTR && errno != ENOMEM) {
      log_.Line(absl::StrCat("poll failed: errno ", errno));
      return;
    }
    if (ready > 0 && polled[0].revents != 0) return;
    now = Clock::now();
    for (size_t i = 0; i < guests_.size(); ++i) {
      Look(*guests_[i], ready > 0 ? polled[i + 2].revents : 0, now);
    }
    std::erase_if(guests_, [](const auto& guest) { return guest->gone; });
    if (ready > 0 && polled[1].revents != 0) TakeConnections();
  }
}

int Acceptor::PollTimeout(Clock::time_point now) const {
  Clock::time_point next = now + std::chrono::hours(1);
  if (now < source_rests_until_) next = source_rests_until_;
  for (const auto& guest : guests_) {
    if (now < guest->rests_until) next = std::min(next, guest->rests_until);
    next = std::min(next, guest->connection ? now + kTick : guest->deadline);
  }
  return MillisecondsUntil(next, now);
}

void Acceptor::TakeConnections() {
  for (int taken = 0; taken < kTakenAtOnce; ++taken) {
    base::Fd fd = Next();
    if (!fd) return;
    if (guests_.size() >= kMaxConnections) {
      over_limit_.Count();
      continue;
    }
    auto guest = std::make_unique<Guest>();
    guest->waiting = std::move(fd);
    guest->deadline = Clock::now() + kHandshakeTime;
    guests_.push_back(std::move(guest));
  }
}

base::Fd Acceptor::Next() {
  if (source_ == ConnectionSource::kHandoff) {
    absl::StatusOr<base::Fd> fd = transport::ReceiveFd(source_socket_.get());
    if (fd.ok()) return *std::move(fd);
    if (!absl::IsUnavailable(fd.status())) {
      // The end, or nothing that can be followed: those that are served go on.
      if (!absl::IsOutOfRange(fd.status())) no_descriptor_.Count(fd.status().message());
      source_socket_.reset();
    }
    return base::Fd();
  }
  base::Fd fd(::accept4(source_socket_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (fd || errno == EAGAIN || errno == ECONNABORTED || errno == EINTR) return fd;
  no_descriptor_.Count(absl::StrCat("errno ", errno));
  source_rests_until_ = Clock::now() + kSourceRest;
  return fd;
}

void Acceptor::Look(Guest& guest, short events, Clock::time_point now) {
  if (now < guest.rests_until) return;
  guest.connection ? LookAtServed(guest, events, now) : LookAtWaiting(guest, events, now);
}

void Acceptor::LookAtWaiting(Guest& guest, short events, Clock::time_point now) {
  char first[kPreface.size()];
  const ssize_t got = ::recv(guest.waiting.get(), first, sizeof first, MSG_PEEK | MSG_DONTWAIT);
  const bool nothing_yet = got < 0 && (errno == EAGAIN || errno == EINTR);
  const Preface preface = CheckPreface(absl::string_view(first, std::max<ssize_t>(got, 0)));
  if (preface == Preface::kWhole) return StartServing(guest);
  const bool ended = (got <= 0 && !nothing_yet) || (events & (POLLHUP | POLLERR | POLLRDHUP)) != 0;
  if (preface == Preface::kWrong) {
    no_preface_.Count();
  } else if (now >= guest.deadline) {
    silent_.Count();
  } else if (!ended) {
    // Ready, but not with enough.
    if (events != 0) guest.rests_until = now + kRest;
    return;
  }
  guest.gone = true;
}

void Acceptor::StartServing(Guest& guest) {
  absl::StatusOr<std::shared_ptr<Connection>> connection = connections_.Add(guest.waiting.get());
  if (!connection.ok()) {
    no_descriptor_.Count(connection.status().message());
    guest.gone = true;
    return;
  }
  guest.connection = *std::move(connection);
  serve_(std::move(guest.waiting));
}

void Acceptor::LookAtServed(Guest& guest, short events, Clock::time_point now) {
  if (guest.connection->IsDue(now)) guest.connection->Shutdown();
  if (guest.connection->Held()) {
    // It has ended, but gRPC has yet to see it.
    if (events != 0) guest.rests_until = now + kRest;
    return;
  }
  connections_.Remove(guest.connection);
  guest.gone = true;
}

}  // namespace tipstaff::gate
