// What a ledger says of a run, read independently of the state machine, and what no ledger may say.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "mediator/call/record.h"
#include "mediator/run/records.h"
#include "tests/simulation/findings.h"

namespace tipstaff::simulation {

class Facts {
 public:
  explicit Facts(Findings& findings) : findings_(findings) {}

  // Takes in those that are new; `records` only grow.
  void ReadOn(const std::vector<call::Record>& records);

  // A submission began, and no definite refusal of it is durable: no write may act.
  bool barred() const { return barred_; }
  bool ended() const { return ended_; }  // expired, revoked or closing
  bool result_open() const { return result_open_; }
  bool refused_for_good() const { return refused_for_good_; }
  bool has_decided(uint64_t number) const { return ids_.contains(number); }
  bool is_read(uint64_t number) const { return reads_.contains(number); }
  bool has_outcome(uint64_t number) const { return outcomes_.contains(number); }
  // The id that the guest gave the call.
  const std::string& IdOf(uint64_t number) const { return ids_.at(number); }

 private:
  void Take(const call::Record& record);
  void TakeDecided(const run::Decided& call);
  void TakeAccepted();
  void TakeEnd();

  Findings& findings_;
  bool barred_ = false, ended_ = false, result_open_ = true;
  bool unknown_ = false, refused_for_good_ = false;
  int accepted_ = 0;
  std::map<uint64_t, std::string> ids_;  // by number
  std::set<std::string> acting_;         // ids of calls that were allowed
  std::set<uint64_t> reads_, outcomes_;
  size_t read_ = 0;  // records
};

}  // namespace tipstaff::simulation
