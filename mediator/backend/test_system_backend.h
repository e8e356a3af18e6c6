// A test system behind the Backend interface: calls go to a process of the run's own.
#pragma once

#include <memory>
#include <string>

#include "mediator/backend/backend.h"
#include "mediator/backend/test_system.h"

namespace boost::asio {
class io_context;
}

namespace tipstaff::backend {

// The process is started with the first call, and again with the next one after it ended. What it
// says is untrusted: a line that is no answer ends it, and what became of its calls is then
// unknown, as after its timeout, which ends it, too, where it is killable. `lock_path`
// (process_lock.h) is a file of this backend's own; whoever holds it from before must be gone. On
// the loop's thread only; the loop outlives the backend.
std::unique_ptr<Backend> MakeTestSystemBackend(boost::asio::io_context& loop,
                                               std::shared_ptr<const TestSystem> system,
                                               std::string run, std::string lock_path);

}  // namespace tipstaff::backend
