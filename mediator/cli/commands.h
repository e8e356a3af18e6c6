// Every command adds itself to the program: its options, its help, and what it does.
#pragma once

namespace CLI {
class App;
}

namespace tipstaff::cli {

// `exit_code` is set by the command that ran.
void AddServe(CLI::App& program, int& exit_code);
void AddExec(CLI::App& program, int& exit_code);
void AddRun(CLI::App& program, int& exit_code);
void AddCall(CLI::App& program, int& exit_code);
void AddLog(CLI::App& program, int& exit_code);
void AddShow(CLI::App& program, int& exit_code);
void AddCheck(CLI::App& program, int& exit_code);
void AddTest(CLI::App& program, int& exit_code);

}  // namespace tipstaff::cli
