#include "gen/table_text.hpp"

#include <fmt/format.h>

#include "base/number.hpp"
#include "kernel/abi.h"

namespace klingel::gen {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

// values joined into lines of about 96 characters
template <class List, class Print>
std::string wrapped(const List& list, Print print) {
  std::string text = "  ", line;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string item = print(list[i]) + (i + 1 < list.size() ? ", " : "");
    if (line.size() + item.size() > 94) {
      text += line.substr(0, line.size() - 1) + "\n  ";
      line.clear();
    }
    line += item;
  }
  return text + line;
}

std::string number(std::uint32_t n) { return std::to_string(n); }

template <class List, class Print>
std::string array(const std::string& declaration, const List& list, Print print) {
  return fmt::format("static const {}[] = {{\n{}}};\n", declaration, wrapped(list, print));
}

std::string wrapper(const TableCall& call) {
  std::string text = fmt::format(
      "static void call_{}(const void *context, const double *const *in, double *w, double *const "
      "*out) {{\n"
      "  (void)context, (void)in, (void)w, (void)out;\n",
      call.name);
  return text + fmt::format("  {}({});\n}}\n", call.name, call.arguments);
}

}  // namespace

std::string table_text(const Manifest& m, std::string_view hash,
                       const std::vector<TableCall>& calls) {
  std::string text = "/* the table */\n";
  for (const TableCall& call : calls) text += wrapper(call);

  std::string inputs;
  for (const Manifest::Input& in : m.inputs) {
    text += array("char *const names_" + in.name, in.names, quoted);
    text += array("double nominal_" + in.name, in.nominal, base::shortest);
    inputs += fmt::format("  {{{}, {}, {}, names_{}, nominal_{}}},\n", quoted(in.name),
                          in.names.size(), in.stage, in.name, in.name);
  }
  std::string stages;
  for (std::size_t s = 0; s < m.stages.size(); ++s) {
    stages += fmt::format("  {{{}, call_{}, 0, {:d}}},\n", quoted(m.stages[s].name), calls[s].name,
                          m.stages[s].rare);
  }
  std::string functions;
  for (std::size_t f = 0; f < m.functions.size(); ++f) {
    const Manifest::Function& function = m.functions[f];
    std::string outputs;
    for (const Manifest::Output& o : function.outputs) {
      std::string pattern = "0, 0";
      if (o.sparse) {
        const std::string id = function.name + "_" + o.name;
        text += array("uint32_t col_start_" + id, o.col_start, number);
        // an empty array is not C
        const std::vector<std::uint32_t> rows =
            o.row.empty() ? std::vector<std::uint32_t>{0} : o.row;
        text += array("uint32_t row_" + id, rows, number);
        pattern = fmt::format("col_start_{0}, row_{0}", id);
      }
      outputs += fmt::format("  {{{}, {}, {}, {}, {}}},\n", quoted(o.name), o.rows, o.cols, o.size,
                             pattern);
    }
    text += fmt::format("static const klingel_output outputs_{}[] = {{\n{}}};\n", function.name,
                        outputs);
    functions +=
        fmt::format("  {{{}, {}, {}, {}, outputs_{}, call_{}, 0, {:d}}},\n", quoted(function.name),
                    quoted(function.about), function.stage, function.outputs.size(), function.name,
                    calls[m.stages.size() + f].name, function.rare);
  }
  text += inputs.empty() ? ""
                         : fmt::format("static const klingel_input inputs[] = {{\n{}}};\n", inputs);
  text += fmt::format("static const klingel_stage stages[] = {{\n{}}};\n", stages);
  text += functions.empty()
              ? ""
              : fmt::format("static const klingel_function functions[] = {{\n{}}};\n", functions);
  text += fmt::format(
      "static const klingel_kernel kernel = {{\n  {}u, {}, {}, \"{}\",\n  {}, {}, {}, {}, {}, "
      "stages, {}}};\n\n"
      "const klingel_kernel *{}_kernel(void) {{ return &kernel; }}\n",
      KLINGEL_ABI, m.lanes, quoted(m.model), hash, m.workspace_size, m.inputs.size(),
      m.stages.size(), m.functions.size(), inputs.empty() ? "0" : "inputs",
      functions.empty() ? "0" : "functions", m.model);
  return text;
}

}  // namespace klingel::gen
