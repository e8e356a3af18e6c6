#include "mediator/ledger/record_hash.h"

#include <sodium.h>

namespace tipstaff::ledger {
namespace {

// Including the terminating zero byte.
constexpr char kDomain[] = "tipstaff-ledger-record-v1";

class Hasher {
 public:
  Hasher() { crypto_generichash_init(&state_, nullptr, 0, sizeof(base::Digest)); }

  void Add(const void* bytes, size_t size) {
    crypto_generichash_update(&state_, static_cast<const unsigned char*>(bytes), size);
  }
  void Add(const base::Digest& digest) { Add(digest.data(), digest.size()); }
  template <int kBytes>
  void AddInteger(uint64_t value) {
    unsigned char bytes[kBytes];
    for (int i = 0; i < kBytes; ++i) bytes[i] = value >> (8 * (kBytes - 1 - i));
    Add(bytes, kBytes);
  }
  base::Digest Finish() {
    base::Digest digest;
    crypto_generichash_final(&state_, digest.data(), digest.size());
    return digest;
  }

 private:
  crypto_generichash_state state_;
};

}  // namespace

base::Digest RecordHash(const base::Digest& previous, absl::string_view run, uint64_t seq,
                        const call::Record& record) {
  Hasher hasher;
  hasher.Add(kDomain, sizeof kDomain);
  hasher.Add(previous);
  hasher.AddInteger<4>(run.size());
  hasher.Add(run.data(), run.size());
  hasher.AddInteger<8>(seq);
  hasher.AddInteger<1>(static_cast<uint64_t>(record.kind));
  hasher.AddInteger<8>(static_cast<uint64_t>(absl::ToUnixMicros(record.time)));
  hasher.AddInteger<8>(record.body.size());
  hasher.Add(record.body.data(), record.body.size());
  hasher.AddInteger<1>(record.payload.empty() ? 0 : 1);
  if (!record.payload.empty()) {
    hasher.Add(record.payload_digest ? *record.payload_digest : base::DigestOf(record.payload));
  }
  return hasher.Finish();
}

}  // namespace tipstaff::ledger
