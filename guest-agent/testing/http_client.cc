#include "guest-agent/testing/http_client.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "mediator/json/parse.h"

namespace tipstaff::guest_agent {
namespace {

constexpr int kPatienceMs = 60'000;

}  // namespace

bool HttpReply::is_stream() const {
  const auto type = headers.find("content-type");
  return type != headers.end() && type->second == "text/event-stream";
}

json::Document HttpReply::json() const {
  const absl::StatusOr<json::Document> document = json::Parse(body, {.max_depth = 100});
  EXPECT_TRUE(document.ok()) << document.status() << " in " << body.substr(0, 200);
  return document.ok() ? *document : json::Document();
}

HttpClient::HttpClient(uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  const int on = 1;
  ::setsockopt(fd_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void HttpClient::Send(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;  // the server may refuse before it has everything
    bytes.remove_prefix(sent);
  }
}

void HttpClient::SendSlowly(absl::string_view bytes, size_t step) {
  for (size_t at = 0; at < bytes.size(); at += step) Send(bytes.substr(at, step));
}

void HttpClient::CloseSending() { ::shutdown(fd_.get(), SHUT_WR); }

bool HttpClient::Fill() {
  pollfd ready = {fd_.get(), POLLIN, 0};
  if (::poll(&ready, 1, kPatienceMs) <= 0) {
    ADD_FAILURE() << "nothing comes; so far: " << buffer_.substr(0, 200);
    return false;
  }
  char bytes[65536];
  const ssize_t got = ::recv(fd_.get(), bytes, sizeof bytes, 0);
  if (got > 0) buffer_.append(bytes, got);
  return got > 0;
}

std::string HttpClient::ReadLine() {
  size_t end;
  while ((end = buffer_.find("\r\n")) == std::string::npos) {
    if (!Fill()) return "";
  }
  const std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 2);
  return line;
}

std::string HttpClient::ReadBytes(size_t size) {
  while (buffer_.size() < size && Fill()) {
  }
  const std::string bytes = buffer_.substr(0, size);
  buffer_.erase(0, size);
  return bytes;
}

HttpReply HttpClient::Read() {
  HttpReply reply;
  const std::string status_line = ReadLine();
  const std::vector<std::string> words = absl::StrSplit(status_line, absl::MaxSplits(' ', 2));
  if (words.size() < 2 || !absl::SimpleAtoi(words[1], &reply.status)) return {};
  while (true) {
    const std::string line = ReadLine();
    if (line.empty()) break;
    const std::pair<std::string, std::string> field =
        absl::StrSplit(line, absl::MaxSplits(": ", 1));
    reply.headers[absl::AsciiStrToLower(field.first)] = field.second;
  }
  chunked_ = reply.headers.count("transfer-encoding") > 0;
  stream_over_ = false;
  stream_.clear();
  size_t length = 0;
  if (const auto found = reply.headers.find("content-length"); found != reply.headers.end()) {
    EXPECT_TRUE(absl::SimpleAtoi(found->second, &length));
  }
  reply.body = ReadBytes(length);
  return reply;
}

bool HttpClient::ReadChunk() {
  if (!chunked_) {
    if (buffer_.empty() && !Fill()) return false;
    stream_ += std::exchange(buffer_, "");
    return true;
  }
  uint64_t size = 0;
  if (!absl::SimpleHexAtoi(ReadLine(), &size)) return false;
  stream_ += ReadBytes(size);
  ReadLine();
  return size > 0;
}

std::string HttpClient::ReadEvent() {
  while (!stream_over_) {
    const size_t end = stream_.find("\n\n");
    if (end == std::string::npos) {
      stream_over_ = !ReadChunk();
      continue;
    }
    const std::string event = stream_.substr(0, end);
    stream_.erase(0, end + 2);
    if (absl::StartsWith(event, ":")) continue;
    absl::string_view data = event;
    EXPECT_TRUE(absl::ConsumePrefix(&data, "event: message\ndata: ")) << event;
    return std::string(data);
  }
  return "";
}

json::Document HttpClient::ReadEventJson() {
  const std::string event = ReadEvent();
  const absl::StatusOr<json::Document> document = json::Parse(event, {.max_depth = 100});
  EXPECT_TRUE(document.ok()) << document.status() << " in " << event.substr(0, 200);
  return document.ok() ? *document : json::Document();
}

bool HttpClient::ReadToEnd() {
  pollfd ready = {fd_.get(), POLLIN, 0};
  while (::poll(&ready, 1, kPatienceMs) > 0) {
    char bytes[65536];
    if (::recv(fd_.get(), bytes, sizeof bytes, 0) <= 0) return true;
  }
  return false;
}

}  // namespace tipstaff::guest_agent
