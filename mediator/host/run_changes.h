// What guests of a run are told out of turn: lists that are to be had anew, and resources that
// changed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "mediator/call/tool.h"

namespace tipstaff::host {

struct RunChange {
  call::Kind list = call::Kind::kTool;  // whose list changed, unless:
  std::string uri;                      // the resource that changed; "": none
};

// On the event loop's thread only.
class RunChanges {
 public:
  using Id = uint64_t;
  using Watcher = std::function<void(const RunChange&)>;

  Id Add(Watcher watcher) {
    watchers_[++last_] = std::move(watcher);
    return last_;
  }
  void Remove(Id id) { watchers_.erase(id); }
  void Tell(const RunChange& change) {
    const auto watchers = watchers_;  // one of them may go
    for (const auto& [id, watcher] : watchers) {
      if (watchers_.count(id) > 0) watcher(change);
    }
  }

 private:
  Id last_ = 0;
  std::map<Id, Watcher> watchers_;
};

}  // namespace tipstaff::host
