// The tree is printed as MJCF, compiled from MuJoCo's virtual file system (nothing touches the
// disk) and evaluated by the fewest calls that give M and c:
//     mj_kinematics  frames of bodies and joints           from q
//     mj_comPos      inertias and joint axes about the centre of mass
//     mj_crb         M, composite rigid bodies              -> qM (sparse)
//     mj_comVel      body velocities, rates of the axes     from dq
//     mj_rne         Newton-Euler with ddq = 0              -> c
// mj_fwdPosition and mj_fwdVelocity would also factor M, look for contacts, and more.

#include "mujoco_peer.hpp"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace klingel::peers {
namespace {

// 17 digits bring a double back exactly
std::string text(double x) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.17g", x);
  return buffer;
}

std::string text(const Vec3& v) { return text(v[0]) + " " + text(v[1]) + " " + text(v[2]); }

std::string joint_name(int coordinate) { return "q" + std::to_string(coordinate); }

// Principal moments and the quaternion (w x y z) that turns the body axes into the principal ones.
struct Principal {
  Vec3 moments;
  std::array<double, 4> quaternion;
};

// MuJoCo's own reduction of a full inertia (mju_eig3) is good to 2e-7 relative only, measured on
// the last link of arm7. Jacobi rotations in long double leave nothing but rounding.
Principal principal(const Mat3& inertia) {
  using Real = long double;
  Real A[3][3];
  for (int i = 0; i < 9; ++i) A[i / 3][i % 3] = inertia[i];
  Real w = 1, v[3] = {0, 0, 0};

  // convergence is quadratic: four sweeps are usual, ten certain
  for (int step = 0; step < 30; ++step) {
    const int k = step % 3, i = (k + 1) % 3, j = (k + 2) % 3;
    if (A[i][j] == 0) continue;

    // turn about axis k by the smaller angle that clears A_ij
    const Real d = A[i][i] - A[j][j];
    const Real angle = std::atan2(std::copysign(Real(2), d) * A[i][j], std::abs(d)) / 2;
    const Real c = std::cos(angle), s = std::sin(angle);
    const Real Aii = A[i][i], Ajj = A[j][j], Aij = A[i][j], Aik = A[i][k], Ajk = A[j][k];
    A[i][i] = c * c * Aii + 2 * c * s * Aij + s * s * Ajj;
    A[j][j] = s * s * Aii - 2 * c * s * Aij + c * c * Ajj;
    A[i][j] = A[j][i] = 0;
    A[i][k] = A[k][i] = c * Aik + s * Ajk;
    A[j][k] = A[k][j] = c * Ajk - s * Aik;

    // append the same turn to the quaternion
    const Real ch = std::cos(angle / 2), sh = std::sin(angle / 2);
    const Real old_w = w, vi = v[i], vj = v[j], vk = v[k];
    w = ch * old_w - sh * vk;
    v[k] = ch * vk + sh * old_w;
    v[i] = ch * vi + sh * vj;
    v[j] = ch * vj - sh * vi;
  }
  const auto narrow = [](Real x) { return static_cast<double>(x); };
  return {{narrow(A[0][0]), narrow(A[1][1]), narrow(A[2][2])},
          {narrow(w), narrow(v[0]), narrow(v[1]), narrow(v[2])}};
}

std::string inertial_element(const Body& body) {
  const Principal p = principal(body.inertia_about_com);
  return "<inertial pos='" + text(body.com) + "' mass='" + text(body.mass) + "' diaginertia='" +
         text(p.moments) + "' quat='" + text(p.quaternion[0]) + " " +
         text(Vec3{p.quaternion[1], p.quaternion[2], p.quaternion[3]}) + "'/>\n";
}

// MJCF nests bodies, so each one prints itself and then its children.
class Mjcf {
 public:
  explicit Mjcf(const Tree& tree) : tree_(tree), children_(tree.bodies.size()) {
    int coordinate = 0;
    for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
      const Body& body = tree.bodies[i];
      (body.parent < 0 ? roots_ : children_[body.parent]).push_back(static_cast<int>(i));
      first_coordinate_.push_back(coordinate);
      coordinate += static_cast<int>(body.joints.size());
    }
  }

  std::string print() {
    out_ =
        "<mujoco>\n"
        "<compiler angle='radian' coordinate='local' inertiafromgeom='false'\n"
        "          balanceinertia='false' boundmass='0' boundinertia='0'/>\n"
        "<option gravity='0 0 " +
        text(-tree_.g) +
        "'>\n"
        "<flag constraint='disable' contact='disable' passive='disable' actuation='disable'/>\n"
        "</option>\n"
        "<worldbody>\n";
    for (const int root : roots_) print_body(root);
    out_ += "</worldbody>\n</mujoco>\n";
    return std::move(out_);
  }

 private:
  void print_body(int i) {
    const Body& body = tree_.bodies[i];
    out_ += "<body pos='" + text(body.offset) + "'>\n";
    if (body.mass > 0) out_ += inertial_element(body);
    for (std::size_t j = 0; j < body.joints.size(); ++j) {
      const Joint& joint = body.joints[j];
      out_ += "<joint name='" + joint_name(first_coordinate_[i] + static_cast<int>(j)) +
              "' type='" + (joint.kind == Joint::Kind::revolute ? "hinge" : "slide") + "' axis='" +
              text(joint.axis) +
              "' limited='false' damping='0' armature='0' frictionloss='0' stiffness='0'/>\n";
    }
    for (const int child : children_[i]) print_body(child);
    out_ += "</body>\n";
  }

  const Tree& tree_;
  std::vector<std::vector<int>> children_;
  std::vector<int> roots_, first_coordinate_;
  std::string out_;
};

