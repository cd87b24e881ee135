#include "gen/self_test.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/number.hpp"
#include "sym/tape.hpp"

namespace klingel::gen {
namespace {

constexpr unsigned n_samples = 3;

// a fixed sequence in [-1, 1): splitmix64
double pseudo_random(std::uint64_t k) {
  std::uint64_t x = (k + 1) * 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  x ^= x >> 31;
  return static_cast<double>(x >> 11) / 4503599627370496.0 - 1.0;
}

// all outputs of all functions, one after the other, zeros included
std::vector<double> expected_outputs(const Program& program, const std::vector<bool>& fused,
                                     const std::vector<std::vector<double>>& inputs) {
  std::vector<sym::Id> leaves, values;
  std::vector<double> in;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t k = 0; k < inputs[i].size(); ++k) {
      leaves.push_back(program.inputs()[i].symbols[k].id());
      in.push_back(inputs[i][k]);
    }
  }
  std::vector<std::size_t> places;
  std::size_t size = 0;
  for (const sym::Function& f : program.functions()) {
    for (const sym::Output& o : f.outputs) {
      for (std::size_t k = 0; k < o.matrix.entries().size(); ++k) {
        const sym::Entry& e = o.matrix.entries()[k];
        values.push_back(e.value.id());
        places.push_back(size + (o.sparse ? k : e.col * o.matrix.rows() + e.row));
      }
      size += o.size();
    }
  }
  const sym::Tape tape(program.graph(), leaves, values, fused);
  std::vector<double> out(values.size()), registers(tape.registers()), result(size, 0.0);
  tape.run(in.data(), out.data(), registers.data());
  for (std::size_t k = 0; k < places.size(); ++k) result[places[k]] = out[k];
  return result;
}

std::string table(const char* name, const std::vector<std::vector<double>>& rows) {
  std::string text = fmt::format("static const double {}[{}][{}] = {{\n", name, rows.size(),
                                 std::max<std::size_t>(1, rows[0].size()));
  for (const auto& row : rows) {
    text += "  {";
    for (std::size_t k = 0; k < row.size(); ++k)
      text += (k == 0 ? "" : k % 6 == 0 ? ",\n   " : ", ") + base::shortest(row[k]);
    text += row.empty() ? "0},\n" : "},\n";
  }
  return text + "};\n";
}

constexpr std::string_view main_text = R"(
/* relative to the largest value of the same output: sums cancel */
static const double tolerance = 1e-11;

int main(void) {
  const klingel_kernel *k = @MODEL@_kernel();
  double w[@WORKSPACE@], out_values[@OUTPUTS@], worst = 0;
  for (int t = 0; t < @SAMPLES@; ++t) {
    const double *in[@N_INPUTS@] = {0};
    for (uint32_t i = 0, at = 0; i < k->n_inputs; at += k->inputs[i++].size) in[i] = sample_in[t] + at;
    for (uint32_t s = 0; s < k->n_stages; ++s) k->stages[s].call(k->stages[s].context, in, w, 0);
    uint32_t at = 0;
    for (uint32_t f = 0; f < k->n_functions; ++f) {
      const klingel_function *fn = &k->functions[f];
      double *out[@MOST_OUTPUTS@] = {0};
      uint32_t start = at;
      for (uint32_t o = 0; o < fn->n_outputs; at += fn->outputs[o++].size) out[o] = out_values + at;
      fn->call(fn->context, in, w, out);
      for (uint32_t o = 0; o < fn->n_outputs; start += fn->outputs[o++].size) {
        double scale = 1e-300;
        for (uint32_t i = 0; i < fn->outputs[o].size; ++i) scale = fmax(scale, fabs(sample_out[t][start + i]));
        for (uint32_t i = 0; i < fn->outputs[o].size; ++i) {
          const double got = out_values[start + i], want = sample_out[t][start + i];
          const double apart = fabs(got - want) / scale;
          const double error = got == want || (isnan(got) && isnan(want)) ? 0 : isnan(apart) ? INFINITY : apart;
          if (error > worst) worst = error;
          if (error > tolerance) printf("%s.%s[%u]: got %.17g, expected %.17g\n", fn->name, fn->outputs[o].name, i, got, want);
        }
      }
    }
  }
  printf("%s: @OUTPUTS@ values at @SAMPLES@ states, worst relative difference %.3g: %s\n", k->model, worst,
         worst <= tolerance ? "fine" : "WRONG");
  return worst <= tolerance ? 0 : 1;
}
)";

// the same on lanes: lane l of row t has the state of row t + l, so that no two lanes are alike
constexpr std::string_view main_on_lanes_text = R"(
/* relative to the largest value of the same output: sums cancel */
static const double tolerance = 1e-11;

