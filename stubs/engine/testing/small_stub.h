// Stubs that tests write down in a few lines.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "mediator/json/parse.h"
#include "stubs/engine/stub.h"

namespace tipstaff::engine {

// Null when the stub does not load; `text`, where given, is what the diagnostics say.
inline std::shared_ptr<const Stub> LoadSmallStub(std::map<std::string, std::string> files,
                                                 std::string* text = nullptr) {
  source::Diagnostics diagnostics;
  std::shared_ptr<const Stub> stub = Stub::Load({"small", std::move(files)}, diagnostics);
  if (text != nullptr) *text = source::RenderText(diagnostics);
  if (text == nullptr && stub == nullptr) ADD_FAILURE() << source::RenderText(diagnostics);
  return stub;
}

// Ends the test program when the stub does not load, as there is nothing to go on with.
inline std::unique_ptr<State> MakeState(std::shared_ptr<const Stub> stub, std::string seed = "s",
                                        const char* bindings = "{}",
                                        std::string backend = "small") {
  return State::Create(std::move(stub),
                       {std::move(seed), std::move(backend), json::MustParse(bindings)})
      .value();
}

// A stub with one writing tool `run` that a script handles, and a table `things`.
inline std::shared_ptr<const Stub> ScriptStub(const std::string& script,
                                              std::string* text = nullptr) {
  constexpr char kYaml[] = R"(
stub: small
description: One script.
clock: {start: "2026-05-01T09:00:00Z", per_call: 1s}
ids: {thing: "thing_{seq:03}", chance: "c_{rand:8}"}
tables: {things: {key: id}, kept: {key: id, capture: true}}
fixtures: {things: fixtures/things.yaml}
tools:
  - {name: run, effect: write, input: {type: object}, lua: run.lua}
)";
  constexpr char kThings[] = R"([{"id":"a","n":1,"tags":["x","y"]},{"id":"b","n":2,"tags":[]}])";
  return LoadSmallStub(
      {{"stub.yaml", kYaml}, {"run.lua", script}, {"fixtures/things.yaml", kThings}}, text);
}

inline Reply RunBody(const std::string& body, const char* arguments = "{}") {
  return MakeState(ScriptStub("return function(ctx, args)\n" + body + "\nend"))
      ->Call(1, "run", json::MustParse(arguments));
}

}  // namespace tipstaff::engine
