// Builds a Document piece by piece.
//
//   json::Builder b;
//   b.StartObject();
//   b.Key("id").String("msg_0001");
//   b.Key("tags").StartArray().String("a").EndArray();
//   b.EndObject();
//   json::Document document = *std::move(b).Build();
//
// A mistake (a duplicate key, a value where a key is due, nesting too deep) makes every later call
// do nothing; Build() then returns it. Each call converts to bool: false after a mistake.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/json/document.h"

namespace tipstaff::json {

class Builder {
 public:
  explicit Builder(int max_depth = 32);

  Builder& Null();
  Builder& Bool(bool value);
  Builder& Integer(int64_t value);
  Builder& Unsigned(uint64_t value);
  // Not finite is a mistake; an integer in the range of 64 bits becomes one.
  Builder& Double(double value);
  Builder& String(absl::string_view value);
  Builder& StartArray();
  Builder& EndArray();
  Builder& StartObject();
  Builder& EndObject();
  Builder& Key(absl::string_view key);
  // A deep copy of a value of any document.
  Builder& Copy(Value value);

  // Key() and a value in one.
  Builder& Field(absl::string_view key, absl::string_view value) { return Key(key).String(value); }
  Builder& Field(absl::string_view key, const char* value) { return Key(key).String(value); }
  Builder& Field(absl::string_view key, const std::string& value) { return Key(key).String(value); }
  Builder& Field(absl::string_view key, bool value) { return Key(key).Bool(value); }
  Builder& Field(absl::string_view key, int64_t value) { return Key(key).Integer(value); }
  Builder& Field(absl::string_view key, uint64_t value) { return Key(key).Unsigned(value); }
  Builder& Field(absl::string_view key, int value) { return Key(key).Integer(value); }
  Builder& Field(absl::string_view key, uint32_t value) { return Key(key).Unsigned(value); }
  Builder& Field(absl::string_view key, Value value) { return Key(key).Copy(value); }

  operator bool() const { return problem_.empty(); }
  absl::string_view problem() const { return problem_; }

  // InvalidArgument after a mistake or when something is still open.
  absl::StatusOr<Document> Build() &&;

 private:
  struct Open {
    uint32_t node;
    uint32_t last_child;  // 0: none yet
  };

  internal::Node* Add(Kind kind);
  Builder& Start(Kind kind);
  Builder& End(Kind kind);
  void Fail(absl::string_view problem);
  bool HasDuplicateKey(const internal::Node& object) const;

  int max_depth_;
  std::unique_ptr<internal::Tree> tree_;
  std::vector<Open> open_;
  bool has_key_ = false;
  uint32_t key_offset_ = 0;
  uint32_t key_size_ = 0;
  std::string problem_;
};

}  // namespace tipstaff::json
