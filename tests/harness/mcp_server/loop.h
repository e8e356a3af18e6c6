// The event loop's parts that both carriers share.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>

#include "absl/time/time.h"

namespace tipstaff::mcp_server {

inline void After(boost::asio::io_context& loop, absl::Duration time, std::function<void()> what) {
  const auto timer =
      std::make_shared<boost::asio::steady_timer>(loop, absl::ToChronoNanoseconds(time));
  timer->async_wait([timer, what = std::move(what)](const boost::system::error_code& error) {
    if (!error) what();
  });
}

}  // namespace tipstaff::mcp_server
