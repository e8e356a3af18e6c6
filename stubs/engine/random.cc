#include "stubs/engine/random.h"

#include <sodium.h>

namespace tipstaff::engine {
namespace {

void StoreLittle(uint64_t value, uint8_t* out) {
  for (int i = 0; i < 8; ++i) out[i] = static_cast<uint8_t>(value >> (8 * i));
}

uint64_t LoadLittle(const uint8_t* in) {
  uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value |= static_cast<uint64_t>(in[i]) << (8 * i);
  return value;
}

}  // namespace

RandomKey MakeRandomKey(absl::string_view seed, absl::string_view backend) {
  uint8_t length[8];
  StoreLittle(seed.size(), length);
  crypto_generichash_state state;
  RandomKey key;
  crypto_generichash_init(&state, nullptr, 0, key.size());
  crypto_generichash_update(&state, length, sizeof length);
  crypto_generichash_update(&state, reinterpret_cast<const uint8_t*>(seed.data()), seed.size());
  crypto_generichash_update(&state, reinterpret_cast<const uint8_t*>(backend.data()),
                            backend.size());
  crypto_generichash_final(&state, key.data(), key.size());
  return key;
}

uint64_t RandomStream::Next() {
  if (used_ == words_.size()) {
    uint8_t message[17], block[64];
    message[0] = static_cast<uint8_t>(purpose_);
    StoreLittle(number_, message + 1);
    StoreLittle(block_++, message + 9);
    crypto_generichash(block, sizeof block, message, sizeof message, key_.data(), key_.size());
    for (size_t i = 0; i < words_.size(); ++i) words_[i] = LoadLittle(block + 8 * i);
    used_ = 0;
  }
  return words_[used_++];
}

uint64_t RandomStream::Below(uint64_t below) {
  // Values from the incomplete last stretch would favour small results.
  const uint64_t excess = (UINT64_MAX % below + 1) % below;
  uint64_t value = Next();
  while (value > UINT64_MAX - excess) value = Next();
  return value % below;
}

std::string RandomStream::Text(size_t length) {
  static constexpr char kAlphabet[] = "abcdefghijklmnopqrstuvwxyz234567";
  std::string text;
  text.reserve(length);
  uint64_t bits = 0;
  for (size_t i = 0; i < length; ++i) {
    bits = i % 12 == 0 ? Next() : bits >> 5;
    text += kAlphabet[bits & 31];
  }
  return text;
}

}  // namespace tipstaff::engine
