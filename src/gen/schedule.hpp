// Where and when every atom of a program is computed.
//
// A *body* is what one call evaluates: a stage, or one function. An atom used by one function only,
// and in that function's own last stage, is computed in the function's body; every other atom is
// computed in the body of its stage and shared through the workspace. So a function that is not
// called costs nothing, and no atom is computed twice.
//
// Bodies are cut into *chunks* of some hundred operations, because compilers are slow on huge
// functions and produce slower code. Values that cross a cut go through the workspace, too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gen/program.hpp"
#include "sym/count.hpp"
#include "sym/operands.hpp"

namespace klingel::gen {

// out[output][element] = atom
struct Store {
  std::uint32_t output;
  std::uint32_t element;
  sym::Id atom;
};

struct Chunk {
  std::vector<sym::Id> atoms;  // computed here, operands first
  std::vector<Store> stores;   // of atoms computed here or known before
};

struct Body {
  std::string name;
  std::uint32_t stage = 0;
  std::vector<Chunk> chunks;
  sym::Count count;
};

struct ScheduleOptions {
  std::size_t chunk_operations = 400;
  // A product that is used only by one sum of the same body is not rounded: product and sum are
  // one operation (fma). This is decided here, so that all back ends give the same bits.
  bool fuse = true;
};

using sym::Fused;
using sym::Operands;

struct Schedule {
  std::vector<Body> stages;     // one per stage of the program
  std::vector<Body> functions;  // one per function
  std::uint32_t workspace_size = 0;
  std::vector<sym::Id> slots;  // by node: its place in the workspace, or sym::no_id
  std::vector<bool> fused;     // by node: a product that its sum takes; in no chunk

  bool in_workspace(sym::Id id) const { return slots[id] != sym::no_id; }
  // Of an atom in a chunk.
  Operands operands(const sym::Graph& g, sym::Id id) const { return sym::operands(g, id, fused); }
};

Schedule make_schedule(const Program& program, const ScheduleOptions& options = {});

// A leaf of the code: a number, a symbol, or an atom of numbers only (printed as its value).
bool is_given(const sym::Graph& g, sym::Id id);

bool is_sine_or_cosine(sym::Op op);

}  // namespace klingel::gen
