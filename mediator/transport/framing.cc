#include "mediator/transport/framing.h"

#include "absl/strings/str_cat.h"

namespace tipstaff::transport {
namespace {

uint32_t LoadLength(const char* bytes) {
  const auto* b = reinterpret_cast<const unsigned char*>(bytes);
  return b[0] | b[1] << 8 | b[2] << 16 | static_cast<uint32_t>(b[3]) << 24;
}

}  // namespace

void AppendFrame(absl::string_view message, std::string& out) {
  const uint32_t length = static_cast<uint32_t>(message.size());
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(length >> shift & 0xFF);
  out.append(message.data(), message.size());
}

void FrameReader::Add(absl::string_view bytes) {
  buffer_.erase(0, read_);
  read_ = 0;
  buffer_.append(bytes.data(), bytes.size());
}

absl::StatusOr<std::optional<absl::string_view>> FrameReader::Next() {
  if (pending() < kFrameHeaderBytes) return std::nullopt;
  const size_t length = LoadLength(buffer_.data() + read_);
  if (length > max_) {
    return absl::OutOfRangeError(
        absl::StrCat("a frame of ", length, " bytes; at most ", max_, " are allowed"));
  }
  if (pending() - kFrameHeaderBytes < length) return std::nullopt;
  const absl::string_view message(buffer_.data() + read_ + kFrameHeaderBytes, length);
  read_ += kFrameHeaderBytes + length;
  return message;
}

}  // namespace tipstaff::transport
