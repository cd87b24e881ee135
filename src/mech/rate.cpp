#include "mech/rate.hpp"

#include "sym/depends.hpp"

namespace klingel::mech {

Expr rate(Expr x) {
  sym::Graph& g = x.graph();
  const sym::KindMask constant = bit(sym::SymbolKind::parameter) | bit(sym::SymbolKind::spline);
  if ((g.node(x.id()).kinds & ~constant) == 0) return g.rational(0, 1);
  if (x.is_symbol() && g.symbol_of(x.id()).rate != sym::no_id)
    return {&g, g.symbol_of(x.id()).rate};
  return sym::time_derivative(x);
}

Triple rate(const Triple& u) { return {rate(u[0]), rate(u[1]), rate(u[2])}; }

Expr rate(Expr x, Ddq ddq) {
  if (ddq == Ddq::symbols) return rate(x);
  // a velocity with constant factors: its rate is made of ddq only
  constexpr sym::KindMask still = bit(sym::SymbolKind::parameter) | bit(sym::SymbolKind::spline) |
                                  bit(sym::SymbolKind::velocity) |
                                  bit(sym::SymbolKind::contact_velocity);
  sym::Graph& g = x.graph();
  if ((g.node(x.id()).kinds & ~still) == 0) return g.rational(0, 1);
  return sym::derivation(x, rates_without_ddq(sym::symbols_below(x)));
}

std::vector<sym::Seed> rates_without_ddq(std::span<const Expr> symbols) {
  std::vector<sym::Seed> seeds;
  for (const Expr& x : symbols) {
    const sym::Symbol& symbol = x.graph().symbol_of(x.id());
    if (symbol.kind == sym::SymbolKind::velocity ||
        symbol.kind == sym::SymbolKind::contact_velocity)
      continue;
    // a symbol alone: constants give zero, others what was declared or an error
    if (const Expr d = rate(x); !d.is(0)) seeds.push_back({x, d});
  }
  return seeds;
}

std::optional<Expr> time_of(sym::Graph& g) {
  const auto t = g.find("t");
  return t && g.symbol_of(*t).kind == sym::SymbolKind::time ? t : std::nullopt;
}

Triple rate(const Triple& u, Ddq ddq) {
  return {rate(u[0], ddq), rate(u[1], ddq), rate(u[2], ddq)};
}

Triple angular_velocity_of(const Block& R) {
  Block dR;
  for (std::size_t i = 0; i < 9; ++i) dR[i] = rate(R[i]);
  const auto column = [](const Block& t, std::size_t j) {
    return Triple{t[j], t[3 + j], t[6 + j]};
  };
  // [w] = R^T dR: w_x = (R^T dR)_zy = column z of R . column y of dR, and so on around
  return {dot(column(R, 2), column(dR, 1)), dot(column(R, 0), column(dR, 2)),
          dot(column(R, 1), column(dR, 0))};
}

}  // namespace klingel::mech
