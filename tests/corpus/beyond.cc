#include "tests/corpus/beyond.h"

#include "absl/strings/match.h"

namespace tipstaff::corpus {
namespace {

struct Reason {
  absl::string_view code, why;
  absl::string_view message = "";  // a part of it, where the code alone is about other things too
};

constexpr Reason kReasons[] = {
    // Skills. What refers to another part of the file, or to another file:
    {"P006", "entries of a list are told apart by one of their members"},
    {"P011", "a default is judged by the schema beside it"},
    {"P016", "names of bindings are the file's own"},
    {"P031", "which backends there are is not in the file"},
    {"P032", "aliases are the file's own"},
    {"P033", "which tools a backend offers is not in the file"},
    {"P040", "a tool's effect is not in the file"},
    {"P041", "a tool's effect is not in the file"},
    {"P042", "a tool's effect is not in the file"},
    {"P043", "a tool's effect is not in the file"},
    {"P050", "whether an argument is bound to `scope` takes three places of the file"},
    {"P051", "whether an argument is bound to `scope` takes three places of the file"},
    {"P052", "names of bindings are the file's own"},
    {"P060", "ids are the file's own"},
    {"P061", "a circle is in all permissions together"},
    // What takes more than a schema's keywords to see:
    {"P014", "references within a schema are its own", "leads nowhere"},
    {"P014", "the type of a binding is said elsewhere in the file", "is not an array"},
    {"P014", "the type of a binding is said elsewhere in the file", ", and `"},
    {"P014", "names of hosts are judged by IDNA's tables", "is not a domain"},
    {"P015", "a pattern's text is not judged by a pattern"},
    {"P017", "literals may be texts that begin with a dollar, unless they name a binding"},
    {"P018", "numbers of two members are compared"},
    {"P019", "what a keyword applies to hangs on another one's value"},
    {"P072",
     "whether a call finalizes is not in the file; schemas are the same wherever they stand"},
    {"P083", "what a deny rule may ask for hangs on the keywords around it"},
    {"P086", "which arguments a tool takes is not in the file"},
    {"P087", "nor what it takes where one is left out"},
    {"P096", "words of an expectation go together in some ways only"},
    // Configurations:
    {"C004", "names of people are the file's own", "nobody in `people`"},
    {"C004", "a person's keys are the file's own", "has no `key`"},
    {"C004", "how long it is takes arithmetic", "`timeout`"},
    // Stubs:
    {"S006", "entries of a list are told apart by one of their members"},
    {"S007", "a tool's own schema may be of two drafts, whose meta-schemas are not repeated"},
    {"S008", "tables, ids and slots are the file's own"},
    {"S009", "which parts of a result there are hangs on the action beside it",
     "refers to something"},
    {"S010", "keys of an action go together in some ways only"},
    {"S012", "which column is a table's key is said elsewhere in the file"},
    {"S013", "slots are named in fixtures, which are other files"},
    {"S015", "a tool's `output` is said elsewhere in the file", "the `output` of tool"},
    {"S015", "a tool's `output` is said elsewhere in the file", "an `output` of tool"},
    {"S019", "which columns a table has, and what they hold, is said elsewhere in the file"},
    {"S021", "blocks of content have members of every kind", "no CallToolResult"},
    {"S021", "whether a result passes the `output` beside it takes its schema", "`output`"},
    {"S022", "which states lead to which is a matter of several members", "leads to"},
};

}  // namespace

absl::string_view BeyondSchema(const source::Diagnostic& error) {
  for (const Reason& reason : kReasons) {
    if (reason.code == error.code && absl::StrContains(error.message, reason.message)) {
      return reason.why;
    }
  }
  return "";
}

}  // namespace tipstaff::corpus
