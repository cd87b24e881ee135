// The elimination of the step on mechanisms of every kind of tree, against the whole matrix.
#include "model/step_system.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mech/mass_matrix.hpp"
#include "sym/count.hpp"
#include "tests/support/mech_values.hpp"

namespace klingel::model {
namespace {

using mech::Base;
using mech::Point;
using sym::Expr;

// A mechanism on wheelsets: bodies are added, then the system is made and compared.
class Vehicle {
 public:
  mech::Model m{"vehicle"};

  Expr coordinate(const std::string& name) { return m.coordinate(name, 0.1).q; }
  Base turned(const std::string& name, Base parent, int axis) {
    return m.rotation(name, parent, axis, coordinate(name));
  }
  // A body that is not of revolution, its centre of mass off the point.
  void body(const std::string& name, Point point, Base base, double mass = 20) {
    m.body(name, point, base, mass, m.vector(base, 0.1, -0.05, 0.2),
           m.inertia(base, 3, 4, 5, 0.1, 0.2, 0.3));
  }

  // Moved by six coordinates of its own.
  std::pair<Point, Base> free_body(const std::string& name) {
    const Expr x = coordinate(name + ".x"), y = coordinate(name + ".y"),
               z = coordinate(name + ".z");
    const Point point = m.point(name, m.origin(), m.vector(m.ground_base(), x, y, z));
    const Base yawed = turned(name + ".yaw", m.ground_base(), mech::axis::z);
    const Base base = turned(name + ".roll", yawed, mech::axis::x);
    const Base pitched = turned(name + ".pitch", base, mech::axis::y);
    body(name, point, pitched, 300);
    return {point, pitched};
  }

  std::pair<Point, Base> bogie(const std::string& name, Point point, Base base, double along) {
    const Base yawed = turned(name + ".yaw", base, mech::axis::z);
    const Point pivot = m.point(name + ".pivot", point, m.vector(base, along, 0, 0));
    const Point frame = m.point(name, pivot, m.vector(yawed, 0, 0, coordinate(name + ".z")));
    const Base pitched = turned(name + ".pitch", yawed, mech::axis::y);
    const Base rolled = turned(name + ".roll", pitched, mech::axis::x);
    body(name, frame, rolled);
    return {frame, rolled};
  }

  // Lifts, rolls and spins in what carries it; still_in: where its base hangs.
  void wheelset(const std::string& name, Point point, Base base, double along,
                std::optional<Base> still_in = {}) {
    const Point centre = m.point(name, point, m.vector(base, along, 0, coordinate(name + ".z")));
    const Base still = turned(name + ".roll", still_in.value_or(base), mech::axis::x);
    add_wheelset(name, centre, still);
  }
  void add_wheelset(const std::string& name, Point centre, Base still) {
    const Base axle = turned(name + ".spin", still, mech::axis::y);
    m.body(name, centre, axle, 12, m.vector(axle, 0, 0, 0), m.inertia(axle, 6, 1, 6));
    const Point box = m.point(name + ".box", centre, m.vector(still, 0, 0.8, 0));
    body(name + ".box", box, still, 2);
    wheelsets.push_back({name, centre, still, axle, {name + ".right", name + ".left"}});
  }

  // Moved by six coordinates of its own.
  void free_wheelset(const std::string& name) {
    const Expr x = coordinate(name + ".x"), y = coordinate(name + ".y"),
               z = coordinate(name + ".z");
    const Point centre = m.point(name, m.origin(), m.vector(m.ground_base(), x, y, z));
    const Base yawed = turned(name + ".yaw", m.ground_base(), mech::axis::z);
    add_wheelset(name, centre, turned(name + ".roll", yawed, mech::axis::x));
  }

  // A motor whose point the frame carries and whose base the wheelset does, with a rotor on it.
  void motor(const std::string& name, Point frame, Base base, Base still) {
    const Base housing = turned(name + ".housing", still, mech::axis::y);
    const Base spinning = turned(name + ".rotor", still, mech::axis::y);
    const Point point = m.point(name + ".motor", frame, m.vector(base, 0.4, 0, 0));
    const Point rotor = m.point(name + ".rotor", point, m.vector(housing, 0.3, 0, 0));
    body(name + ".motor", point, housing, 6);
    m.body(name + ".rotor", rotor, spinning, 5, m.vector(spinning, 0, 0, 0),
           m.inertia(spinning, 0.4, 0.1, 0.4));
  }

