#include "mediator/json/builder.h"
#include "mediator/json/write.h"
#include "mediator/source/diagnostic.h"
#include "mediator/source/printable.h"

namespace tipstaff::source {

std::string RenderJson(absl::Span<const Diagnostic> diagnostics) {
  json::Builder builder;
  builder.StartArray();
  for (const Diagnostic& diagnostic : diagnostics) {
    builder.StartObject()
        .Field("code", diagnostic.code)
        .Field("severity", SeverityName(diagnostic.severity))
        .Field("message", Printable(diagnostic.message));
    builder.Key("file");
    diagnostic.file ? builder.String(Printable(diagnostic.file->path)) : builder.Null();
    builder.Field("line", diagnostic.span.line)
        .Field("column", diagnostic.span.column)
        .Field("length", diagnostic.span.line > 0 ? diagnostic.span.length : 0)
        .Field("label", Printable(diagnostic.label));
    builder.Key("notes").StartArray();
    for (const std::string& note : diagnostic.notes) builder.String(Printable(note));
    builder.EndArray().EndObject();
  }
  builder.EndArray();
  absl::StatusOr<json::Document> document = std::move(builder).Build();
  return document.ok() ? json::Dump(document->root()) : "[]";
}

}  // namespace tipstaff::source
