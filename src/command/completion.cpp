#include "command/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "command/topics.hpp"

namespace klingel::command {
namespace {

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

// The argument of `klingel list`; empty if nothing is shipped.
std::string lists(Names names) {
  switch (names) {
    case Names::vehicle:
      return "vehicles";
    case Names::scenario:
      return "vehicles scenarios";
    case Names::estimate:
      return "estimates";
    case Names::model:
      return "vehicles scenarios estimates";
    case Names::track:
      return "tracks";
    case Names::profile:
      return "profiles";
    case Names::example:
      return "examples";
    default:
      return "";
  }
}

bool files_too(const Argument& a) {
  return a.its_names != Names::nothing && a.its_names != Names::example &&
         a.its_names != Names::topic;
}

std::vector<std::string> topic_words(std::span<const Command> commands) {
  std::vector<std::string> words;
  for (const Topic& t : topics()) words.emplace_back(t.name);
  for (const Command& c : commands) words.push_back(c.name);
  // a topic may have the name of a command
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

// Words known when the script is written.
std::vector<std::string> fixed_words(const Argument& a, std::span<const Command> commands) {
  return a.its_names == Names::topic ? topic_words(commands) : a.words;
}

const Argument* positional(const Command& command) {
  for (const Argument& a : command.arguments)
    if (a.is_positional()) return &a;
  return nullptr;
}

// bash: fills COMPREPLY with the possible values.
std::string bash_value(const Argument& a, std::span<const Command> commands) {
  const std::vector<std::string> words = fixed_words(a, commands);
  if (a.its_names == Names::folder) return "_klingel_files -d";
  if (!lists(a.its_names).empty())
    return fmt::format("_klingel_names {} {}", files_too(a) ? "yes" : "no", lists(a.its_names));
  if (a.its_names == Names::file) return "_klingel_files -f";
  if (!words.empty()) return fmt::format("_klingel_words '{}'", joined(words));
  return ":";
}

// zsh and single quotes: 'it'\''s'
std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'')
      result += "'\\''";
    else
      result += c;
  }
  return result + "'";
}

// zsh: the text in the brackets and after the colons of _arguments
std::string zsh_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_value(const Argument& a, std::span<const Command> commands) {
  const std::vector<std::string> words = fixed_words(a, commands);
  if (a.its_names == Names::folder) return "_files -/";
  if (a.its_names == Names::file) return "_files";
  // the blank keeps _arguments from adding arguments of its own
  if (!lists(a.its_names).empty())
    return fmt::format(" _klingel_names {} {}", files_too(a) ? "yes" : "no", lists(a.its_names));
  if (!words.empty()) return fmt::format("({})", joined(words));
  return " ";
}

std::string zsh_argument(const Argument& a, std::span<const Command> commands) {
  if (a.is_flag()) return in_quotes(fmt::format("{}[{}]", a.name, zsh_text(a.meaning)));
  const std::string value =
      fmt::format(":{}:{}", zsh_text(a.placeholder()), zsh_value(a, commands));
  if (a.is_positional()) return in_quotes(":" + value);
  return in_quotes(
      fmt::format("{}{}[{}]{}", a.is_repeatable ? "*" : "", a.name, zsh_text(a.meaning), value));
}

std::string fish_value(const Argument& a, std::span<const Command> commands) {
  const std::vector<std::string> words = fixed_words(a, commands);
  const char* files = files_too(a) ? " -F" : " -f";
  if (!lists(a.its_names).empty())
    return fmt::format("{} -a '(klingel list {} 2>/dev/null)'", files, lists(a.its_names));
  if (!words.empty()) return fmt::format(" -f -a '{}'", joined(words));
  return files;
}

// fish and single quotes: 'it\'s'
std::string fish_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

}  // namespace

std::string bash_completion(std::span<const Command> commands) {
  std::string names;
  for (const Command& c : commands) names += c.name + " ";
  std::string text = R"sh(# Completion of klingel for bash. Written by 'klingel manual'.
_klingel_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}
_klingel_files() {
  mapfile -t COMPREPLY < <(compgen "$1" -- "$cur")
  compopt -o filenames 2>/dev/null
}
# names of shipped data, and files if the first argument is yes
_klingel_names() {
  local files=$1
  shift
  mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" list "$@" 2>/dev/null)" -- "$cur")
  if [[ $files == yes ]]; then
    local -a found
    mapfile -t found < <(compgen -f -- "$cur")
    COMPREPLY+=("${found[@]}")
    compopt -o filenames 2>/dev/null
  fi
}
_klingel() {
  local cur=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
)sh";
  text += fmt::format("    _klingel_words '{}--help --version'\n    return\n  fi\n", names);
  text += "  case ${COMP_WORDS[1]} in\n";
  for (const Command& c : commands) {
    std::string options = "--help", values;
    for (const Argument& a : c.arguments) {
      if (a.is_positional()) continue;
      options += " " + a.name;
      if (!a.is_flag())
        values += fmt::format("        {}) {}; return ;;\n", a.name, bash_value(a, commands));
    }
    text += fmt::format("    {})\n", c.name);
    if (!values.empty()) text += "      case $previous in\n" + values + "      esac\n";
    const Argument* place = positional(c);
    text +=
        fmt::format("      if [[ $cur == -* ]]; then _klingel_words '{}'; else {}; fi\n      ;;\n",
                    options, place == nullptr ? ":" : bash_value(*place, commands));
  }
  return text + "  esac\n}\ncomplete -F _klingel klingel\n";
}

std::string zsh_completion(std::span<const Command> commands) {
  std::string text = R"sh(#compdef klingel
# Completion of klingel for zsh. Written by 'klingel manual'.
_klingel_names() {
  local files=$1
  shift
  compadd -- ${(f)"$(klingel list "$@" 2>/dev/null)"}
  [[ $files == yes ]] && _files
}
_klingel() {
  local -a commands
  commands=(
)sh";
  for (const Command& c : commands)
    text += fmt::format("    {}\n", in_quotes(fmt::format("{}:{}", c.name, zsh_text(c.title))));
  text += R"sh(  )
  if ((CURRENT == 2)); then
    _describe command commands
    _arguments '--help[Print help]' '--version[Print the version]'
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
)sh";
  for (const Command& c : commands) {
    text += fmt::format("    {})\n      _arguments '--help[Print help]'", c.name);
    for (const Argument& a : c.arguments) text += " \\\n        " + zsh_argument(a, commands);
    text += "\n      ;;\n";
  }
  return text + "  esac\n}\n_klingel \"$@\"\n";
}

std::string fish_completion(std::span<const Command> commands) {
  std::string text =
      "# Completion of klingel for fish. Written by 'klingel manual'.\n"
      "complete -c klingel -f\n"
      "complete -c klingel -n __fish_use_subcommand -l version -d 'Print the version'\n"
      "complete -c klingel -s h -l help -d 'Print help'\n";
  for (const Command& c : commands)
    text += fmt::format("complete -c klingel -n __fish_use_subcommand -a {} -d {}\n", c.name,
                        fish_quoted(c.title));
  for (const Command& c : commands) {
    for (const Argument& a : c.arguments) {
      text += fmt::format("complete -c klingel -n '__fish_seen_subcommand_from {}'", c.name);
      if (a.is_positional()) {
        text += fish_value(a, commands) + "\n";
        continue;
      }
      text += fmt::format(" -l {}", a.name.substr(2));
      if (!a.is_flag()) text += " -r" + fish_value(a, commands);
      text += fmt::format(" -d {}\n", fish_quoted(a.meaning));
    }
  }
  return text;
}

}  // namespace klingel::command
