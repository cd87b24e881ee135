#include "gen/emit_c.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/number.hpp"
#include "base/version.hpp"
#include "gen/emitted_headers.hpp"
#include "gen/print_chunk.hpp"
#include "gen/program_hash.hpp"
#include "gen/self_test.hpp"
#include "gen/table_text.hpp"
#include "kernel/abi.h"

namespace klingel::gen {
namespace {

std::string count_text(const sym::Count& c) {
  std::string text;
  const auto part = [&text](std::size_t n, const char* what) {
    if (n != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, what);
  };
  part(c.add, "add");
  part(c.mul, "mul");
  part(c.div, "div");
  part(c.neg, "neg");
  part(c.sqrt, "sqrt");
  part(c.trig, "trig");
  part(c.other, "other");
  return text.empty() ? "none" : fmt::format("{} ({} atoms)", text, c.atoms);
}

// operations that C does not have, defined as in the interpreter: NaN is passed on
std::string helper_text(sym::Op op) {
  switch (op) {
    case sym::Op::sign:
      return "static inline double klingel_sign(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; "
             "}\n";
    case sym::Op::min:
      return "static inline double klingel_min(double x, double y) { return x < y || x != x ? x : "
             "y; }\n";
    default:
      return "static inline double klingel_max(double x, double y) { return x > y || x != x ? x : "
             "y; }\n";
  }
}

class Emitter {
 public:
  Emitter(const Program& program, const EmitOptions& options)
      : program_(program),
        options_(options),
        schedule_(make_schedule(program, options.schedule)),
        manifest_(make_manifest(program, schedule_, options.lanes)) {
    if (options.lanes != 1 && options.lanes != 4 && options.lanes != 8) {
      base::fail("kernels of '{}' on {} lanes: there are kernels on 1, 4 or 8 lanes",
                 program.model(), options.lanes);
    }
    std::size_t total = 0;
    for (const Body& b : schedule_.stages) total += b.count.total();
    for (const Body& b : schedule_.functions) total += b.count.total();
    one_file_ = total <= options.file_operations;
    manifest_.hash = program_hash(program, schedule_, manifest_);
  }

  const Manifest& manifest() const { return manifest_; }

  Emitted run() {
    Emitted result;
    emit(result);
    result.files.push_back({program_.model() + "_selftest.c",
                            banner() + self_test_text(program_, manifest_, schedule_.fused)});
    result.files.push_back({program_.model() + "_manifest.json", to_json(manifest_)});
    return result;
  }

 private:
  // What a library is compiled from.
  void emit(Emitted& result) {
    for (const Body& b : schedule_.stages) emit_body(b, nullptr);
    for (std::size_t f = 0; f < schedule_.functions.size(); ++f)
      emit_body(schedule_.functions[f], &program_.functions()[f]);
    close_file();
    const std::string& model = program_.model();
    const auto add = [&](const std::string& name, std::string text) {
      result.files.push_back({name, std::move(text)});
    };
    add("klingel_kernel.h", abi_text);
    if (uses_trig_) add("klingel_trig.h", trig_text);
    if (on_lanes()) add("klingel_lanes.h", lanes_text);
    add(model + ".h", header());
    // the table is in the first file
    const std::string tables = "\n" + table_text(manifest_, manifest_.hash, calls_);
    for (std::size_t k = 0; k < sources_.size(); ++k) {
      result.sources.push_back(k == 0 ? model + ".c" : fmt::format("{}_{}.c", model, k));
      result.files.push_back(
          {result.sources.back(), banner() + sources_[k] + (k == 0 ? tables : "")});
      sources_[k] = {};
    }
    result.manifest = manifest_;
  }

  // one C function: name, arguments, body
  struct Arguments {
    std::set<std::uint32_t> inputs, outputs;
    bool workspace = false;

    void include(const ChunkText& c) {
      inputs.insert(c.inputs.begin(), c.inputs.end());
      outputs.insert(c.outputs.begin(), c.outputs.end());
      workspace = workspace || c.workspace;
    }
  };

  bool on_lanes() const { return options_.lanes > 1; }

  std::string banner() const {
    const std::string lanes = on_lanes() ? fmt::format(", {} lanes", options_.lanes) : "";
    return fmt::format(
        "/* klingel {}, kernel abi {}, model {}{}, sha256 {}\n * Made by klingel from symbolic "
        "equations: do not edit. */\n",
        base::version, KLINGEL_ABI, program_.model(), lanes, manifest_.hash);
  }

