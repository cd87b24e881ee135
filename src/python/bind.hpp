// What the sources of the Python module share. One header of pybind11 for all of them, so that it
// is compiled once (see CMakeLists.txt).
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <cstdint>
#include <ctime>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"

namespace klingel::python {

namespace py = pybind11;
using Release = py::call_guard<py::gil_scoped_release>;

void add_simulation(py::module_& module);
void add_stability(py::module_& module);
void add_studies(py::module_& module);
void add_estimation(py::module_& module);
void add_optimise(py::module_& module);
void add_wheel_and_rail(py::module_& module);
void add_symbolic(py::module_& module);
void add_mechanics(py::module_& module);

// Numbers that live as long as `owner`: a view that cannot be written to.
inline py::array view_of(std::span<const double> values, const py::handle& owner) {
  py::array_t<double> view({values.size()}, {sizeof(double)}, values.data(), owner);
  view.attr("flags").attr("writeable") = false;
  return view;
}

inline py::array_t<double> copy_of(std::span<const double> values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

// What a call finds while other threads of Python go on.
template <class Call>
auto without_python(const Call& call) {
  const py::gil_scoped_release free;
  return call();
}

// Whether Ctrl-C was pressed: asked from runs that have released the interpreter. Throws what
// Python wants to be thrown once the run has come back.
class Interrupt {
 public:
  // Cheap: asks Python every hundredth of a second, also where calls are few.
  bool operator()() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    const std::int64_t hundredth = 100 * std::int64_t{now.tv_sec} + now.tv_nsec / 10'000'000;
    if (wanted_ || hundredth == asked_) return wanted_;
    asked_ = hundredth;
    const py::gil_scoped_acquire held;
    wanted_ = PyErr_CheckSignals() != 0;
    if (wanted_) error_.emplace();  // takes the exception that is set
    return wanted_;
  }
  // With the interpreter held.
  void raise() {
    if (wanted_) throw std::move(*error_);
  }

 private:
  bool wanted_ = false;
  std::int64_t asked_ = 0;
  std::optional<py::error_already_set> error_;
};

// Signals belong to the thread that called; the others only see that it was interrupted.
class SharedInterrupt {
 public:
  bool operator()() {
    if (std::this_thread::get_id() == caller_ && interrupt_()) wanted_ = true;
    return wanted_;
  }
  void raise() { interrupt_.raise(); }

 private:
  std::thread::id caller_ = std::this_thread::get_id();
  Interrupt interrupt_;
  std::atomic<bool> wanted_ = false;
};

// One thread at a time: a second one is refused instead of destroying a run.
class InUse {
 public:
  InUse(std::atomic_flag& flag, const char* what) : flag_(flag) {
    if (flag_.test_and_set())
      base::fail("this {} is in use by another thread; load one for each thread", what);
  }
  ~InUse() { flag_.clear(); }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  std::atomic_flag& flag_;
};

}  // namespace klingel::python
