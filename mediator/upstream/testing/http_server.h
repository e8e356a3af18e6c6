// An HTTP server on loopback whose handler writes each byte of a response itself.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/upstream/testing/certificates.h"

namespace tipstaff::upstream {

struct ServedRequest {
  std::string method, target, body;
  std::map<std::string, std::string> headers;  // names in lower case
  int connection = 0;                          // from 1

  std::string Header(const std::string& name) const {
    const auto it = headers.find(name);
    return it == headers.end() ? "" : it->second;
  }
};

// What the handler answers with; its connection's thread only.
class Responder {
 public:
  virtual ~Responder() = default;
  // False once the client has closed the connection.
  virtual bool Write(absl::string_view bytes) = 0;
  // Waits until the client closes it, or the server stops.
  virtual void AwaitClose() = 0;

  // A whole response. `headers`: "Name: value" each.
  void Respond(int status, absl::string_view type, absl::string_view body,
               const std::vector<std::string>& headers = {});
  // The head of a stream of events, which ends with the connection or EndChunks().
  void BeginEvents(const std::vector<std::string>& headers = {});
  bool WriteChunk(absl::string_view bytes);
  void EndChunks();
};

class HttpServer {
 public:
  // Returns whether the connection may be used for another request. Called on each connection's own
  // thread.
  using Handler = std::function<bool(const ServedRequest& request, Responder& responder)>;

  // `certificate`: of HTTPS; its key is empty for HTTP.
  explicit HttpServer(Handler handler, const Certificate& certificate = {});
  // Ends all connections. The handler must return soon when Write() is false.
  ~HttpServer();

  int port() const;
  std::string Url(absl::string_view host = "127.0.0.1") const;  // .../mcp
  // Connections that were made so far.
  int connections() const;
  // All requests so far.
  std::vector<ServedRequest> requests() const;

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace tipstaff::upstream
