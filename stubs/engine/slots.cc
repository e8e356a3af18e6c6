#include "stubs/engine/slots.h"

#include "absl/strings/str_cat.h"
#include "mediator/base/status.h"
#include "mediator/json/builder.h"

namespace tipstaff::engine {
namespace {

constexpr absl::string_view kOpen = "${slot:";

class Filler {
 public:
  Filler(const SlotTexts& texts, std::set<std::string>& used) : texts_(texts), used_(used) {}

  absl::Status Write(json::Value value, json::Builder& builder) {
    if (value.is_string()) {
      TIPSTAFF_ASSIGN_OR_RETURN(const std::string text, Fill(value.string()));
      builder.String(text);
    } else if (value.is_array()) {
      builder.StartArray();
      for (json::Value item : value.items()) TIPSTAFF_RETURN_IF_ERROR(Write(item, builder));
      builder.EndArray();
    } else if (value.is_object()) {
      builder.StartObject();
      for (const json::Member& member : value.members()) {
        builder.Key(member.key);
        TIPSTAFF_RETURN_IF_ERROR(Write(member.value, builder));
      }
      builder.EndObject();
    } else {
      builder.Copy(value);
    }
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<std::string> Fill(absl::string_view text) {
    std::string filled;
    for (;;) {
      const size_t open = text.find(kOpen);
      absl::StrAppend(&filled, text.substr(0, open));
      if (open == absl::string_view::npos) return filled;
      text.remove_prefix(open + kOpen.size());
      const size_t close = text.find('}');
      if (close == absl::string_view::npos) {
        return absl::InvalidArgumentError("`${slot:` without a closing brace");
      }
      const std::string name(text.substr(0, close));
      const auto slot = texts_.find(name);
      if (slot == texts_.end()) return absl::NotFoundError(name);
      used_.insert(name);
      filled += slot->second;
      text.remove_prefix(close + 1);
    }
  }

  const SlotTexts& texts_;
  std::set<std::string>& used_;
};

}  // namespace

absl::StatusOr<json::Document> FillSlots(json::Value row, const SlotTexts& texts,
                                         std::set<std::string>& used) {
  json::Builder builder;
  TIPSTAFF_RETURN_IF_ERROR(Filler(texts, used).Write(row, builder));
  return std::move(builder).Build();
}

}  // namespace tipstaff::engine
