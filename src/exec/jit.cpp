#include "exec/jit.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "exec/equal_atoms.hpp"
#include "exec/executable_memory.hpp"
#include "exec/jit_body.hpp"
#include "exec/repeated_units.hpp"
#include "exec/table.hpp"

namespace klingel::exec {
namespace {

// A body of a train: parts one after the other, some of them for each unit.
struct UnitLoop {
  // Arrays that repeated code may have; a body that needs more is not repeated.
  static constexpr std::size_t most_arrays = 32;

  struct Array {
    bool workspace;
    std::uint32_t number;
    std::vector<std::size_t> shift;  // doubles, by unit
  };
  struct Part {
    klingel_call* code;
    bool repeated;
    std::vector<Array> inputs, outputs;
  };
  std::vector<Part> parts;
  std::size_t units = 0, first = 0, stride = 0;  // of the workspace, doubles

  static void run(const void* context, const double* const* in, double* w, double* const* out) {
    const UnitLoop& loop = *static_cast<const UnitLoop*>(context);
    for (const Part& part : loop.parts) {
      if (!part.repeated) {
        part.code(nullptr, in, w, out);
        continue;
      }
      std::array<const double*, most_arrays> inputs;
      std::array<double*, most_arrays> outputs;
      for (std::size_t unit = 0; unit < loop.units; ++unit) {
        for (std::size_t i = 0; i < part.inputs.size(); ++i) {
          const Array& a = part.inputs[i];
          inputs[i] = (a.workspace ? w : in[a.number]) + a.shift[unit];
        }
        for (std::size_t i = 0; i < part.outputs.size(); ++i)
          outputs[i] = out[part.outputs[i].number] + part.outputs[i].shift[unit];
        part.code(nullptr, inputs.data(), w + loop.first + unit * loop.stride, outputs.data());
      }
    }
  }
};

// Owns the code and the table whose entries point into it.
class Compiled {
 public:
  // `begins`: offsets of the stages, then of the functions
  Compiled(std::span<const std::byte> code, std::span<const std::size_t> begins,
           const gen::Manifest& manifest)
      : memory_(code) {
    std::vector<Call> calls;  // without context: the code needs none
    for (const std::size_t begin : begins) calls.push_back({address(begin), nullptr});
    make_table(manifest, calls);
  }
  // `begins`: offsets of the parts, by body
  Compiled(std::span<const std::byte> code, std::vector<UnitLoop> loops,
           const std::vector<std::vector<std::size_t>>& begins, const gen::Manifest& manifest)
      : memory_(code), loops_(std::move(loops)) {
    std::vector<Call> calls;
    for (std::size_t b = 0; b < loops_.size(); ++b) {
      std::vector<UnitLoop::Part>& parts = loops_[b].parts;
      for (std::size_t k = 0; k < parts.size(); ++k) parts[k].code = address(begins[b][k]);
      if (parts.size() == 1 && !parts[0].repeated)
        calls.push_back({parts[0].code, nullptr});
      else
        calls.push_back({&UnitLoop::run, &loops_[b]});
    }
    make_table(manifest, calls);
  }

  const klingel_kernel& abi() const { return table_->abi(); }

 private:
  klingel_call* address(std::size_t begin) const {
    return reinterpret_cast<klingel_call*>(
        reinterpret_cast<std::uintptr_t>(memory_.begin() + begin));
  }
  void make_table(const gen::Manifest& manifest, std::span<const Call> calls) {
    const std::size_t stages = manifest.stages.size();
    table_ = std::make_unique<Table>(manifest, calls.first(stages), calls.subspan(stages));
  }

