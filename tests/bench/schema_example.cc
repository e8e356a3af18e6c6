#include "tests/bench/schema_example.h"

#include <algorithm>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "mediator/json/builder.h"

namespace tipstaff::bench {
namespace {

class Examples {
 public:
  Examples(json::Value root, bool all, size_t text_bytes)
      : root_(root), all_(all), text_bytes_(text_bytes) {}

  json::Document Build() {
    Write(root_, 0);
    return std::move(builder_).Build().value_or(json::Document());
  }

 private:
  static constexpr int kMaxDepth = 12;

  json::Value Resolve(json::Value schema) const {
    for (int hops = 0; hops < kMaxDepth; ++hops) {
      const json::Value reference = schema.Find("$ref");
      if (!reference.is_string()) break;
      absl::string_view pointer = reference.string();
      if (!absl::ConsumePrefix(&pointer, "#")) break;
      json::Value at = root_;
      for (const absl::string_view token : absl::StrSplit(pointer, '/', absl::SkipEmpty())) {
        at = at.Find(token);
      }
      schema = at;
    }
    for (const char* branches : {"anyOf", "oneOf", "allOf"}) {
      if (const json::Value list = schema.Find(branches); list.size() > 0) {
        return schema.Find("type").exists() ? schema : Resolve(list.At(0));
      }
    }
    return schema;
  }

  static std::string TypeOf(json::Value schema) {
    const json::Value type = schema.Find("type");
    if (type.is_array() && type.size() > 0) return std::string(type.At(0).string());
    if (type.is_string()) return std::string(type.string());
    return schema.Find("properties").exists() ? "object" : "string";
  }

  void Write(json::Value unresolved, int depth) {
    const json::Value schema = Resolve(unresolved);
    if (const json::Value one = schema.Find("const"); one.exists()) {
      builder_.Copy(one);
    } else if (const json::Value any = schema.Find("enum"); any.size() > 0) {
      builder_.Copy(any.At(any.size() - 1));
    } else {
      WriteType(TypeOf(schema), schema, depth);
    }
  }

  void WriteType(const std::string& type, json::Value schema, int depth) {
    if (type == "object") {
      WriteObject(schema, depth);
    } else if (type == "array") {
      builder_.StartArray();
      const int64_t least = schema.IntegerOr("minItems", 0);
      const int64_t most = schema.IntegerOr("maxItems", 3);
      const int64_t count = depth < kMaxDepth ? std::clamp<int64_t>(all_ ? 2 : 1, least, most) : 0;
      for (int64_t i = 0; i < count; ++i) Write(schema.Find("items"), depth + 1);
      builder_.EndArray();
    } else if (type == "integer" || type == "number") {
      builder_.Integer(std::clamp<int64_t>(7, schema.IntegerOr("minimum", 0),
                                           schema.IntegerOr("maximum", 1000)));
    } else if (type == "boolean") {
      builder_.Bool(true);
    } else if (type == "null") {
      builder_.Null();
    } else {
      const int64_t most = schema.IntegerOr("maxLength", static_cast<int64_t>(text_bytes_));
      const size_t bytes = std::min<size_t>(text_bytes_, static_cast<size_t>(most));
      std::string text = "notes of the second week of May: all is well. ";
      while (text.size() < bytes) text += text;
      builder_.String(absl::string_view(text).substr(0, bytes));
    }
  }

  void WriteObject(json::Value schema, int depth) {
    builder_.StartObject();
    const json::Value required = schema.Find("required");
    for (const json::Member& member : schema.Find("properties").members()) {
      bool wanted = all_ && depth < 4;
      for (json::Value name : required.items()) wanted = wanted || name.string() == member.key;
      if (!wanted || depth >= kMaxDepth) continue;
      builder_.Key(member.key);
      Write(member.value, depth + 1);
    }
    builder_.EndObject();
  }

  const json::Value root_;
  const bool all_;
  const size_t text_bytes_;
  json::Builder builder_;
};

}  // namespace

json::Document ExampleOf(json::Value schema, bool all, size_t text_bytes) {
  return Examples(schema, all, text_bytes).Build();
}

}  // namespace tipstaff::bench