int main(void) {
  const klingel_kernel *k = @MODEL@_kernel();
  double w[@WORKSPACE@ * @LANES@], in_values[@INPUTS@ * @LANES@], out_values[@OUTPUTS@ * @LANES@], worst = 0;
  for (int t = 0; t < @SAMPLES@; ++t) {
    for (int i = 0; i < @INPUTS@ * @LANES@; ++i) in_values[i] = sample_in[(t + i % @LANES@) % @SAMPLES@][i / @LANES@];
    const double *in[@N_INPUTS@] = {0};
    for (uint32_t i = 0, at = 0; i < k->n_inputs; at += k->inputs[i++].size) in[i] = in_values + at * @LANES@;
    for (uint32_t s = 0; s < k->n_stages; ++s) k->stages[s].call(k->stages[s].context, in, w, 0);
    uint32_t at = 0;
    for (uint32_t f = 0; f < k->n_functions; ++f) {
      const klingel_function *fn = &k->functions[f];
      double *out[@MOST_OUTPUTS@] = {0};
      uint32_t start = at;
      for (uint32_t o = 0; o < fn->n_outputs; at += fn->outputs[o++].size) out[o] = out_values + at * @LANES@;
      fn->call(fn->context, in, w, out);
      for (uint32_t o = 0; o < fn->n_outputs; start += fn->outputs[o++].size) {
        for (uint32_t l = 0; l < @LANES@; ++l) {
          const double *expected = sample_out[(t + l) % @SAMPLES@] + start;
          double scale = 1e-300;
          for (uint32_t i = 0; i < fn->outputs[o].size; ++i) scale = fmax(scale, fabs(expected[i]));
          for (uint32_t i = 0; i < fn->outputs[o].size; ++i) {
            const double got = out_values[(start + i) * @LANES@ + l], want = expected[i];
            const double apart = fabs(got - want) / scale;
            const double error = got == want || (isnan(got) && isnan(want)) ? 0 : isnan(apart) ? INFINITY : apart;
            if (error > worst) worst = error;
            if (error > tolerance) printf("%s.%s[%u], lane %u: got %.17g, expected %.17g\n", fn->name, fn->outputs[o].name, i, l, got, want);
          }
        }
      }
    }
  }
  printf("%s: @OUTPUTS@ values at @SAMPLES@ states on @LANES@ lanes, worst relative difference %.3g: %s\n", k->model, worst,
         worst <= tolerance ? "fine" : "WRONG");
  return worst <= tolerance ? 0 : 1;
}
)";

void replace_all(std::string& text, std::string_view mark, const std::string& by) {
  for (std::size_t at = text.find(mark); at != std::string::npos;
       at = text.find(mark, at + by.size())) {
    text.replace(at, mark.size(), by);
  }
}

}  // namespace

std::vector<std::vector<double>> sample_inputs(const Program& program, unsigned sample) {
  std::vector<std::vector<double>> inputs;
  std::uint64_t k = 1000003ull * sample;
  for (const Input& in : program.inputs()) {
    std::vector<double> values;
    for (const sym::Expr& x : in.symbols) {
      const sym::Symbol& s = program.graph().symbol_of(x.id());
      const double move = 0.3 * pseudo_random(k++) * std::max(1.0, std::abs(s.value));
      values.push_back(s.kind == sym::SymbolKind::parameter ? s.value : s.value + move);
    }
    inputs.push_back(std::move(values));
  }
  return inputs;
}

std::string self_test_text(const Program& program, const Manifest& manifest,
                           const std::vector<bool>& fused) {
  std::vector<std::vector<double>> in, out;
  for (unsigned t = 0; t < n_samples; ++t) {
    const auto inputs = sample_inputs(program, t);
    in.emplace_back();
    for (const auto& array : inputs) in.back().insert(in.back().end(), array.begin(), array.end());
    out.push_back(program.functions().empty() ? std::vector<double>()
                                              : expected_outputs(program, fused, inputs));
  }
  std::size_t most_outputs = 1;
  for (const auto& f : manifest.functions) most_outputs = std::max(most_outputs, f.outputs.size());

  std::string text = fmt::format("#include <math.h>\n#include <stdio.h>\n\n#include \"{}.h\"\n\n",
                                 program.model());
  text += "/* rows: one state each; inputs and outputs in the order of the table */\n";
  text += table("sample_in", in) + table("sample_out", out);
  std::string main(manifest.lanes == 1 ? main_text : main_on_lanes_text);
  replace_all(main, "@LANES@", std::to_string(manifest.lanes));
  replace_all(main, "@INPUTS@", std::to_string(std::max<std::size_t>(1, in[0].size())));
  replace_all(main, "@MODEL@", program.model());
  replace_all(main, "@WORKSPACE@",
              std::to_string(std::max<std::uint32_t>(1, manifest.workspace_size)));
  replace_all(main, "@OUTPUTS@", std::to_string(std::max<std::size_t>(1, out[0].size())));
  replace_all(main, "@SAMPLES@", std::to_string(n_samples));
  replace_all(main, "@N_INPUTS@", std::to_string(std::max<std::size_t>(1, manifest.inputs.size())));
  replace_all(main, "@MOST_OUTPUTS@", std::to_string(most_outputs));
  return text + main;
}

}  // namespace klingel::gen
