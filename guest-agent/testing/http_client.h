// A raw socket to an HTTP server, for tests that say each byte. Every wait has an end, after which
// the test fails.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "mediator/base/fd.h"
#include "mediator/json/document.h"

namespace tipstaff::guest_agent {

struct HttpReply {
  int status = 0;                              // 0: the connection ended before there was a reply
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;                            // of one that is no stream
  bool is_stream() const;
  json::Document json() const;  // of `body`; null (and a failed test) when it is none
};

class HttpClient {
 public:
  explicit HttpClient(uint16_t port);

  void Send(absl::string_view bytes);
  // The same, a few bytes at a time, each a packet of its own.
  void SendSlowly(absl::string_view bytes, size_t step);
  void CloseSending();
  void Close() { fd_.reset(); }

  // The next reply; of a stream the head alone.
  HttpReply Read();
  // The data of the next event of a stream, without comments; "" at the end of the stream.
  std::string ReadEvent();
  json::Document ReadEventJson();
  // Waits until the server has closed the connection; what came before is dropped.
  bool ReadToEnd();

 private:
  bool Fill();
  std::string ReadLine();
  std::string ReadBytes(size_t size);
  bool ReadChunk();

  base::Fd fd_;
  std::string buffer_;  // read and not yet taken
  bool chunked_ = false;
  std::string stream_;  // of the stream, without chunks
  bool stream_over_ = false;
};

}  // namespace tipstaff::guest_agent
