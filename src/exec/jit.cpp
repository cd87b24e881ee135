#include "exec/jit.hpp"

#include <span>
#include <vector>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "exec/executable_memory.hpp"
#include "exec/jit_body.hpp"
#include "exec/table.hpp"

namespace klingel::exec {
namespace {

// Owns the code and the table whose entries point into it.
class Compiled {
 public:
  // `begins`: offsets of the stages, then of the functions
  Compiled(std::span<const std::byte> code, std::span<const std::size_t> begins,
           const gen::Manifest& manifest)
      : memory_(code) {
    std::vector<Call> calls;  // without context: the code needs none
    for (const std::size_t begin : begins) {
      const auto address = reinterpret_cast<std::uintptr_t>(memory_.begin() + begin);
      calls.push_back({reinterpret_cast<klingel_call*>(address), nullptr});
    }
    const std::span<const Call> all(calls);
    const std::size_t stages = manifest.stages.size();
    table_ = std::make_unique<Table>(manifest, all.first(stages), all.subspan(stages));
  }

  const klingel_kernel& abi() const { return table_->abi(); }

 private:
  ExecutableMemory memory_;
  std::unique_ptr<Table> table_;
};

}  // namespace

std::string jit_refusal() { return MachineCode::refusal(); }

std::shared_ptr<const klingel_kernel> compile_in_memory(const gen::Program& program,
                                                        const gen::Manifest& manifest,
                                                        const gen::ScheduleOptions& options) {
  if (const std::string refusal = jit_refusal(); !refusal.empty()) base::fail("{}", refusal);
  const gen::Schedule schedule = gen::make_schedule(program, options);
  KLINGEL_ASSERT_EQ(schedule.workspace_size, manifest.workspace_size);

  MachineCode code(manifest.lanes);
  LineMaker lines(program, schedule);
  std::vector<std::size_t> begins;
  for (std::size_t s = 0; s < schedule.stages.size(); ++s)
    begins.push_back(compile_body(lines.stage(s), manifest.lanes, code));
  for (std::size_t f = 0; f < schedule.functions.size(); ++f)
    begins.push_back(compile_body(lines.function(f), manifest.lanes, code));

  const auto compiled = std::make_shared<const Compiled>(code.bytes(), begins, manifest);
  return {compiled, &compiled->abi()};
}

}  // namespace klingel::exec
