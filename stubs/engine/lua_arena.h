// The memory of one Lua state at a time.
//
// Small blocks come from one chunk, large ones and what does not fit there from malloc. Lua keeps
// everything that belongs to a state in its allocator's blocks, so a state that lies in the chunk
// altogether can be kept as an image, bytes that put back at their place are the state again.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

namespace tipstaff::engine {

// Sizes are what the caller asked for; blocks are aligned to 16 bytes. Not thread-safe.
class Arena {
 public:
  Arena();
  ~Arena() { Clear(); }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Null when there is no memory. `size` > 0.
  void* Allocate(size_t size);
  // Keeps the bytes that both sizes have; null, and the block as it was, when there is no memory.
  // Never for a size that is not larger.
  void* Resize(void* block, size_t old_size, size_t new_size);
  void Free(void* block, size_t size);
  // Frees all blocks.
  void Clear();

 private:
  // By 16 bytes up to 128, then four to each doubling up to 8 KiB.
  static constexpr size_t kClasses = 8 + 6 * 4;
  struct Unused {
    Unused* next;
  };
  struct Layout {
    size_t used = 0;                            // bytes of the chunk from its start
    std::array<Unused*, kClasses> unused = {};  // blocks of the chunk that were freed
  };
  struct alignas(16) Large {  // stands before a block that malloc gave
    Large* previous;
    Large* next;
  };

 public:
  // Of the arena that made it, and of no other: it is full of addresses.
  class Image {
    friend class Arena;
    Layout layout_;
    std::unique_ptr<char[]> bytes_;
  };
  // Nothing when there is a block outside the chunk.
  std::optional<Image> Save() const;
  // Frees all blocks, and has those of `image` again, with their bytes.
  void Restore(const Image& image);

 private:
  static size_t ClassOf(size_t size);
  static size_t SizeOf(size_t size_class);
  bool IsInChunk(const void* block) const;
  void* Link(Large* large);
  static Large* Unlink(void* block);

  const std::unique_ptr<char[]> chunk_;
  Layout layout_;
  Large all_large_;  // a ring
};

}  // namespace tipstaff::engine
