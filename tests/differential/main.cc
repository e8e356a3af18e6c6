// ./dev fuzz differential [--pairs N] [--seed S] [--threads N] [--run R]
#include <cstdio>
#include <cstring>
#include <string>

#include "absl/strings/numbers.h"
#include "tests/differential/rounds.h"

namespace tipstaff::differential {
namespace {

int Usage(const char* what, const char* word) {
  std::fprintf(
      stderr,
      "tipstaff-differential: %s `%s`: expected --pairs N, --seed S, --threads N (1 to 64), "
      "--run R\n",
      what, word);
  return 2;
}

int Main(int argc, char** argv) {
  Rounds rounds{.pairs = 1'000'000, .threads = 2};
  for (int i = 1; i < argc; i += 2) {
    uint64_t number = 0;
    if (i + 1 == argc || !absl::SimpleAtoi(argv[i + 1], &number)) {
      return Usage("a number is missing after", argv[i]);
    }
    if (std::strcmp(argv[i], "--pairs") == 0) {
      rounds.pairs = number;
    } else if (std::strcmp(argv[i], "--seed") == 0) {
      rounds.seed = number;
    } else if (std::strcmp(argv[i], "--run") == 0) {
      rounds.first_run = number;
      rounds.most_runs = 1;
    } else if (std::strcmp(argv[i], "--threads") == 0 && number >= 1 && number <= 64) {
      rounds.threads = static_cast<int>(number);
    } else {
      return Usage("cannot use", argv[i]);
    }
  }
  const Report report = RunAll(rounds);
  std::printf("%s\n", report.coverage.Show().c_str());
  for (const std::string& text : report.disagreements) {
    std::printf("the mediator and the reference disagree: %s\n", text.c_str());
  }
  // One run alone, or a few, cannot have everything.
  const bool whole = rounds.most_runs > 1 && rounds.pairs >= 20'000 && report.disagreements.empty();
  const std::vector<std::string> missing =
      whole ? report.coverage.Missing() : std::vector<std::string>();
  for (const std::string& text : missing) std::printf("not covered: %s\n", text.c_str());
  return report.disagreements.empty() && missing.empty() ? 0 : 1;
}

}  // namespace
}  // namespace tipstaff::differential

int main(int argc, char** argv) { return tipstaff::differential::Main(argc, argv); }
