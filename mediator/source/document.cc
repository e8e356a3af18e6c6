#include "mediator/source/document.h"

namespace tipstaff::source {

Span Document::SpanOf(json::Value value) const {
  return value.exists() && value.index() < values_.size() ? values_[value.index()] : Span{};
}

Span Document::KeySpanOf(json::Value value) const {
  return value.exists() && value.index() < keys_.size() ? keys_[value.index()] : Span{};
}

Diagnostic Document::At(json::Value value, std::string code, std::string message) const {
  return {
      .code = std::move(code), .message = std::move(message), .file = file_, .span = SpanOf(value)};
}

Diagnostic Document::AtKey(json::Value value, std::string code, std::string message) const {
  Diagnostic diagnostic = At(value, std::move(code), std::move(message));
  if (const Span key = KeySpanOf(value); key.line > 0) diagnostic.span = key;
  return diagnostic;
}

}  // namespace tipstaff::source