  void stiff(const std::string& a, const std::string& b) {
    const std::uint32_t i = index(a), j = index(b);
    const Expr k = m.parameter("k." + a + "." + b, 40);
    stiff_entries.push_back({i, i, k});
    stiff_entries.push_back({i, j, -0.9 * k});
    stiff_entries.push_back({j, i, -k});
    stiff_entries.push_back({j, j, k});
  }
  std::uint32_t index(const std::string& name) {
    for (std::uint32_t j = 0; j < m.coordinates().size(); ++j) {
      if (m.graph().symbol_of(m.coordinates()[j].q).name == name) return j;
    }
    ADD_FAILURE() << "no coordinate " << name;
    return 0;
  }

  std::vector<Wheelset> wheelsets;
  std::vector<sym::Entry> stiff_entries;
};

class System {
 public:
  explicit System(Vehicle& v)
      : m(v.m),
        n(static_cast<std::uint32_t>(v.m.coordinates().size())),
        stiff(n, n, summed(v.stiff_entries)) {
    std::vector<Expr> dq;
    for (const sym::Coordinate& c : m.coordinates()) dq.push_back(c.dq);
    for (const Wheelset& w : v.wheelsets) motions.push_back(wheelset_motion(m, w, dq));
    symbols.h = m.graph().symbol("h", sym::SymbolKind::other, 0.1);
    for (const Wheelset& wheelset : v.wheelsets) {
      add(symbols.B, wheelset.name + ".B", 36);
      for (const double side : {-0.75, 0.75}) {
        const std::string& wheel = wheelset.wheels[side < 0 ? 0 : 1];
        add(symbols.W_n, wheel + ".W", 6);
        m.graph().set_value(symbols.W_n[symbols.W_n.size() - 4], 1);
        m.graph().set_value(symbols.W_n[symbols.W_n.size() - 3], side);
        add(symbols.active, wheel + ".active", 1, 1);
      }
    }
    w = static_cast<std::uint32_t>(symbols.active.size());
    add(rhs, "rhs", n + w);
    system.emplace(m, n, v.wheelsets, motions, symbols, stiff);
    x = system->solve(rhs);
    x.push_back(system->smallest_pivot());
  }

  std::size_t operations() const { return sym::count(x).total(); }

  // The solution at random states, wheels held and released at random.
  void expect_equal() {
    const std::vector<Expr> matrix = whole_matrix();
    const test::Quantities values(m, matrix), found(m, x);
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      test::State state = test::random_state(m, seed);
      test::Random random(seed);
      state.set(symbols.h, 0.05);
      for (const Expr& a : symbols.active) state.set(a, seed == 1 || random.chance(0.7) ? 1 : 0);
      for (std::size_t i = 0; i < symbols.B.size(); ++i)
        state.set(symbols.B[i], random.within(9) + (i % 36 % 7 == 0 ? 60 : 0));
      for (std::size_t i = 0; i < symbols.W_n.size(); ++i)
        state.set(symbols.W_n[i], sym::value(symbols.W_n[i]) + random.within(0.2));
      std::vector<long double> b;
      for (const Expr& e : rhs) b.push_back(state[e]);
      const std::vector<long double> expected = test::solved(values.at<long double>(state), b);
      const std::vector<long double> solution = found.at<long double>(state);
      long double largest = 0;
      for (const long double e : expected) largest = std::max(largest, std::abs(e));
      for (std::size_t i = 0; i < n + w; ++i)
        ASSERT_NEAR(solution[i], expected[i], 1e-12L * largest) << "row " << i << ", seed " << seed;
      EXPECT_GT(solution[n + w], 1e-9L);
    }
  }

  mech::Model& m;
  std::uint32_t n, w = 0;
  sym::Matrix stiff;
  std::vector<WheelsetMotion> motions;
  StepSymbols symbols;
  std::vector<Expr> rhs, x;  // the smallest pivot behind x
  std::optional<StepSystem> system;

