// Appends to the ledger of one turn of the event loop, given to it together: its writer then has
// them in one transaction, and one sync, instead of taking the first alone. Those that nobody waits
// for go with the next one that somebody does, or soon.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mediator/call/record.h"
#include "mediator/ledger/ledger.h"

namespace tipstaff::host {

// On the event loop's thread only. The ledger outlives it.
class Outbox {
 public:
  // How long what nobody waits for may wait for company.
  static constexpr std::chrono::milliseconds kPatience{5};

  Outbox(boost::asio::io_context& loop, ledger::Ledger& ledger)
      : loop_(loop), timer_(loop), waiting_(std::make_shared<Waiting>(ledger)) {}

  ~Outbox() { Send(); }

  // As Ledger::Append, in the order of the calls: before the loop waits again, where it is
  // `awaited`, and within kPatience in any case.
  void Append(bool awaited, std::string run, std::vector<call::Record> records,
              ledger::AppendDone done) {
    waiting_->appends.push_back({std::move(run), std::move(records), std::move(done)});
    const auto send = [weak = std::weak_ptr(waiting_)] {
      if (const std::shared_ptr<Waiting> waiting = weak.lock()) waiting->Send();
    };
    if (awaited && !std::exchange(waiting_->posted, true)) {
      boost::asio::post(loop_, send);
    } else if (!waiting_->posted && waiting_->appends.size() == 1) {
      timer_.expires_after(kPatience);
      timer_.async_wait([send](boost::system::error_code error) {
        if (!error) send();
      });
    }
  }
  // Now.
  void Send() { waiting_->Send(); }

 private:
  struct Waiting {
    explicit Waiting(ledger::Ledger& to) : ledger(to) {}
    void Send() {
      posted = false;
      if (!appends.empty()) ledger.AppendAll(std::exchange(appends, {}));
    }
    ledger::Ledger& ledger;
    bool posted = false;  // they are sent at this turn's end
    std::vector<ledger::ToAppend> appends;
  };
  boost::asio::io_context& loop_;
  boost::asio::steady_timer timer_;
  const std::shared_ptr<Waiting> waiting_;
};

}  // namespace tipstaff::host
