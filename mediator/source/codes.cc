#include "mediator/source/codes.h"

namespace tipstaff::source {
namespace {

constexpr Explanation kExplanations[] = {
    {kSyntax, "not well-formed YAML",
     "The text cannot be read as YAML at the place shown. The usual causes are a missing quote or "
     "bracket, a line that is indented by another amount than its neighbours, and a `: ` or a "
     "leading special character inside a value that is not quoted."},
    {kEncoding, "a character that does not belong in the file",
     "Files are UTF-8 without a byte order mark. Control characters other than tab and the line "
     "ends LF and CRLF, invalid UTF-8, other Unicode line ends and characters that change the "
     "direction of text are refused, because what a reviewer sees would differ from what is read. "
     "Inside a double-quoted string write them as an escape such as \\u202e."},
    {kTooLarge, "the file is too large", "A file that users write may have 1 MiB."},
    {kEmptyFile, "the file is empty",
     "A file with no content would silently mean nothing. Remove it, or write what it is for."},
    {kSecondDocument, "something follows the document",
     "A file holds one document. Split the rest into a file of its own; a stray bracket or quote "
     "may also have ended the document early."},
    {kDirective, "a YAML directive",
     "Lines that begin with % change how YAML is read and are refused. Remove the line."},
    {kTab, "a tab in the indentation",
     "How far a tab indents is not defined. Indent with spaces. Tabs are allowed inside { } and "
     "[ ], inside quotes and in the text of a block scalar."},
    {kTooDeep, "nested too deeply", "Mappings and lists may nest 32 deep, as calls may."},
    {kDuplicateKey, "a key is given twice",
     "YAML readers disagree on whether the first or the last of two equal keys counts. In a policy "
     "that would be a way to hide a rule, so the second one is an error. Remove one of them."},
    {kKeyNotString, "a key that is not a simple string",
     "Keys are strings on one line, followed by a colon. Quote a key that reads as a number, true, "
     "false or null. The `? ` form and mappings or lists as keys are refused."},
    {kAnchorOrAlias, "an anchor or an alias",
     "&name and *name make one place of a file change another. Write the value out. To begin a "
     "plain string with & or *, quote it."},
    {kMergeKey, "a merge key", "<< takes in another mapping out of sight. Write the members out."},
    {kTag, "a tag",
     "!name changes the type of a value. Only the types of JSON exist here. To begin a plain "
     "string with !, quote it."},
    {kEmptyValue, "a missing value",
     "A key or a list item without a value reads as null in YAML, which is hardly ever what was "
     "meant. Write null or \"\"."},
    {kAmbiguous, "a word that YAML readers disagree on",
     "Unquoted yes, no, on, off, y, n, ~, Null, TRUE, 0x1F, 012, 1_000, +1, .5, 12:30 or "
     "2026-05-01 are a boolean, a number, a date or a string depending on who reads them. Quote "
     "the value to mean the text, or write it as JSON does: true, false, null, 31, 0.5."},
    {kNumberRange, "a number out of range",
     "Integers fit 64 bits and other numbers a double; anything else would be changed silently. "
     "Quote it to mean the text."},
    {kNul, "a NUL character in a string",
     "U+0000 ends strings early in many programs, so it is refused in keys and values, also when "
     "written as an escape."},
    {kPairInList, "a pair without braces inside a list",
     "[a: 1] means a list that holds a mapping. Write [{a: 1}] if that is meant, or {a: 1} for a "
     "mapping."},
    {kFolded, "a value that goes on in the next line",
     "An unquoted value goes on in the next line when that is indented further, so a list item or "
     "a key that is indented by one space too many silently becomes text; and readers disagree on "
     "the empty lines of a quoted one. Begin the value with `>-` to fold its lines or with `|` to "
     "keep them, or write \\n in double quotes."},
    {kUnreadable, "the file cannot be read",
     "It does not exist, is not a regular file, or may not be read by this user."},
};

}  // namespace

ExplanationTable YamlExplanations() { return kExplanations; }

}  // namespace tipstaff::source
