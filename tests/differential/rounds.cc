#include "tests/differential/rounds.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "absl/strings/str_cat.h"
#include "tests/differential/granted_run.h"
#include "tests/differential/make_call.h"
#include "tests/differential/make_run.h"
#include "tests/differential/shrink.h"

namespace tipstaff::differential {
namespace {

constexpr int kCallsOfRun = 30;

// Milliseconds to the next call. Many calls are whole minutes apart, where limits of a minute and
// of wall time have their edges.
uint64_t NextStep(Dice& dice) {
  if (dice.Chance(15)) return 60'000;
  return dice.Chance(50) ? 10'000 * dice.Below(4) : dice.Below(70'000);
}

// Neighbouring numbers give unlike dice.
uint64_t SeedOf(uint64_t seed, uint64_t run) {
  uint64_t mixed = seed * 0x9e3779b97f4a7c15 + run + 1;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  return mixed ^ (mixed >> 27);
}

std::string DifferenceIn(const Case& one) {
  // Shrinking may leave out what a skill has to have.
  for (const Tree& skill : one.skills) {
    for (const char* key : {"skill", "backends", "permissions"}) {
      if (skill.Find(key) == nullptr) return "";
    }
  }
  std::string why;
  const std::unique_ptr<GrantedRun> granted = GrantedRun::Open(one, why);
  if (granted == nullptr) return "";
  for (const reference::EarlierCall& earlier : one.earlier) {
    bool known = false;
    for (const auto& [skill, permission] : PermissionsOf(one)) {
      known = known || (skill->Find("skill")->text == earlier.skill &&
                        permission->Find("id")->text == earlier.permission);
    }
    if (!known) return "";
  }
  return granted->Ask(one, nullptr).difference;
}

class Worker {
 public:
  Worker(const Rounds& rounds, std::atomic<uint64_t>& pairs, std::atomic<size_t>& found)
      : rounds_(rounds), pairs_(pairs), found_(found) {}

  bool IsOver() const { return pairs_ >= rounds_.pairs || found_ >= rounds_.most_disagreements; }

  void RunOne(uint64_t number) {
    Dice dice(SeedOf(rounds_.seed, number));
    Case one = MakeRun(dice);
    std::string why;
    const std::unique_ptr<GrantedRun> granted = GrantedRun::Open(one, why);
    if (granted == nullptr) {
      ++report_.coverage.refused_runs;
      return;
    }
    ++report_.coverage.runs;
    const auto permissions = PermissionsOf(one);
    one.at = 10'000 * dice.Below(4);
    for (size_t n = dice.Chance(30) ? dice.Below(6) : 0; n > 0; --n) {
      const auto& [skill, permission] = dice.Pick(permissions);
      one.earlier.push_back(MakeEarlier(*skill, *permission, one.at, dice));
      one.at += 10'000 * dice.Below(3);
    }
    for (int i = 0; i < kCallsOfRun && !IsOver(); ++i) {
      MakeCall(granted->bindings(), dice, one);
      ++pairs_;
      if (!Ask(*granted, number, dice, one)) return;
      one.at += NextStep(dice);
    }
  }

  Report TakeReport() && { return std::move(report_); }

 private:
  bool Ask(const GrantedRun& granted, uint64_t number, Dice& dice, Case& one) {
    const GrantedRun::Answer answer = granted.Ask(one, &report_.coverage);
    if (!answer.difference.empty()) {
      ++found_;
      const Case small = Shrink(one, [](const Case& less) { return !DifferenceIn(less).empty(); });
      report_.disagreements.push_back(absl::StrCat("--seed ", rounds_.seed, " --run ", number, "\n",
                                                   DifferenceIn(small), small.Show()));
      return false;
    }
    if (answer.decision.verdict != call::Verdict::kAllow) return true;
    for (const auto& [skill, permission] : PermissionsOf(one)) {
      if (skill->Find("skill")->text != answer.decision.skill ||
          permission->Find("id")->text != answer.decision.permission) {
        continue;
      }
      one.earlier.push_back(MakeEarlier(*skill, *permission, one.at, dice));
      one.earlier.back().argument_bytes = answer.argument_bytes;
    }
    return true;
  }

  const Rounds& rounds_;
  std::atomic<uint64_t>& pairs_;
  std::atomic<size_t>& found_;
  Report report_;
};

}  // namespace

Report RunAll(const Rounds& rounds) {
  std::atomic<uint64_t> pairs = 0, next = 0;
  std::atomic<size_t> found = 0;
  std::mutex mutex;
  Report report;
  const auto work = [&] {
    Worker worker(rounds, pairs, found);
    while (!worker.IsOver()) {
      const uint64_t number = next++;
      if (number >= rounds.most_runs) break;
      worker.RunOne(rounds.first_run + number);
    }
    const std::lock_guard<std::mutex> lock(mutex);
    Report mine = std::move(worker).TakeReport();
    report.coverage.Add(mine.coverage);
    for (std::string& text : mine.disagreements) report.disagreements.push_back(std::move(text));
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < rounds.threads; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  return report;
}

}  // namespace tipstaff::differential
