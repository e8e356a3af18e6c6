#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "mediator/transport/listen/listen.h"

namespace tipstaff::transport {
namespace {

struct Pair {
  base::Fd a, b;
};

Pair SocketPair() {
  int fds[2];
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
  return {base::Fd(fds[0]), base::Fd(fds[1])};
}

TEST(PassFd, TheDescriptorThatArrivesIsTheOneSent) {
  const Pair channel = SocketPair();
  const Pair passed = SocketPair();
  ASSERT_TRUE(SendFd(channel.a.get(), passed.a.get()).ok());
  const auto got = ReceiveFd(channel.b.get());
  ASSERT_TRUE(got.ok()) << got.status();
  ASSERT_EQ(::send(got->get(), "x", 1, MSG_NOSIGNAL), 1);
  char c = 0;
  ASSERT_EQ(::recv(passed.b.get(), &c, 1, MSG_DONTWAIT), 1);
  EXPECT_EQ(c, 'x');
  EXPECT_TRUE(::fcntl(got->get(), F_GETFL) & O_NONBLOCK);
  EXPECT_TRUE(::fcntl(got->get(), F_GETFD) & FD_CLOEXEC);
}

TEST(PassFd, KeepsTheOrder) {
  const Pair channel = SocketPair();
  const Pair passed = SocketPair();
  ASSERT_TRUE(SendFd(channel.a.get(), passed.a.get()).ok());
  ASSERT_TRUE(SendFd(channel.a.get(), passed.b.get()).ok());
  const auto first = ReceiveFd(channel.b.get());
  const auto second = ReceiveFd(channel.b.get());
  ASSERT_TRUE(first.ok() && second.ok());
  ASSERT_EQ(::send(first->get(), "1", 1, MSG_NOSIGNAL), 1);
  char c = 0;
  EXPECT_EQ(::recv(second->get(), &c, 1, MSG_DONTWAIT), 1);
}

TEST(PassFd, TellsNothingYetFromTheEnd) {
  Pair channel = SocketPair();
  EXPECT_EQ(ReceiveFd(channel.b.get()).status().code(), absl::StatusCode::kUnavailable);
  channel.a.reset();
  EXPECT_EQ(ReceiveFd(channel.b.get()).status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_FALSE(SendFd(channel.b.get(), channel.b.get()).ok());
}

TEST(PassFd, RefusesABareByte) {
  const Pair channel = SocketPair();
  ASSERT_EQ(::send(channel.a.get(), "f", 1, 0), 1);
  EXPECT_EQ(ReceiveFd(channel.b.get()).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(PassFd, RefusesTwoAtOnceAndKeepsNeither) {
  const Pair channel = SocketPair();
  Pair passed = SocketPair();
  char mark = 'f';
  iovec data{&mark, 1};
  const int fds[2] = {passed.a.get(), passed.a.get()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof fds)] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* c = CMSG_FIRSTHDR(&message);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_RIGHTS;
  c->cmsg_len = CMSG_LEN(sizeof fds);
  memcpy(CMSG_DATA(c), fds, sizeof fds);
  ASSERT_EQ(::sendmsg(channel.a.get(), &message, 0), 1);
  EXPECT_EQ(ReceiveFd(channel.b.get()).status().code(), absl::StatusCode::kInvalidArgument);
  passed.a.reset();
  char byte;
  EXPECT_EQ(::recv(passed.b.get(), &byte, 1, MSG_DONTWAIT), 0) << "a copy is still open";
}

}  // namespace
}  // namespace tipstaff::transport
