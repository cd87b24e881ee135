#include "report/markup.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace klingel::report {

double text_width(std::string_view words) {
  constexpr double letter = 7.2;  // mean width of a 12 px sans-serif letter
  // bytes that continue a UTF-8 character have no width
  return letter * static_cast<double>(std::count_if(words.begin(), words.end(), [](char c) {
           return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
         }));
}

std::string svg_document(double width, double height, std::string_view elements) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 "
      "0 {0:.0f} {1:.0f}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" "
      "font-size=\"12\" fill=\"#222222\">\n"
      "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#fdfdfb\"/>\n{2}</svg>\n",
      width, height, elements);
}

}  // namespace klingel::report