  std::string parameters(const Arguments& a, const std::vector<sym::Output>& outputs,
                         bool restricted) const {
    const char* star = restricted ? "*restrict " : "*";
    std::string text;
    const auto add = [&](const char* type, const std::string& name) {
      text += fmt::format("{}{}{}{}", text.empty() ? "" : ", ", type, star, name);
    };
    const char* type = on_lanes() ? "klingel_element " : "double ";
    const std::string constant = std::string("const ") + type;
    for (const std::uint32_t i : a.inputs) add(constant.c_str(), program_.inputs()[i].name);
    if (a.workspace) add(type, "w");
    for (const std::uint32_t o : a.outputs) add(type, outputs[o].name);
    return text.empty() ? "void" : text;
  }

  std::string values(const Arguments& a, const std::vector<sym::Output>& outputs,
                     bool from_table) const {
    std::string text;
    const auto add = [&](const std::string& name) { text += (text.empty() ? "" : ", ") + name; };
    // the table has pointers to double
    const bool casts = from_table && on_lanes();
    const char* to_constant = casts ? "(const klingel_element *)" : "";
    const char* to_variable = casts ? "(klingel_element *)" : "";
    for (const std::uint32_t i : a.inputs)
      add(to_constant + (from_table ? fmt::format("in[{}]", i) : program_.inputs()[i].name));
    if (a.workspace) add(to_variable + std::string("w"));
    for (const std::uint32_t o : a.outputs)
      add(to_variable + (from_table ? fmt::format("out[{}]", o) : outputs[o].name));
    return text;
  }

  // the comment above the code
  std::string comment(const Body& body, const sym::Function* f, const Arguments& a) const {
    std::string text =
        f == nullptr
            ? fmt::format(
                  "/* stage {}: atoms shared by several functions or kept for later stages\n",
                  body.name)
            : fmt::format("/* {}{}{}\n", f->name, f->about.empty() ? "" : ": ", f->about);
    for (const std::uint32_t i : a.inputs) {
      const Manifest::Input& in = manifest_.inputs[i];
      text += fmt::format(" * in : {}[{}] =", in.name, in.names.size());
      constexpr std::size_t most = 12;
      for (std::size_t k = 0; k < in.names.size() && k < most; ++k) text += " " + in.names[k];
      text += in.names.size() > most ? " ...\n" : "\n";
    }
    if (f != nullptr) {
      text += fmt::format(" * needs stage {}\n", program_.stages()[body.stage]);
      for (const sym::Output& o : f->outputs) {
        text +=
            fmt::format(" * out: {}[{}], {} x {} {}\n", o.name, o.size(), o.matrix.rows(),
                        o.matrix.cols(), o.sparse ? "sparse, nonzeros by columns" : "column major");
      }
    }
    return text + fmt::format(" * ops: {} */\n", count_text(body.count));
  }

  // outputs that have zeros, which no atom writes
  std::string zeros(const sym::Function* f, Arguments& a) {
    if (f == nullptr) return {};
    std::string text;
    for (std::uint32_t k = 0; k < f->outputs.size(); ++k) {
      const sym::Output& o = f->outputs[k];
      if (o.size() == o.matrix.entries().size()) continue;
      a.outputs.insert(k);
      text += fmt::format("  memset({0}, 0, {1} * sizeof *{0});\n", o.name, o.size());
      uses_memset_ = true;
    }
    return text;
  }

