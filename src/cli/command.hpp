// The subcommands of the program. None of them includes CLI11, so that they compile fast; parse.cpp
// does.
#pragma once

#include <vector>

#include "command/command.hpp"

namespace klingel::cli {

using command::Argument;
using command::Command;
using command::ExitCode;
using command::Group;
using command::Names;

// All of them, in the order of the help.
std::vector<Command> commands();

Command assess_command();
Command bench_command();
Command channels_command();
Command check_command();
Command compare_command();
Command conicity_command();
Command contact_command();
Command creep_command();
Command curving_command();
Command estimate_command();
Command eval_command();
Command example_command();
Command export_command();
Command fmu_command();
Command growth_command();
Command help_command();
Command identify_command();
Command limit_cycles_command();
Command list_command();
Command manual_command();
Command modes_command();
Command ops_command();
Command paper_command();
Command profile_command();
Command realtime_command();
Command reduce_command();
Command report_command();
Command run_command();
Command spectrum_command();
Command study_command();
Command optimise_command();
Command track_command();
Command view_command();
Command wear_command();

}  // namespace klingel::cli
