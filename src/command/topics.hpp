// Short texts of `klingel help TOPIC`: what a user needs at the keyboard, and which document says
// more.
#pragma once

#include <span>

namespace klingel::command {

struct Topic {
  const char* name;
  const char* title;
  const char* text;  // paragraphs; lines that begin with blanks stay as they are
};

std::span<const Topic> topics();

}  // namespace klingel::command
