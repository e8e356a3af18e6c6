// A YAML file in the strict subset, as a JSON document with the place of every value.
#pragma once

#include <memory>
#include <optional>

#include "mediator/json/document.h"
#include "mediator/source/diagnostic.h"

namespace tipstaff::source {

class Document {
 public:
  Document() = default;
  Document(std::shared_ptr<const File> file, json::Document json, std::vector<Span> values,
           std::vector<Span> keys)
      : file_(std::move(file)),
        json_(std::move(json)),
        values_(std::move(values)),
        keys_(std::move(keys)) {}

  const std::shared_ptr<const File>& file() const { return file_; }
  json::Value root() const { return json_.root(); }
  const json::Document& json() const { return json_; }

  // Where a value of this document stands, and where its key does (line 0 for what has none).
  // A missing value stands for the whole file.
  Span SpanOf(json::Value value) const;
  Span KeySpanOf(json::Value value) const;

  // A diagnostic at a value or at its key.
  Diagnostic At(json::Value value, std::string code, std::string message) const;
  Diagnostic AtKey(json::Value value, std::string code, std::string message) const;

 private:
  std::shared_ptr<const File> file_;
  json::Document json_;
  std::vector<Span> values_, keys_;  // by json::Value::index()
};

// Parses one YAML document in the strict subset: mappings, sequences and scalars; plain scalars
// read as JSON's do (null, true, false, numbers in JSON's grammar), everything else plain is a
// string; quoted and block scalars are strings. Refused with a diagnostic each (codes.h): syntax
// errors, duplicate keys, anchors, aliases, merge keys, tags, directives, several documents, keys
// that are no strings on one line, values that are left out, plain scalars that other YAML readers
// take for something else (yes, no, on, off, ~, Null, 0x1F, 1_000, 012, .5, dates: quote them),
// plain and quoted scalars over several lines (use `>-` or `|`), tabs as indentation, nesting over
// json::kMaxDepth, numbers out of range, NUL, invalid UTF-8, control and text-direction characters.
// A JSON file is accepted as YAML, unless it has \u escapes of surrogates. An empty file is an
// error. Of a block scalar, a block mapping or list, or a flow one over several lines the span is
// what stands on its first line. Returns nothing when any error was added; at most 20 are.
std::optional<Document> ParseYaml(std::shared_ptr<const File> file, Diagnostics& diagnostics);

}  // namespace tipstaff::source
