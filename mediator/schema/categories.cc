#include "mediator/schema/categories.h"

#include "absl/strings/strip.h"

namespace tipstaff::schema::internal {
namespace {

// PropertyValueAliases.txt of Unicode: short name, long name, and the alias of some.
constexpr struct {
  absl::string_view name, words, alias;
} kCategories[] = {
    {"L", "Letter", ""},
    {"Lu", "Uppercase_Letter", ""},
    {"Ll", "Lowercase_Letter", ""},
    {"Lt", "Titlecase_Letter", ""},
    {"Lm", "Modifier_Letter", ""},
    {"Lo", "Other_Letter", ""},
    {"M", "Mark", "Combining_Mark"},
    {"Mn", "Nonspacing_Mark", ""},
    {"Mc", "Spacing_Mark", ""},
    {"Me", "Enclosing_Mark", ""},
    {"N", "Number", ""},
    {"Nd", "Decimal_Number", "digit"},
    {"Nl", "Letter_Number", ""},
    {"No", "Other_Number", ""},
    {"P", "Punctuation", "punct"},
    {"Pc", "Connector_Punctuation", ""},
    {"Pd", "Dash_Punctuation", ""},
    {"Ps", "Open_Punctuation", ""},
    {"Pe", "Close_Punctuation", ""},
    {"Pi", "Initial_Punctuation", ""},
    {"Pf", "Final_Punctuation", ""},
    {"Po", "Other_Punctuation", ""},
    {"S", "Symbol", ""},
    {"Sm", "Math_Symbol", ""},
    {"Sc", "Currency_Symbol", ""},
    {"Sk", "Modifier_Symbol", ""},
    {"So", "Other_Symbol", ""},
    {"Z", "Separator", ""},
    {"Zs", "Space_Separator", ""},
    {"Zl", "Line_Separator", ""},
    {"Zp", "Paragraph_Separator", ""},
    {"Cc", "Control", "cntrl"},
    {"Cf", "Format", ""},
    {"Co", "Private_Use", ""},
};

}  // namespace

absl::string_view FindCategory(absl::string_view name) {
  if (!absl::ConsumePrefix(&name, "General_Category=")) absl::ConsumePrefix(&name, "gc=");
  if (name.empty()) return "";
  for (const auto& category : kCategories) {
    if (name == category.name || name == category.words || name == category.alias) {
      return category.name;
    }
  }
  return "";
}

}  // namespace tipstaff::schema::internal
