// While one of these lives, results below the smallest normal number (2e-308) are zero in this
// thread. Processors take a hundred times as long for such numbers, and forces that fade away leave
// them in every product.
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace klingel::base {

#if defined(__SSE2__)
class FlushSubnormals {
 public:
  FlushSubnormals() : before_(_mm_getcsr()) { _mm_setcsr(before_ | zero); }
  ~FlushSubnormals() { _mm_setcsr(before_); }
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

 private:
  static constexpr unsigned zero = 0x8040;  // results and operands
  unsigned before_;
};
#else
// nothing is lost without it but time
struct FlushSubnormals {
  FlushSubnormals() {}
  ~FlushSubnormals() {}
};
#endif

}  // namespace klingel::base