  void emit_body(const Body& body, const sym::Function* f) {
    const std::vector<sym::Output> none;
    const std::vector<sym::Output>& outputs = f == nullptr ? none : f->outputs;
    const std::string name = program_.model() + (f == nullptr ? "_stage_" : "_") + body.name;

    Arguments all;
    std::vector<ChunkText> chunks;
    for (const Chunk& c : body.chunks) {
      chunks.push_back(print_chunk(program_, schedule_, c, outputs,
                                   {options_.inline_operations, options_.lanes}));
      all.include(chunks.back());
    }
    const bool whole = chunks.size() == 1;
    std::string inside;
    std::string prototypes;
    for (std::size_t k = 0; k < chunks.size(); ++k) {
      if (whole) {
        make_room(chunks[k].operations);
        helpers_.insert(chunks[k].helpers.begin(), chunks[k].helpers.end());
        inside += chunks[k].statements;
        break;
      }
      Arguments own;
      own.include(chunks[k]);
      const std::string piece = fmt::format("{}_{}", name, k);
      const std::string signature =
          fmt::format("void {}({})", piece, parameters(own, outputs, true));
      inside += fmt::format("  {}({});\n", piece, values(own, outputs, false));
      if (!one_file_) prototypes += signature + ";\n";
      make_room(chunks[k].operations);
      helpers_.insert(chunks[k].helpers.begin(), chunks[k].helpers.end());
      text_ +=
          fmt::format("\n/* {}, part {} of {} */\n{}{} {{\n{}}}\n", body.name, k + 1, chunks.size(),
                      one_file_ ? "static " : "", signature, chunks[k].statements);
    }
    inside = zeros(f, all) + inside;
    const std::string signature = parameters(all, outputs, true);
    text_ += fmt::format("\n{}{}void {}({}) {{\n{}}}\n", prototypes, comment(body, f, all), name,
                         signature, inside);

    header_ += fmt::format("void {}({});\n", name, parameters(all, outputs, false));
    calls_.push_back({name, values(all, outputs, true)});
  }

  // starts a new file when the current one is full
  void make_room(std::size_t operations) {
    if (!one_file_ && in_file_ > 0 && in_file_ + operations > options_.file_operations)
      close_file();
    in_file_ += operations;
  }

  void close_file() {
    std::string top = fmt::format("#include \"{}.h\"\n\n#include <math.h>\n", program_.model());
    if (uses_memset_) top += "#include <string.h>\n";
    if (helpers_.erase(sym::Op::sin) + helpers_.erase(sym::Op::cos) > 0) {
      top += "\n#include \"klingel_trig.h\"\n";
      uses_trig_ = true;
    }
    // helpers on lanes are in their header
    if (on_lanes()) helpers_.clear();
    if (!helpers_.empty()) top += "\n";
    for (const sym::Op op : helpers_) top += helper_text(op);
    top += text_;
    sources_.push_back(std::move(top));
    text_.clear();
    helpers_.clear();
    uses_memset_ = false;
    in_file_ = 0;
  }

  std::string header() const {
    const std::string& m = program_.model();
    std::string text = banner();
    text += fmt::format(
        "#ifndef KLINGEL_MODEL_{0}_H\n#define KLINGEL_MODEL_{0}_H\n\n#include "
        "\"klingel_kernel.h\"\n\n",
        m);
    if (on_lanes()) {
      text += fmt::format(
          "/* Every element is {0} consecutive doubles, one for each of {0} states. */\n"
          "#define KLINGEL_LANES {0}\n{1}#include \"klingel_lanes.h\"\n\n",
          options_.lanes, uses_trig_ ? "#include \"klingel_trig.h\"\n" : "");
    }
    text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    text +=
        "/* The order of calls: stages in the order below, then the functions you need.\n"
        " * A stage is called again when one of its inputs, or an earlier stage, changed. */\n";
    text += fmt::format("enum {{ {}_workspace_size = {} }};\n\n{}\n", m, schedule_.workspace_size,
                        header_);
    text += fmt::format(
        "/* All of the above as one table. */\nconst klingel_kernel *{}_kernel(void);\n\n", m);
    return text + "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
  }

  const Program& program_;
  EmitOptions options_;
  Schedule schedule_;
  Manifest manifest_;
  bool one_file_ = true;

  std::vector<std::string> sources_;  // closed files
  std::string text_, header_;
  std::vector<TableCall> calls_;  // of the stages, then of the functions
  std::set<sym::Op> helpers_;     // of the open file
  bool uses_memset_ = false;
  bool uses_trig_ = false;  // any file
  std::size_t in_file_ = 0;
};

}  // namespace

Emitted emit_c(const Program& program, const EmitOptions& options) {
  return Emitter(program, options).run();
}

Manifest emit_manifest(const Program& program, const EmitOptions& options) {
  return Emitter(program, options).manifest();
}

void write_files(const std::vector<File>& files, const std::string& directory) {
  for (const File& f : files)
    base::write_file((std::filesystem::path(directory) / f.name).string(), f.text);
}

}  // namespace klingel::gen
