// Every command adds itself to the program: its options, its help, and what it does.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tipstaff::cli {

// `exit_code` is set by the command that ran.
void AddServe(CLI::App& program, int& exit_code);
// `to_run` is what stands behind `--` on the command line.
void AddExec(CLI::App& program, const std::vector<std::string>& to_run, int& exit_code);
void AddRun(CLI::App& program, int& exit_code);
void AddCall(CLI::App& program, int& exit_code);
// `queue`, `approve` and `deny`.
void AddApproval(CLI::App& program, int& exit_code);
void AddLog(CLI::App& program, int& exit_code);
void AddShow(CLI::App& program, int& exit_code);
void AddWhy(CLI::App& program, int& exit_code);
void AddVerify(CLI::App& program, int& exit_code);
void AddCheckpoint(CLI::App& program, int& exit_code);
void AddKeys(CLI::App& program, int& exit_code);
void AddCheck(CLI::App& program, int& exit_code);
void AddTest(CLI::App& program, int& exit_code);
void AddInit(CLI::App& program, int& exit_code);
void AddStub(CLI::App& program, int& exit_code);
// Of `stub`:
void AddStubNew(CLI::App& stub, int& exit_code);
void AddStubDev(CLI::App& stub, int& exit_code);
void AddStubCall(CLI::App& stub, int& exit_code);
void AddStubTest(CLI::App& stub, int& exit_code);
void AddStubRecord(CLI::App& stub, int& exit_code);
void AddStubExport(CLI::App& stub, int& exit_code);
void AddUpstream(CLI::App& program, int& exit_code);
// Of `upstream`:
void AddUpstreamList(CLI::App& upstream, int& exit_code);
void AddUpstreamPin(CLI::App& upstream, int& exit_code);
void AddUpstreamDiff(CLI::App& upstream, int& exit_code);
void AddUpstreamApprove(CLI::App& upstream, int& exit_code);
void AddConnect(CLI::App& program, int& exit_code);
void AddDoctor(CLI::App& program, int& exit_code);

}  // namespace tipstaff::cli
