// Evaluating allocates nothing, with either back end: operator new is counted in this program.
#include <cstddef>
#include <cstdlib>
#include <new>

#include "tests/unit/exec/fixture.hpp"
#include "tests/unit/exec/models.hpp"

namespace {

thread_local std::size_t allocations = 0;

void* allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// the other forms of new and delete call these
void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace klingel::exec {
namespace {

class Allocation : public ExecTest {};

TEST_F(Allocation, does_not_happen_in_a_thousand_evaluations) {
  const Model model = random_model(8, 200);
  for (const Backend backend : {Backend::interpreter, Backend::cc}) {
    Evaluator evaluator(load(*model.program, options(backend)));
    std::vector<double> q(4, 0.5);
    const std::size_t before = allocations;
    for (int i = 0; i < 1000; ++i) {
      q[0] += 1e-3;
      evaluator.set("q", q);
      for (const char* function : {"first", "second", "sparse"}) evaluator.evaluate(function);
      q[1] += evaluator.output("second", "last").size();
    }
    EXPECT_EQ(allocations, before) << name(backend);
  }
}

TEST_F(Allocation, is_counted) {
  const std::size_t before = allocations;
  const auto number = std::make_unique<double>(1.0);
  EXPECT_EQ(allocations, before + 1);
}

}  // namespace
}  // namespace klingel::exec
