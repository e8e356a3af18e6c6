// HTTP/1.1 and TLS over libcurl: one thread and one pool of connections for all upstreams of the
// process. Knows nothing of MCP.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace tipstaff::upstream {

struct HttpRequest {
  std::string method;                // POST, GET or DELETE
  std::string url;                   // checked by CheckUrl() (http_url.h)
  std::vector<std::string> headers;  // "Name: value"; may hold a credential
  std::string body;
  std::string ca_file;         // certificates that are trusted; "": the system's
  std::string address;         // the IP address that is connected to; "": what the name resolves to
  bool only_loopback = false;  // nothing is sent to another address
  absl::Duration connect_timeout = absl::Seconds(10);
  absl::Duration timeout = absl::InfiniteDuration();
  bool is_last_word = false;  // ~HttpClient() waits for it (kLastWordsTime)
};

struct HttpHead {
  int status = 0;
  std::string content_type, content_encoding, session;  // as they came; "": none
  std::string address;                                  // the IP address that answered
};

struct HttpEnd {
  bool whole = false;  // the response came to its end in good order
  bool sent = false;   // something of the request may have arrived
  std::string how;     // why it is not whole: escaped, one line
};

// Takes a response. Called on the client's thread, one call after the other; must not block.
class HttpSink {
 public:
  enum class Next { kMore, kPause, kStop };
  virtual ~HttpSink() = default;
  // Once, before any bytes; not of interim responses.
  virtual Next OnHead(HttpHead head) = 0;
  // After kPause the same bytes come again, when Resume() was called.
  virtual Next OnBytes(absl::string_view bytes) = 0;
  // Last, unless the request is cancelled; after kStop too.
  virtual void OnEnd(HttpEnd end) = 0;
};

// Thread-safe. The thread is started with the first request. Certificates are always verified, and
// nothing is sent twice: a request whose connection breaks is at an end. No redirect is followed;
// proxies, .netrc and cookies are not used.
class HttpClient {
 public:
  using Ticket = uint64_t;

  HttpClient();
  // Gives up what is under way but for last words. No sink is called after it.
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  Ticket Start(HttpRequest request, std::shared_ptr<HttpSink> sink);
  // Its connection is closed. A call to the sink that is under way may still come to its end.
  void Cancel(Ticket ticket);
  void Resume(Ticket ticket);

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace tipstaff::upstream
