// The built page, as bytes in the program. The assembler reads the file, which costs the compiler
// nothing. Without KLINGEL_PAGE_FILE (src/CMakeLists.txt) there is none.
#include "report/page.hpp"

#ifdef KLINGEL_PAGE_FILE
asm(".section .rodata\n"
    ".global klingel_page_begin\n"
    ".global klingel_page_end\n"
    "klingel_page_begin:\n"
    ".incbin \"" KLINGEL_PAGE_FILE
    "\"\n"
    "klingel_page_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" const char klingel_page_begin, klingel_page_end;
#endif

namespace klingel::report {

std::string_view page_template() {
#ifdef KLINGEL_PAGE_FILE
  return {&klingel_page_begin, static_cast<std::size_t>(&klingel_page_end - &klingel_page_begin)};
#else
  return {};
#endif
}

}  // namespace klingel::report
