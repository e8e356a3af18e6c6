// An MCP server over HTTPS (Streamable HTTP, both generations).
#pragma once

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "mediator/upstream/http_client.h"
#include "mediator/upstream/transport.h"

namespace boost::asio {
class io_context;
}

namespace tipstaff::upstream {

struct HttpOptions {
  std::string url;                // http_url.h says which
  std::string credential_header;  // "Authorization"; "": no credential
  std::string credential_value;   // "Bearer ..."
  std::string ca_file;  // certificates that are trusted in place of the system's; "": those
  absl::Duration connect_timeout = absl::Seconds(10);
};

// InvalidArgument or NotFound where Connect() would refuse them; never shows the credential.
absl::Status CheckHttpOptions(const HttpOptions& options);

// Each message is a POST of its own. The first response's session (legacy servers) goes with what
// follows, and is ended with DELETE by Connect(), Kill(), Close() and the destructor. After
// `notifications/initialized` was sent, what follows waits until that has been answered, and a
// legacy server's stream of notifications is opened (and again when it ends), whose messages come
// with request 0. The name is resolved once: later connections go to the first one's address.
//
// A response that is of no use (a redirect, another type, too large, broken off, one that has the
// credential in it) is on_failure with status 0 and what was wrong; an HTTP error has its status
// and body. `sent` is false only where nothing can have arrived. `loop` outlives it.
std::unique_ptr<Transport> MakeHttpTransport(boost::asio::io_context& loop,
                                             std::shared_ptr<HttpClient> client,
                                             HttpOptions options, Transport::Events events);

}  // namespace tipstaff::upstream
