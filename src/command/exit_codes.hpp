// Exit codes of the program. Scripts rely on these numbers; they do not change.
#pragma once

namespace klingel::command {

enum class ExitCode : int {
  fine = 0,             // success
  internal = 1,         // our mistake: please report
  input = 2,            // the arguments or a file cannot be used; the message says where and why
  numeric_failure = 3,  // the input was fine, the computation did not succeed
  // a run that was stopped, as shells number signals; its results so far are written
  interrupted = 130,  // SIGINT, Ctrl-C
  terminated = 143,   // SIGTERM
};

}  // namespace klingel::command
