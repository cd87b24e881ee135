#include "command/man_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/version.hpp"
#include "command/help_text.hpp"
#include "command/topics.hpp"

namespace klingel::command {
namespace {

// Text as roff prints it unchanged. A line that begins with a dot or an apostrophe would be a
// request.
std::string roff(std::string_view text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (c == '\'')
      result += "\\(aq";
    else
      result += c;
    line_begins = c == '\n';
  }
  return result;
}

std::string heading(const std::string& name) {
  std::string upper = name;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format(".TH {} 1 \"\" \"klingel {}\" \"Klingel manual\"\n", roff(upper),
                     base::version);
}

std::string item(const std::string& term, const std::string& meaning) {
  return fmt::format(".TP\n.B {}\n{}\n", roff(term), roff(meaning));
}

// "\fB--speed\fR \fINUMBER\fR"
std::string item(const Argument& a) {
  std::string term = a.is_positional() ? "" : fmt::format("\\fB{}\\fR", roff(a.name));
  if (!a.is_flag())
    term += fmt::format("{}\\fI{}\\fR", term.empty() ? "" : " ", roff(a.placeholder()));
  return fmt::format(".TP\n{}\n{}.\n", term, roff(a.description()));
}

// Lines that begin with blanks stay as they are; others are filled.
std::string paragraphs(std::string_view text) {
  std::string result;
  bool plain = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.empty()) {
      if (!plain) result += ".PP\n";
    } else {
      const bool indented = line.front() == ' ';
      if (indented && !plain) result += ".nf\n";
      if (!indented && plain) result += ".fi\n.PP\n";
      plain = indented;
      result += roff(line) + "\n";
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return plain ? result + ".fi\n" : result;
}

}  // namespace

std::string man_page(std::span<const Command> commands) {
  std::string text = heading("klingel");
  text += ".SH NAME\nklingel \\- simulate railway vehicles\n";
  text += ".SH SYNOPSIS\n.B klingel\n.I COMMAND\n[\\fIOPTIONS\\fR]\n";
  text +=
      ".SH DESCRIPTION\nKlingel turns the description of a railway vehicle into equations, the "
      "equations into fast code,\nand runs it over a track. Each command has its own page.\n";
  for (const Group group : groups) {
    text += fmt::format(".SS {}\n", roff(title(group)));
    for (const Command& c : commands)
      if (c.group == group) text += item(fmt::format("klingel-{}(1)", c.name), c.title + ".");
  }
  text += ".SH OPTIONS\n" + item("-h, --help", "Print help and exit.");
  text += item("--version", "Print the version and exit.");
  for (const Topic& t : topics()) {
    text += std::string_view(t.name) == "exit-codes" ? ".SH EXIT STATUS\n"
                                                     : fmt::format(".SH {}\n", roff(t.title));
    text += paragraphs(t.text);
  }
  return text;
}

std::string man_page(const Command& command) {
  const std::string name = "klingel-" + command.name;
  std::string text = heading(name);
  text += fmt::format(".SH NAME\n{} \\- {}\n", roff(name), roff(command.title));
  text += fmt::format(".SH SYNOPSIS\n{}\n", roff(usage(command)));
  text += fmt::format(".SH DESCRIPTION\n{}.\n{}", roff(command.title),
                      command.about.empty() ? "" : roff(command.about) + "\n");
  std::string arguments, options;
  for (const Argument& a : command.arguments) (a.is_positional() ? arguments : options) += item(a);
  if (!arguments.empty()) text += ".SH ARGUMENTS\n" + arguments;
  text += ".SH OPTIONS\n" + options + item("-h, --help", "Print help and exit.");
  if (!command.examples.empty()) {
    text += ".SH EXAMPLES\n.nf\n";
    for (const std::string& e : command.examples) text += roff(e) + "\n";
    text += ".fi\n";
  }
  return text + ".SH SEE ALSO\n.BR klingel (1)\n";
}

}  // namespace klingel::command
