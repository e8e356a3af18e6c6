#include "tests/differential/world.h"

namespace tipstaff::differential {

const std::vector<WorldTool>& WorldTools() {
  using call::Effect;
  using call::Kind;
  static const auto* tools =
      new std::vector<WorldTool>{{"m", "get", Effect::kRead},
                                 {"m", "put", Effect::kWrite},
                                 {"m", "send", Effect::kWrite},
                                 {"m", "delete_all", Effect::kWrite},
                                 {"m", "look", Effect::kRead},
                                 {"t", "read", Effect::kRead},
                                 {"t", "note", Effect::kWrite},
                                 {"t", "submit", Effect::kFinalize},
                                 {"t", "delete_one", Effect::kWrite},
                                 {"t", "idle", Effect::kRead},
                                 {"m", "get", Effect::kRead, Kind::kResource},
                                 {"m", "page", Effect::kRead, Kind::kResource},
                                 {"t", "delete_one", Effect::kRead, Kind::kResource},
                                 {"m", "get", Effect::kRead, Kind::kPrompt},
                                 {"t", "tell", Effect::kRead, Kind::kPrompt}};
  return *tools;
}

const policy::Catalog& WorldCatalog() {
  static const auto* catalog = [] {
    auto* made = new policy::FakeCatalog();
    for (const WorldTool& tool : WorldTools()) {
      made->Add({policy::BackendRef::Kind::kStub, tool.alias + "-stub"},
                call::Tool{.name = tool.name,
                           .kind = tool.kind,
                           .effect = tool.effect,
                           .input_schema = json::MustParse(R"({"type":"object"})")});
    }
    return made;
  }();
  return *catalog;
}

const std::vector<WorldBinding>& WorldBindings() {
  static const auto* bindings = new std::vector<WorldBinding>{
      {"id", R"({"type":"string"})", {R"("rep_a")", R"("rep_b")", R"("$x")", R"("d@a.example")"}},
      {"people",
       R"({"type":"array","items":{"type":"string"},"default":["d@a.example"]})",
       {R"(["d@a.example","e@b.example"])", R"(["E@B.Example","rep_a"])", "[]",
        R"(["1@a.example","2@a.example","3@a.example","4@a.example","5@a.example","6@a.example","7@a.example","8@a.example","9@a.example","rep_b"])"}},
      {"domains",
       R"({"type":"array","items":{"type":"string"},"default":["*.a.example"]})",
       {R"(["a.example","*.b.example"])", R"(["no domain","B.example"])"}},
      {"number", R"({"type":"number","default":3})", {"3", "1.5", "9007199254740993"}},
      {"thing",
       R"({"type":"object","default":{"a":1,"b":["x"]}})",
       {R"({"b":["x"],"a":1})", R"({"a":[]})", "{}"}},
      {"numbers", R"({"type":"array","default":[1,2.5,"x"]})", {R"([1,2.5,"x"])", "[3]"}},
      // For `url`: also what can be no entry.
      {"hosts",
       R"({"type":"array","items":{"type":"string"},"default":["A.example"]})",
       {R"(["a.example","*.B.example"])",
        R"(["https://a.example","*.example","127.0.0.1","a.example/w/"])",
        R"(["127.1","a.example:8443","*.x.b.example","b.example"])", "[]"}},
      {"site",
       R"({"type":"string","default":"a.example"})",
       {R"("a.example")", R"("*.b.example")", R"("http")", R"("")", R"("*.example")"}},
      {"paths",
       R"({"type":"array","items":{"type":"string"},"default":["/w/"]})",
       {R"(["/docs","/w/x","/"])", R"(["","w/","/w/../","/w/[x]"])", "[]"}},
      {"port",
       R"({"type":"integer","default":443})",
       {"443", "8443", "8443.0", "80", "65979", "0", "-65093"}},
      {"ports", R"({"type":"array","default":[8443]})", {R"([443,8443,21])", R"(["443",443.5])"}},
      {"schemes",
       R"({"type":"array","items":{"type":"string"},"default":["https"]})",
       {R"(["HTTPS","http","ftp"])", R"(["https://",""])", "[]"}}};
  return *bindings;
}

}  // namespace tipstaff::differential
