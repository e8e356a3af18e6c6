#include "stubs/engine/lua_arena.h"

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace tipstaff::engine {
namespace {

constexpr size_t kChunkBytes = 64 << 10;
constexpr size_t kMaxSmallBytes = 8 << 10;
constexpr size_t kMaxFineBytes = 128;
constexpr size_t kFineClasses = kMaxFineBytes / 16;

}  // namespace

Arena::Arena()
    : chunk_(std::make_unique_for_overwrite<char[]>(kChunkBytes)),
      all_large_{&all_large_, &all_large_} {}

size_t Arena::ClassOf(size_t size) {
  if (size <= kMaxFineBytes) return (size - 1) / 16;
  const size_t last = size - 1;
  const int doublings = std::bit_width(last) - 8;  // since 128
  return kFineClasses + 4 * doublings + (last >> (doublings + 5)) - 4;
}

size_t Arena::SizeOf(size_t size_class) {
  if (size_class < kFineClasses) return 16 * (size_class + 1);
  const size_t step = size_class - kFineClasses;
  return (5 + step % 4) << (step / 4 + 5);
}

bool Arena::IsInChunk(const void* block) const {
  return reinterpret_cast<uintptr_t>(block) - reinterpret_cast<uintptr_t>(chunk_.get()) <
         kChunkBytes;
}

void* Arena::Link(Large* large) {
  if (large == nullptr) return nullptr;
  large->previous = &all_large_;
  large->next = all_large_.next;
  large->next->previous = all_large_.next = large;
  return large + 1;
}

Arena::Large* Arena::Unlink(void* block) {
  Large* large = static_cast<Large*>(block) - 1;
  large->previous->next = large->next;
  large->next->previous = large->previous;
  return large;
}

void* Arena::Allocate(size_t size) {
  if (size <= kMaxSmallBytes) {
    const size_t size_class = ClassOf(size);
    if (Unused*& first = layout_.unused[size_class]; first != nullptr) {
      return std::exchange(first, first->next);
    }
    if (const size_t bytes = SizeOf(size_class); bytes <= kChunkBytes - layout_.used) {
      return chunk_.get() + std::exchange(layout_.used, layout_.used + bytes);
    }
  }
  return Link(static_cast<Large*>(std::malloc(sizeof(Large) + size)));
}

void* Arena::Resize(void* block, size_t old_size, size_t new_size) {
  if (IsInChunk(block)) {
    // One that shrinks stays where it is, and is later freed as a block of its new size.
    if (new_size <= old_size ||
        (new_size <= kMaxSmallBytes && ClassOf(new_size) == ClassOf(old_size))) {
      return block;
    }
    void* moved = Allocate(new_size);
    if (moved == nullptr) return nullptr;
    std::memcpy(moved, block, old_size);
    Free(block, old_size);
    return moved;
  }
  Large* large = Unlink(block);
  auto* moved = static_cast<Large*>(std::realloc(large, sizeof(Large) + new_size));
  if (moved != nullptr) return Link(moved);
  Link(large);
  return new_size <= old_size ? block : nullptr;
}

void Arena::Free(void* block, size_t size) {
  if (!IsInChunk(block)) return std::free(Unlink(block));
  auto* unused = static_cast<Unused*>(block);
  Unused*& first = layout_.unused[ClassOf(size)];
  unused->next = std::exchange(first, unused);
}

void Arena::Clear() {
  while (all_large_.next != &all_large_) std::free(Unlink(all_large_.next + 1));
  layout_ = Layout();
}

std::optional<Arena::Image> Arena::Save() const {
  if (all_large_.next != &all_large_) return std::nullopt;
  Image image;
  image.layout_ = layout_;
  image.bytes_ = std::make_unique_for_overwrite<char[]>(layout_.used);
  std::memcpy(image.bytes_.get(), chunk_.get(), layout_.used);
  return image;
}

void Arena::Restore(const Image& image) {
  Clear();
  layout_ = image.layout_;
  std::memcpy(chunk_.get(), image.bytes_.get(), layout_.used);
}

}  // namespace tipstaff::engine
