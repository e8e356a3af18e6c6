#include "stubs/engine/lua_arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace tipstaff::engine {
namespace {

struct Block {
  char* data;
  size_t size;
  char fill;
};

Block Make(Arena& arena, size_t size, char fill) {
  char* data = static_cast<char*>(arena.Allocate(size));
  EXPECT_NE(data, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % 16, 0u) << size;
  std::memset(data, fill, size);
  return {data, size, fill};
}

void ExpectFilled(const Block& block, size_t size) {
  EXPECT_EQ(std::vector<char>(block.data, block.data + size), std::vector<char>(size, block.fill));
}

// Neighbours overwrite each other where a class holds less than a size that belongs to it.
TEST(Arena, EverySizeHasItsRoom) {
  Arena arena;
  for (size_t size = 1; size <= 9000; size += size < 600 ? 1 : 31) {
    arena.Clear();
    std::vector<Block> blocks;
    for (int i = 0; i < 4; ++i) blocks.push_back(Make(arena, size, static_cast<char>('a' + i)));
    for (const Block& block : blocks) ExpectFilled(block, size);
  }
}

TEST(Arena, BlocksKeepTheirBytesWhateverHappensToOthers) {
  Arena arena;
  std::mt19937 random(1);
  std::vector<Block> blocks;
  const auto size = [&random] { return 1 + (random() & 3 ? random() % 300 : random() % 20'000); };
  for (int i = 0; i < 20'000; ++i) {
    if (blocks.size() < 200) blocks.push_back(Make(arena, size(), static_cast<char>(i)));
    Block& block = blocks[random() % blocks.size()];
    ExpectFilled(block, block.size);
    if (random() % 2 == 0) {
      const size_t new_size = size();
      block.data = static_cast<char*>(arena.Resize(block.data, block.size, new_size));
      ASSERT_NE(block.data, nullptr);
      ExpectFilled(block, std::min(block.size, new_size));
      std::memset(block.data, block.fill, new_size);
      block.size = new_size;
    } else {
      arena.Free(block.data, block.size);
      block = blocks.back();
      blocks.pop_back();
    }
  }
}

TEST(Arena, AnImageHasTheBytesAndTheFreeBlocks) {
  Arena arena;
  const Block kept = Make(arena, 1000, 'k'), freed = Make(arena, 1000, 'f');
  arena.Free(freed.data, freed.size);
  const std::optional<Arena::Image> image = arena.Save();
  ASSERT_TRUE(image.has_value());
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(arena.Allocate(1000), freed.data) << "the free block comes first, once";
    EXPECT_EQ(static_cast<char*>(arena.Allocate(1000)), freed.data + 1024);
    Make(arena, 100'000, 'l');
    std::memset(kept.data, 'x', kept.size);
    arena.Free(kept.data, kept.size);
    arena.Restore(*image);
    ExpectFilled(kept, kept.size);
  }
}

TEST(Arena, HasNoImageOfBlocksOutsideItsChunk) {
  Arena arena;
  EXPECT_TRUE(arena.Save().has_value()) << "of nothing";
  const Block large = Make(arena, 100'000, 'l');
  EXPECT_FALSE(arena.Save().has_value()) << "a large block";
  arena.Free(large.data, large.size);
  EXPECT_TRUE(arena.Save().has_value()) << "it is freed";
  for (int i = 0; i < 1000; ++i) Make(arena, 100, 's');
  EXPECT_FALSE(arena.Save().has_value()) << "small ones that fill the chunk";
  arena.Clear();
  EXPECT_TRUE(arena.Save().has_value());
}

}  // namespace
}  // namespace tipstaff::engine
