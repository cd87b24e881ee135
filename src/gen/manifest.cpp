#include "gen/manifest.hpp"

#include "base/json.hpp"
#include "base/version.hpp"
#include "kernel/abi.h"

namespace klingel::gen {
namespace {

Manifest::Output describe(const sym::Output& o) {
  const sym::Matrix& m = o.matrix;
  Manifest::Output out{o.name,   m.rows(), m.cols(), static_cast<std::uint32_t>(o.size()),
                       o.sparse, {},       {}};
  if (!o.sparse) return out;
  out.col_start.assign(m.cols() + 1, 0);
  for (const sym::Entry& e : m.entries()) {
    ++out.col_start[e.col + 1];
    out.row.push_back(e.row);
  }
  for (std::uint32_t c = 0; c < m.cols(); ++c) out.col_start[c + 1] += out.col_start[c];
  return out;
}

template <class List>
void write_flat(base::Json& json, const char* key, const List& list) {
  json.key(key).begin_array(true);
  for (const auto& x : list) json.value(x);
  json.end_array();
}

}  // namespace

void write_count(base::Json& json, const sym::Count& c) {
  json.key("atoms").value(c.atoms).key("add").value(c.add).key("mul").value(c.mul).key("div").value(
      c.div);
  json.key("neg")
      .value(c.neg)
      .key("sqrt")
      .value(c.sqrt)
      .key("trig")
      .value(c.trig)
      .key("other")
      .value(c.other);
  json.key("total").value(c.total());
}

Manifest make_manifest(const Program& program, const Schedule& schedule, unsigned lanes) {
  Manifest m;
  m.lanes = lanes;
  m.model = program.model();
  m.workspace_size = schedule.workspace_size;
  for (const Input& in : program.inputs()) {
    Manifest::Input i{in.name, in.stage, {}, {}};
    for (const sym::Expr& x : in.symbols) {
      const sym::Symbol& s = program.graph().symbol_of(x.id());
      i.names.push_back(s.name);
      i.nominal.push_back(s.value);
    }
    m.inputs.push_back(std::move(i));
  }
  for (const Body& b : schedule.stages)
    m.stages.push_back({b.name, b.count, program.rare()[b.stage]});
  for (std::size_t f = 0; f < program.functions().size(); ++f) {
    const sym::Function& function = program.functions()[f];
    Manifest::Function mf{
        function.name, function.about, schedule.functions[f].stage, {}, schedule.functions[f].count,
        function.rare};
    for (const sym::Output& o : function.outputs) mf.outputs.push_back(describe(o));
    m.functions.push_back(std::move(mf));
  }
  return m;
}

std::string to_json(const Manifest& m) {
  base::Json json;
  json.begin_object();
  json.key("klingel")
      .value(base::version)
      .key("abi")
      .value(KLINGEL_ABI)
      .key("lanes")
      .value(m.lanes);
  json.key("model")
      .value(m.model)
      .key("sha256")
      .value(m.hash)
      .key("workspace_size")
      .value(m.workspace_size);
  json.key("inputs").begin_array();
  for (const auto& in : m.inputs) {
    json.begin_object().key("name").value(in.name).key("stage").value(m.stages[in.stage].name);
    write_flat(json, "names", in.names);
    write_flat(json, "nominal", in.nominal);
    json.end_object();
  }
  json.end_array().key("stages").begin_array();
  for (const auto& s : m.stages) {
    json.begin_object().key("name").value(s.name).key("rare").value(s.rare);
    write_count(json, s.count);
    json.end_object();
  }
  json.end_array().key("functions").begin_array();
  for (const auto& f : m.functions) {
    json.begin_object().key("name").value(f.name).key("about").value(f.about);
    json.key("stage").value(m.stages[f.stage].name).key("rare").value(f.rare);
    write_count(json, f.count);
    json.key("outputs").begin_array();
    for (const auto& o : f.outputs) {
      json.begin_object().key("name").value(o.name).key("rows").value(o.rows).key("cols").value(
          o.cols);
      json.key("size").value(o.size).key("sparse").value(o.sparse);
      if (o.sparse) {
        write_flat(json, "col_start", o.col_start);
        write_flat(json, "row", o.row);
      }
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
  return json.text();
}

}  // namespace klingel::gen
