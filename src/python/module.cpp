// The compiled part of the Python package: python/klingel wraps it and documents it.
#include <dlfcn.h>

#include <filesystem>

#include "base/data.hpp"
#include "base/version.hpp"
#include "python/bind.hpp"

// An installed package has its data beside this module; base/data.cpp asks for them.
extern "C" const char* klingel_installed_data() {
  static const std::string place = [] {
    Dl_info info{};
    if (dladdr(reinterpret_cast<void*>(&klingel_installed_data), &info) == 0) return std::string();
    return (std::filesystem::path(info.dli_fname).parent_path() / "data").string();
  }();
  return place.c_str();
}

PYBIND11_MODULE(_klingel, module) {
  using namespace klingel;
  static PyObject* error = nullptr;
  error = PyErr_NewExceptionWithDoc(
      "klingel.Error", "Wrong input: what was found, what was expected and what would help.",
      PyExc_ValueError, nullptr);
  module.attr("Error") = python::py::handle(error);
  python::py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const base::Error& e) {
      PyErr_SetString(error, e.what());
    }
  });
  module.attr("version") = base::version;
  module.def("list_data", [](const std::string& folder) { return base::list_data(folder); });
  python::add_simulation(module);
  python::add_stability(module);
  python::add_studies(module);
  python::add_estimation(module);
  python::add_optimise(module);
  python::add_wheel_and_rail(module);
  python::add_symbolic(module);
  python::add_mechanics(module);
}
