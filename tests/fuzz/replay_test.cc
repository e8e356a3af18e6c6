// Feeds the seeds to a fuzz target, without libFuzzer: what was found once stays found.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

TEST(TIPSTAFF_REPLAY, TakesEverySeed) {
  size_t seeds = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TIPSTAFF_CORPUS)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    ASSERT_TRUE(file.good() || file.eof()) << entry.path();
    SCOPED_TRACE(entry.path());
    std::fprintf(stderr, "%s\n", entry.path().filename().c_str());  // the last one is to blame
    EXPECT_EQ(LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()),
              0);
    ++seeds;
  }
  EXPECT_GE(seeds, 20u) << "a corpus without seeds shows nothing";
}