  ExecutableMemory memory_;
  std::vector<UnitLoop> loops_;
  std::unique_ptr<Table> table_;
};

UnitLoop::Array scaled(const RepeatedUnits::Array& array, std::size_t lanes) {
  UnitLoop::Array a{array.of == RepeatedUnits::Array::Of::workspace, array.array, {}};
  for (const std::uint32_t shift : array.shift) a.shift.push_back(shift * lanes);
  return a;
}

// Null if there are too many arrays.
std::shared_ptr<const klingel_kernel> compile_units(const gen::Program& program,
                                                    const RepeatedUnits& units,
                                                    gen::Manifest manifest) {
  manifest.workspace_size = units.segments().workspace_size;
  MachineCode code(manifest.lanes);
  LineMaker lines = LineMaker::of_segments(program, units.segments(),
                                           manifest.lanes == 1 ? &units.rows() : nullptr);
  lines.rows_of_inputs = false;  // each may be in another place for another unit
  std::vector<UnitLoop> loops;
  std::vector<std::vector<std::size_t>> begins;
  const std::size_t stages = manifest.stages.size();
  for (std::size_t b = 0; b < units.parts().size(); ++b) {
    UnitLoop loop{{},
                  units.count(),
                  units.first_slot() * std::size_t{manifest.lanes},
                  units.unit_slots() * std::size_t{manifest.lanes}};
    std::vector<std::size_t>& begin = begins.emplace_back();
    for (const RepeatedUnits::Part& part : units.parts()[b]) {
      Line line = lines.stage(part.segment);
      UnitLoop::Part compiled{nullptr, part.repeated, {}, {}};
      if (part.repeated) {
        RepeatedUnits::Unit unit = units.unit(std::move(line), b);
        if (std::max(unit.inputs.size(), unit.outputs.size()) > UnitLoop::most_arrays)
          return nullptr;
        for (const auto& a : unit.inputs) compiled.inputs.push_back(scaled(a, manifest.lanes));
        for (const auto& a : unit.outputs) compiled.outputs.push_back(scaled(a, manifest.lanes));
        line = std::move(unit.line);
      } else if (b >= stages && loop.parts.empty()) {
        line.dense = lines.dense_outputs(b - stages);
      }
      begin.push_back(compile_body(line, manifest.lanes, code));
      loop.parts.push_back(std::move(compiled));
    }
    loops.push_back(std::move(loop));
  }
  const auto compiled =
      std::make_shared<const Compiled>(code.bytes(), std::move(loops), begins, manifest);
  return {compiled, &compiled->abi()};
}

// Every body by itself.
std::shared_ptr<const klingel_kernel> compile_bodies(LineMaker lines, const gen::Schedule& schedule,
                                                     const gen::Manifest& manifest) {
  MachineCode code(manifest.lanes);
  std::vector<std::size_t> begins;
  for (std::size_t s = 0; s < schedule.stages.size(); ++s)
    begins.push_back(compile_body(lines.stage(s), manifest.lanes, code));
  for (std::size_t f = 0; f < schedule.functions.size(); ++f)
    begins.push_back(compile_body(lines.function(f), manifest.lanes, code));
  const auto compiled = std::make_shared<const Compiled>(code.bytes(), begins, manifest);
  return {compiled, &compiled->abi()};
}

// Equal atoms of different parts side by side.
std::shared_ptr<const klingel_kernel> compile_rows(const gen::Program& program,
                                                   const EqualAtoms& rows, gen::Manifest manifest) {
  const gen::Schedule schedule = rows.with_slots_of_rows();
  manifest.workspace_size = schedule.workspace_size;
  return compile_bodies(LineMaker::of_segments(program, schedule, &rows), schedule, manifest);
}

}  // namespace

std::string jit_refusal() { return MachineCode::refusal(); }

std::shared_ptr<const klingel_kernel> compile_in_memory(const gen::Program& program,
                                                        const gen::Manifest& manifest,
                                                        const gen::ScheduleOptions& options) {
  if (const std::string refusal = jit_refusal(); !refusal.empty()) base::fail("{}", refusal);
  const gen::Schedule schedule = gen::make_schedule(program, options);
  KLINGEL_ASSERT_EQ(schedule.workspace_size, manifest.workspace_size);

  if (const RepeatedUnits units(program, schedule); units.count() > 0)
    if (auto kernel = compile_units(program, units, manifest)) return kernel;
  if (manifest.lanes == 1)
    if (const EqualAtoms rows(program, schedule); !rows.rows().empty())
      return compile_rows(program, rows, manifest);
  return compile_bodies(LineMaker(program, schedule), schedule, manifest);
}

}  // namespace klingel::exec
