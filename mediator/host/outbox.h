// Appends to the ledger of one turn of the event loop, given to it together: its writer then has
// them in one transaction, and one sync, instead of taking the first alone.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
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
  Outbox(boost::asio::io_context& loop, ledger::Ledger& ledger)
      : loop_(loop), waiting_(std::make_shared<Waiting>(ledger)) {}

  ~Outbox() { Send(); }

  // As Ledger::Append, before the loop waits again.
  void Append(std::string run, std::vector<call::Record> records, ledger::AppendDone done) {
    waiting_->appends.push_back({std::move(run), std::move(records), std::move(done)});
    if (waiting_->appends.size() > 1) return;
    boost::asio::post(loop_, [weak = std::weak_ptr(waiting_)] {
      if (const std::shared_ptr<Waiting> waiting = weak.lock()) waiting->Send();
    });
  }
  // Now.
  void Send() { waiting_->Send(); }

 private:
  struct Waiting {
    explicit Waiting(ledger::Ledger& to) : ledger(to) {}
    void Send() {
      if (!appends.empty()) ledger.AppendAll(std::exchange(appends, {}));
    }
    ledger::Ledger& ledger;
    std::vector<ledger::ToAppend> appends;
  };
  boost::asio::io_context& loop_;
  const std::shared_ptr<Waiting> waiting_;
};

}  // namespace tipstaff::host