 private:
  void add(std::vector<Expr>& list, const std::string& name, std::size_t count, double value = 0) {
    for (std::size_t i = 0; i < count; ++i)
      list.push_back(
          m.graph().symbol(fmt::format("{}.{}", name, i), sym::SymbolKind::force, value));
  }

  static std::vector<sym::Entry> summed(const std::vector<sym::Entry>& entries) {
    if (entries.empty()) return {};
    MatrixSum sum(entries.front().value * 0);
    for (const sym::Entry& e : entries) sum(e.row, e.col) += e.value;
    const sym::Matrix A = sum.matrix(1000, 1000);
    return {A.entries().begin(), A.entries().end()};
  }

  // column by column
  std::vector<Expr> whole_matrix() {
    MatrixSum A(m.number(0));
    const sym::Matrix M = mech::mass_matrix(m);
    for (const sym::Entry& e : M.entries()) A(e.row, e.col) += e.value;
    for (const sym::Entry& e : stiff.entries()) A(e.row, e.col) += e.value;
    for (std::size_t k = 0; k < motions.size(); ++k) {
      const WheelsetMotion& J = motions[k];
      for (const std::uint32_t i : J.moving) {
        for (const std::uint32_t j : J.moving) {
          const Six a = joined(J.v[i], J.w_total[i]), b = joined(J.v[j], J.w_total[j]);
          for (std::size_t c = 0; c < 36; ++c)
            A(i, j) += symbols.h * symbols.B[36 * k + c] * a[c / 6] * b[c % 6];
        }
      }
      for (std::uint32_t wheel = 2 * static_cast<std::uint32_t>(k); wheel < 2 * k + 2; ++wheel) {
        A(n + wheel, n + wheel) = 1 - symbols.active[wheel];
        for (const std::uint32_t j : J.moving) {
          const Six u = joined(J.v[j], J.w_still[j]);
          for (std::size_t c = 0; c < 6; ++c) {
            const Expr held = symbols.active[wheel] * symbols.W_n[6 * wheel + c] * u[c];
            A(n + wheel, j) += held;
            A(j, n + wheel) += symbols.h * held;
          }
        }
      }
    }
    return test::dense(m, A.matrix(n + w, n + w));
  }
};

TEST(step_system, a_bogie_is_eliminated_as_a_whole_with_the_motors_of_its_wheelsets) {
  Vehicle v;
  const auto [point, base] = v.free_body("body");
  v.wheelset("front", point, base, 1.2);
  v.wheelset("rear", point, base, -1.2);
  Vehicle with_motors;
  const auto [frame, frame_base] = with_motors.free_body("body");
  with_motors.wheelset("front", frame, frame_base, 1.2);
  with_motors.wheelset("rear", frame, frame_base, -1.2);
  with_motors.motor("front", frame, frame_base, with_motors.wheelsets[0].still);
  with_motors.motor("rear", frame, frame_base, with_motors.wheelsets[1].still);
  System plain(v), system(with_motors);
  plain.expect_equal();
  system.expect_equal();
  EXPECT_TRUE(plain.system->outer().empty());
  EXPECT_TRUE(system.system->outer().empty());
  // two coordinates and one shared one more for each; most of their work is done with the masses
  EXPECT_LT(system.operations(), plain.operations() + 2 * 700);
}

TEST(step_system, every_bogie_of_a_body_costs_the_same) {
  std::vector<std::size_t> operations;
  for (const int bogies : {1, 2, 3}) {
    Vehicle v;
    const auto [point, base] = v.free_body("body");
    for (int i = 0; i < bogies; ++i) {
      const std::string name = fmt::format("bogie{}", i);
      const auto [frame, frame_base] = v.bogie(name, point, base, 5.0 * i);
      v.wheelset(name + ".front", frame, frame_base, 1.1);
      v.wheelset(name + ".rear", frame, frame_base, -1.1);
    }
    System system(v);
    system.expect_equal();
    EXPECT_TRUE(system.system->outer().empty());
    operations.push_back(system.operations());
  }
  const auto second = static_cast<double>(operations[1] - operations[0]);
  const auto third = static_cast<double>(operations[2] - operations[1]);
  EXPECT_NEAR(third, second, 0.02 * second);
  EXPECT_LT(second, 4500);
}

TEST(step_system, coordinates_that_a_stiff_element_couples_wait_for_each_other) {
  Vehicle v;
  const auto [point, base] = v.free_body("body");
  const auto [frame, frame_base] = v.bogie("bogie", point, base, 3);
  v.wheelset("front", frame, frame_base, 1.1);
  v.wheelset("rear", frame, frame_base, -1.1);
  v.motor("front", frame, frame_base, v.wheelsets[0].still);
  v.stiff("front.housing", "front.roll");  // within a wheelset
  v.stiff("front.z", "rear.z");            // within a bogie
  v.stiff("bogie.yaw", "rear.roll");       // with what carries it
  System system(v);
  system.expect_equal();
  EXPECT_TRUE(system.system->outer().empty());
}

TEST(step_system, bodies_on_stiff_springs_from_the_ground_are_left_for_the_end) {
  Vehicle v;
  v.free_body("frame");
  for (const std::string name : {"front", "rear"}) {
    v.free_wheelset(name);
    for (const char* c : {".x", ".y", ".z", ".yaw", ".roll"})
      v.stiff("frame" + std::string(c), name + c);
  }
  System system(v);
  system.expect_equal();
  // five coordinates and two normal forces of each wheelset; its spin is gone, and so is the
  // frame's pitch
  EXPECT_EQ(system.system->outer().size(), 5 + 2 * 7u);
}

TEST(step_system, the_first_wheelset_on_stiff_springs_goes_at_once_with_its_normal_forces) {
  Vehicle v;
  v.free_body("frame");
  const std::vector<std::string> motions = {".x", ".y", ".z", ".yaw", ".roll"};
  for (const std::string name : {"front", "rear"}) {
    v.free_wheelset(name);
    for (const std::string& a : motions) {
      for (const std::string& b : motions) v.stiff("frame" + a, name + b);
    }
  }
  // the frame among itself, too, as springs have it
  for (const std::string& a : motions) {
    for (const std::string& b : motions)
      if (a < b) v.stiff("frame" + a, "frame" + b);
  }
  System system(v);
  system.expect_equal();
  // then the frame has fewer neighbours than the other wheelset and is cheaper to take
  EXPECT_EQ(system.system->outer().size(), 5 + 7u);
}

TEST(step_system, a_single_wheelset_is_eliminated_in_the_ground) {
  Vehicle v;
  v.free_wheelset("wheelset");
  System system(v);
  system.expect_equal();
  EXPECT_TRUE(system.system->outer().empty());
  EXPECT_LT(system.operations(), 800u);
}

TEST(step_system, points_and_bases_may_hang_on_different_things) {
  Vehicle v;
  const auto [point, base] = v.free_body("body");
  // absolute angles of wheelsets and of a body that the first one carries
  const Base absolute = v.turned("absolute", v.m.ground_base(), mech::axis::z);
  v.wheelset("front", point, base, 1.2, absolute);
  v.wheelset("rear", point, base, -1.2, absolute);
  const Base own = v.turned("own", v.m.ground_base(), mech::axis::y);
  v.body("odd", v.wheelsets[0].centre, own);
  System system(v);
  system.expect_equal();
}

TEST(step_system, normal_forces_wait_for_coordinates_that_can_meet_them) {
  Vehicle v;
  const auto [point, base] = v.free_body("body");
  const auto [frame, frame_base] = v.bogie("bogie", point, base, 3);
  // lifts, but does not roll in the frame
  const Point centre =
      v.m.point("front", frame, v.m.vector(frame_base, 1.1, 0, v.coordinate("front.z")));
  v.add_wheelset("front", centre, frame_base);
  v.wheelset("rear", frame, frame_base, -1.1);
  System system(v);
  system.expect_equal();
  EXPECT_TRUE(system.system->outer().empty());
}

}  // namespace
}  // namespace klingel::model