// By default MuJoCo would write MUJOCO_LOG.TXT into the current directory; C code must not be
// unwound by an exception either, and a warning here (a full stack, a NaN) means a wrong result.
void stop(const char* message) {
  std::fprintf(stderr, "mujoco: %s\n", message);
  std::abort();
}

mjModel* compile(const std::string& mjcf) {
  // 2 MB of file table: not for the stack
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  const char* name = "tree.xml";
  mj_makeEmptyFileVFS(files.get(), name, static_cast<int>(mjcf.size()));
  std::memcpy(files->filedata[mj_findFileVFS(files.get(), name)], mjcf.data(), mjcf.size());

  char error[1000] = "";
  mjModel* model = mj_loadXML(name, files.get(), error, sizeof error);
  mj_deleteVFS(files.get());
  if (model == nullptr) throw std::runtime_error(std::string("MuJoCo refuses the tree: ") + error);
  return model;
}

struct Delete {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};

}  // namespace

struct MujocoPeer::Impl {
  std::unique_ptr<mjModel, Delete> model;
  std::unique_ptr<mjData, Delete> data;
  std::vector<int> address;  // of each coordinate in MuJoCo's depth-first order
  bool same_order = true;
  std::vector<double> full_M, bias;
};

MujocoPeer::MujocoPeer(const Tree& tree) : impl_(std::make_unique<Impl>()) {
  check(tree);
  mju_user_error = stop;
  mju_user_warning = stop;
  impl_->model.reset(compile(Mjcf(tree).print()));
  impl_->data.reset(mj_makeData(impl_->model.get()));
  const int n = coordinate_count(tree);
  for (int k = 0; k < n; ++k) {
    const int joint = mj_name2id(impl_->model.get(), mjOBJ_JOINT, joint_name(k).c_str());
    // one coordinate and one velocity per joint, so both addresses are the same
    impl_->address.push_back(impl_->model->jnt_dofadr[joint]);
    impl_->same_order = impl_->same_order && impl_->address[k] == k;
  }
  impl_->full_M.resize(static_cast<std::size_t>(n) * n);
  impl_->bias.resize(n);
}

MujocoPeer::~MujocoPeer() = default;
MujocoPeer::MujocoPeer(MujocoPeer&&) noexcept = default;
MujocoPeer& MujocoPeer::operator=(MujocoPeer&&) noexcept = default;

void MujocoPeer::compute(const double* q, const double* dq) {
  const mjModel* model = impl_->model.get();
  mjData* data = impl_->data.get();
  const std::size_t n = impl_->bias.size();
  if (impl_->same_order) {
    std::copy_n(q, n, data->qpos);
    std::copy_n(dq, n, data->qvel);
  } else {
    for (std::size_t k = 0; k < n; ++k) {
      data->qpos[impl_->address[k]] = q[k];
      data->qvel[impl_->address[k]] = dq[k];
    }
  }
  mj_kinematics(model, data);
  mj_comPos(model, data);
  mj_crb(model, data);
  mj_comVel(model, data);
  mj_rne(model, data, 0, impl_->bias.data());
}

void MujocoPeer::evaluate(const double* q, const double* dq, double* M, double* c) {
  compute(q, dq);
  const std::size_t n = impl_->bias.size();
  if (impl_->same_order) {
    mj_fullM(impl_->model.get(), M, impl_->data->qM);
    std::copy_n(impl_->bias.data(), n, c);
    return;
  }
  mj_fullM(impl_->model.get(), impl_->full_M.data(), impl_->data->qM);
  for (std::size_t k = 0; k < n; ++k) {
    c[k] = impl_->bias[impl_->address[k]];
    for (std::size_t l = 0; l < n; ++l) {
      M[k * n + l] = impl_->full_M[impl_->address[k] * n + impl_->address[l]];
    }
  }
}

}  // namespace klingel::peers
