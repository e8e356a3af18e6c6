// The baselines' servers, each the whole of a child process.
#pragma once

#include <string>

namespace tipstaff::bench {

// Both serve the guest service's Call on the Unix socket `path`, print "ready" and run until
// standard input ends. They return the process's exit code.

// Answers each call at once with an end that holds about 300 bytes.
int ServeEcho(const std::string& path);

// Makes one synced insert for each call and then passes it to the server at `echo_path`, all with
// gRPC's callback API. The insert is made by the thread that took the call, one at a time: the
// least that a relay does which records before it acts.
int ServeRelay(const std::string& path, const std::string& echo_path,
               const std::string& database_path);

}  // namespace tipstaff::bench
