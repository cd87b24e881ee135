#include "cli/command.hpp"

namespace klingel::cli {

std::vector<Command> commands() {
  return {run_command(),     study_command(),    optimise_command(),     estimate_command(),
          view_command(),    report_command(),   assess_command(),       spectrum_command(),
          wear_command(),    compare_command(),  check_command(),        channels_command(),
          modes_command(),   curving_command(),  limit_cycles_command(), export_command(),
          fmu_command(),     realtime_command(), track_command(),        profile_command(),
          contact_command(), conicity_command(), creep_command(),        example_command(),
          eval_command(),    ops_command(),      reduce_command(),       identify_command(),
          bench_command(),   growth_command(),   paper_command(),        help_command(),
          list_command(),    manual_command()};
}

}  // namespace klingel::cli
