#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "mediator/source/codes.h"
#include "mediator/source/document.h"
#include "mediator/source/encoding.h"
#include "mediator/source/read.h"
#include "mediator/source/tree_reader.h"

namespace tipstaff::source {
namespace {

// Thrown through yaml-cpp, which has no other way to end early.
struct Stop {};

class Events final : public YAML::EventHandler {
 public:
  explicit Events(TreeReader& reader) : reader_(reader) {}

  void OnDocumentStart(const YAML::Mark& mark) override { Go(reader_.StartDocument(At(mark))); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { Go(reader_.Null(At(mark))); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { Go(reader_.Alias(At(mark))); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                const std::string& value) override {
    Go(reader_.Scalar(At(mark), value));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    Go(reader_.Start(At(mark), json::Kind::kArray));
  }
  void OnSequenceEnd() override { Go(reader_.End()); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    Go(reader_.Start(At(mark), json::Kind::kObject));
  }
  void OnMapEnd() override { Go(reader_.End()); }

  // yaml-cpp counts bytes; -1 means nowhere.
  static size_t At(const YAML::Mark& mark) {
    return mark.pos < 0 ? 0 : static_cast<size_t>(mark.pos);
  }

 private:
  static void Go(bool on) {
    if (!on) throw Stop{};
  }
  TreeReader& reader_;
};

void ReadEvents(const std::string& text, TreeReader& reader) {
  std::istringstream stream(text);
  try {
    YAML::Parser parser(stream);
    Events events(reader);
    // A second document is refused by the reader.
    while (parser.HandleNextDocument(events)) {
    }
  } catch (const Stop&) {
    // The reader has said why.
  } catch (const YAML::Exception& error) {
    reader.SyntaxError(std::min(Events::At(error.mark), text.size()), error.msg);
  } catch (const std::exception& error) {
    reader.SyntaxError(0, error.what());
  }
}

// yaml-cpp obeys or drops lines that begin with `%`, also after the document, without an event. No
// value can have such a line: block scalars are indented.
bool RefuseDirective(const std::shared_ptr<const File>& file, const Lines& lines,
                     Diagnostics& diagnostics) {
  for (int line = 1; line <= lines.count(); ++line) {
    if (!absl::StartsWith(lines.Line(line), "%")) continue;
    const size_t start = lines.StartOf(line);
    diagnostics.push_back({.code = kDirective,
                           .message = "directives are not supported",
                           .file = file,
                           .span = lines.SpanOf(start, start + lines.Line(line).size()),
                           .label = "remove the line, or indent it if it belongs to a text"});
    return true;
  }
  return false;
}

}  // namespace

std::optional<Document> ParseYaml(std::shared_ptr<const File> file, Diagnostics& diagnostics) {
  if (file->text.size() > kMaxFileBytes) {
    diagnostics.push_back(
        {.code = kTooLarge,
         .message = absl::StrCat("the file has ", file->text.size(), " bytes, more than the ",
                                 kMaxFileBytes, " that are read"),
         .file = file});
    return std::nullopt;
  }
  if (!CheckEncoding(file, diagnostics)) return std::nullopt;
  const std::string text = absl::StrReplaceAll(file->text, {{"\r\n", "\n"}});
  const Lines lines(text);
  if (RefuseDirective(file, lines, diagnostics)) return std::nullopt;
  TreeReader reader(file, text, lines);
  ReadEvents(text, reader);
  return std::move(reader).Finish(diagnostics);
}

}  // namespace tipstaff::source
