// An MCP server as a process of the run's own: one message a line on its standard input and output.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mediator/upstream/transport.h"

namespace boost::asio {
class io_context;
}

namespace tipstaff::upstream {

struct StdioOptions {
  // A program without a slash is looked for in PATH; else its path is absolute. No shell.
  std::vector<std::string> command;
  // Folders that it sees, absolute, at the same paths. It is started in the first of them, or in
  // its scratch folder.
  std::vector<std::string> read;
  std::vector<std::pair<std::string, std::string>> environment;
  bool network = false;             // shares the host's
  bool unconfined = false;          // sees what the mediator's user sees
  std::string scratch;              // a folder of the run; made where only it is missing
  std::string lock_path;            // mediator/backend/process_lock.h
  std::vector<std::string> hidden;  // paths that it must not see: ledger, keys, sockets, ...
};

// Confined (stdio_view.h) unless `unconfined`. The process, and whatever it starts, is gone when
// the lock is free, and on_gone comes then. A confined one also ends with the thread that called
// Connect() and with the mediator, however that ends; what an unconfined one leaves behind after
// the mediator was killed, whoever starts again has to end (TakeFromHolders()).
//
// Connect() refuses what cannot be confined here: FailedPrecondition says what to do. Unavailable
// while somebody holds the lock. Send() of a request that could not be taken, as nobody reads or
// nothing runs, leads to on_failure with status 0 and `sent` false. The destructor kills without
// more ado and waits until all is gone, which takes milliseconds; Close() first is gentler.
// `loop` outlives it.
std::unique_ptr<Transport> MakeStdioTransport(boost::asio::io_context& loop, StdioOptions options,
                                              Transport::Events events);

}  // namespace tipstaff::upstream
