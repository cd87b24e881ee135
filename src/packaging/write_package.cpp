#include "packaging/write_package.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/number.hpp"
#include "base/version.hpp"
#include "packaging/package_texts.hpp"
#include "packaging/target_files.hpp"

namespace klingel::packaging {
namespace {

std::string table_header(const Parts& p) {
  return fmt::format(
      "/* Made by klingel {0}: the model '{1}' for klingel_model_create of klingel.h. */\n"
      "#ifndef {1}_PACKAGE_H\n#define {1}_PACKAGE_H\n\n#include \"klingel.h\"\n\n"
      "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n"
      "const klingel_package* {1}_package(void);\n\n"
      "#ifdef __cplusplus\n}}\n#endif\n\n#endif\n",
      base::version, p.name);
}

std::string table_source(const Parts& p, bool embed) {
  std::string text = fmt::format("/* Made by klingel {0}. */\n#include \"{1}_package.h\"\n",
                                 base::version, p.name);
  for (const std::string& m : p.kernel_models) text += fmt::format("#include \"{}.h\"\n", m);
  if (embed)
    text += fmt::format("\nextern const unsigned char {0}_data[];\nextern const size_t {0}_size;\n",
                        p.name);
  // tables of kernels are made by functions, so this one cannot be constant from the beginning
  text += fmt::format(
      "\nconst klingel_package* {0}_package(void) {{\n"
      "  static const klingel_kernel* kernels[{1}];\n"
      "  static klingel_package package;\n",
      p.name, p.kernel_models.size());
  for (std::size_t i = 0; i < p.kernel_models.size(); ++i)
    text += fmt::format("  kernels[{}] = {}_kernel();\n", i, p.kernel_models[i]);
  text += fmt::format(
      "  package.interface = KLINGEL_INTERFACE;\n  package.name = \"{0}\";\n"
      "  package.data = {1};\n  package.size = {2};\n"
      "  package.kernels = kernels;\n  package.n_kernels = {3};\n  return &package;\n}}\n",
      p.name, embed ? p.name + "_data" : "NULL", embed ? p.name + "_size" : "0",
      p.kernel_models.size());
  return text;
}

// The data as an array of bytes.
std::string data_source(const Parts& p) {
  std::string text = fmt::format(
      "/* Made by klingel {}: the data of the model. */\n#include <stddef.h>\n\n"
      "const unsigned char {}_data[] = {{\n",
      base::version, p.name);
  text.reserve(p.data.size() * 4 + 1000);
  for (std::size_t i = 0; i < p.data.size(); ++i) {
    text += std::to_string(static_cast<unsigned char>(p.data[i]));
    text += i % 24 == 23 ? ",\n" : ",";
  }
  return text + fmt::format("\n}};\nconst size_t {}_size = {};\n", p.name, p.data.size());
}

// Outputs that the self-test compares: motion and forces, no counters.
bool is_compared(const std::string& name) {
  for (const char* begin : {"q.", "dq.", "N.", "Nf.", "Q.", "Y.", "y_rel.", "u."})
    if (name.starts_with(begin)) return true;
  return false;
}

std::string hexadecimal(double x) { return std::isnan(x) ? "NAN" : fmt::format("{:a}", x); }

std::string selftest_data(const Parts& p, int steps) {
  const std::unique_ptr<capi::Runner> run = p.model->make();
  std::vector<std::size_t> chosen;
  const std::vector<capi::Variable>& outputs = p.model->of(capi::Kind::output);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (p.mechanism || p.model->whole_steps || is_compared(outputs[i].name)) chosen.push_back(i);
  constexpr int rows = 50;
  const int every = std::max(1, steps / rows);
  std::string numbers, given;
  int written = 0;
  run->start();
  for (int row = 0; row < rows && row * every < steps; ++row, ++written) {
    for (int k = 0; k < every; ++k) {
      for (std::size_t i = 0; i < p.given_inputs.size(); ++i) {
        const double x = p.given[static_cast<std::size_t>(row * every + k)][i];
        run->set_input(p.given_inputs[i], x);
        given += hexadecimal(x) + ",\n";
      }
      if (run->step(p.model->step) != runtime::Status::ok)
        base::fail("the run of the self-test fails: {}", run->failure());
    }
    for (const std::size_t i : chosen) numbers += hexadecimal(run->output(i)) + ",\n";
  }
  std::string text = fmt::format(
      "/* Made by klingel {}: outputs that were recorded when the package was made. */\n"
      "#define SELFTEST_ROWS {}\n#define SELFTEST_EVERY {}\n#define SELFTEST_OUTPUTS {}\n"
      "#define SELFTEST_INPUTS {}\n\nstatic const unsigned selftest_outputs[] = {{",
      base::version, written, every, chosen.size(), p.given_inputs.size());
  for (const std::size_t i : chosen) text += std::to_string(i) + ",";
  text += "};\nstatic const double selftest_values[] = {\n" + numbers + "};\n";
  if (p.given_inputs.empty()) return text;
  text +=
      "/* measurements: what inputs get before each step */\nstatic const unsigned "
      "selftest_inputs[] = {";
  for (const std::size_t i : p.given_inputs) text += std::to_string(i) + ",";
  return text + "};\nstatic const double selftest_given[] = {\n" + given + "};\n";
}

}  // namespace

std::vector<gen::File> model_files(const Parts& p, bool embed) {
  std::vector<gen::File> files = p.kernel_files;
  files.push_back({p.name + "_package.h", table_header(p)});
  files.push_back({p.name + "_package.c", table_source(p, embed)});
  if (embed) files.push_back({p.name + "_data.c", data_source(p)});
  return files;
}

std::vector<std::string> model_sources(const Parts& p, bool embed) {
  std::vector<std::string> sources = p.kernel_sources;
  sources.push_back(p.name + "_package.c");
  if (embed) sources.push_back(p.name + "_data.c");
  return sources;
}

std::vector<gen::File> package_files(const Parts& p, const PackageOptions& options) {
  const double most = std::round(p.model->duration / p.model->step);
  int steps = static_cast<int>(std::min<double>(options.selftest_steps, most));
  if (!p.given_inputs.empty()) steps = std::min(steps, static_cast<int>(p.given.size()));
  TargetFiles target = target_files(p.mechanism);
  std::vector<gen::File> files = std::move(target.files);
  for (gen::File& file : model_files(p, options.embed))
    files.push_back({"model/" + file.name, std::move(file.text)});
  if (!options.embed) files.push_back({"model/" + p.name + ".klingel", p.data});
  files.push_back({"selftest_data.h", selftest_data(p, steps)});
  files.push_back({"selftest.c", selftest_text(p, options.embed)});
  std::vector<std::string> sources = target.sources;
  for (const std::string& source : model_sources(p, options.embed))
    sources.push_back("model/" + source);
  files.push_back({"Makefile", makefile_text(p, sources)});
  files.push_back({"CMakeLists.txt", cmake_text(p, sources)});
  files.push_back({"README.md", readme_text(p, options.embed, steps)});
  return files;
}

}  // namespace klingel::packaging
