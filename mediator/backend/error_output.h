// The standard error of a child process.
#pragma once

#include <functional>
#include <memory>

#include "absl/strings/string_view.h"
#include "mediator/base/fd.h"

namespace boost::asio {
class io_context;
}

namespace tipstaff::backend {

// Reads a pipe's end on the event loop, so that whoever writes never waits long. Not thread-safe.
class ErrorOutput {
 public:
  // False: nothing more is wanted. May destroy what it is called from.
  using OnBytes = std::function<bool(absl::string_view bytes)>;

  ErrorOutput(boost::asio::io_context& loop, base::Fd pipe, OnBytes on_bytes);
  // No callback follows.
  ~ErrorOutput();
  ErrorOutput(const ErrorOutput&) = delete;

  // Gives out what is there by now, for the last time.
  void TakeRest();

 private:
  class Impl;
  const std::shared_ptr<Impl> impl_;
};

}  // namespace tipstaff::backend
