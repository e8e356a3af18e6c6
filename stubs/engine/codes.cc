#include "stubs/engine/codes.h"

namespace tipstaff::engine {
namespace {

constexpr source::Explanation kExplanations[] = {
    {kFileCode, "a file of the stub cannot be used",
     "A stub is a folder with stub.yaml and the files that it names: scripts (*.lua) beside it, "
     "schemas below schema/, rows below fixtures/ (.yaml, .yml, .json or .csv) and canned "
     "answers below replies/. Paths are "
     "relative to the folder, without "
     "`..`. Symbolic links are not followed."},
    {kUnknownKeyCode, "an unknown key",
     "A key that nothing reads would be a promise that nobody keeps, so it is refused. The message "
     "names the key that was probably meant, or those that there are."},
    {kTypeCode, "a value of the wrong type",
     "The message says which type is expected. Quote a value to make it text."},
    {kMissingKeyCode, "a key is missing", "Add the key that the message names."},
    {kValueCode, "a value that cannot be used",
     "The type is right and the value is not: a name with other characters than letters, digits "
     "and _, a time that is not RFC 3339, a number out of its range."},
    {kTwiceCode, "a name is used twice",
     "Tools, and rows of one table, are told apart by their names. Rename or remove one."},
    {kSchemaCode, "a schema that does not compile",
     "`input` and `output` are JSON Schemas (2020-12) of objects, inline or as the path of a file. "
     "The message says which keyword is wrong."},
    {kUnknownNameCode, "a name that stands for nothing",
     "A table, id, tool, argument or comparison is named that the stub does not declare."},
    {kReferenceCode, "a reference that cannot be followed",
     "In templates a text that begins with `$` refers: $args.NAME to an argument of the call, "
     "$bindings.NAME to a binding of the run, $id.NAME to the next id, $now to the virtual time; "
     "in a "
     "`result` also $row and its like to what the action gave. "
     "Write $$ for a plain dollar at the start."},
    {kActionCode, "what a tool does is not clear",
     "Each tool has exactly one of select, insert, update, delete, transition, replies and lua. "
     "`result` says what the tool answers with, beside any of them but replies and lua."},
    {kEffectCode, "the effect contradicts the action",
     "`effect: read` is a promise that nothing changes: it decides that the tool may be called "
     "after a run's result was submitted. A tool that inserts, updates or deletes is `write` or "
     "`finalize`. A table with `capture: true` keeps what was done, so that its rows cannot be "
     "updated or deleted."},
    {kRowCode, "a fixture's row that cannot be used",
     "A fixture is a sequence of mappings; each has text in the table's key column, different from "
     "that of every other row, and passes the table's `columns` where it has them. A table with "
     "`capture: true` starts empty."},
    {kSlotCode, "a slot is unknown or unused",
     "`${slot:NAME}` inside a text of a fixture is replaced by planted text; NAME is declared "
     "under `slots`, and each declared slot occurs in some fixture."},
    {kScriptCode, "a script that cannot be run",
     "A script is Lua 5.4 and returns a function of (ctx, args). It is compiled, and run as far as "
     "that return, when the stub is loaded; ctx is not there yet at that moment."},
    {kFaultCode, "a fault that does nothing or contradicts itself",
     "A fault has one of `error`, `malformed`, `truncated` and `timeout`, or a `delay`, or both. "
     "`progress` spreads reports over the delay and needs one; `message` goes with `error`; "
     "`malformed` does not pass the tool's `output`."},
    {kUnusedCode, "a file that nothing names",
     "Runs pin every file of a stub, so one that nothing reads only makes digests change. Remove "
     "it or name it in stub.yaml."},
    {kUncheckedCode, "a part of a schema that is not checked",
     "This version does not check that keyword: calls are accepted that the schema refuses. A "
     "script can check it, or the schema can be written with other keywords."},
    {kColumnCode, "a column that no row of the fixture has",
     "A condition on such a column holds for no row of the fixture. If rows get it later, add it "
     "to the fixture's rows, with null where they have none."},
    {kColumnsCode, "columns that contradict themselves or a value written for them",
     "`columns` of a table lists all of its columns, each with a JSON Schema (2020-12) of what it "
     "holds; the key column is one of them and holds text. `required` lists those that every row "
     "has, beside the key. Rows that stub.yaml writes have listed columns only, and values that "
     "pass."},
    {kDataCode, "a JSON or CSV file that cannot be read",
     "Files are read by their ending: .json strictly as RFC 8259 has it, without duplicate keys; "
     ".csv as RFC 4180 has it: commas between cells, the first line names the columns, each row "
     "has "
     "as many cells, and a cell that holds a comma, a quote or a line end is quoted, with \"\" for "
     "a quote inside. The message says what is wrong, and where."},
    {kReplyCode, "a canned reply that cannot be given",
     "`replies` of a tool are a list of {args, result} and {args, error, message}, in stub.yaml or "
     "a "
     "file below replies/. `args` are compared with the arguments of a call, with the defaults of "
     "`input`; replies with equal `args` are given in order, and the last one repeats. A result "
     "passes the tool's `output`."},
    {kStateCode, "a state that no row comes to",
     "A `transition` takes a row to `to` where `allowed` of its present state lists it. A state "
     "that "
     "no fixture has and nothing leads to is probably misspelt."},
};

}  // namespace

source::ExplanationTable StubExplanations() { return kExplanations; }

}  // namespace tipstaff::engine
