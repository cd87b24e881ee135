// FMUs made in this process and unpacked into a folder, and their libraries loaded from there.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "packaging/fmu.hpp"
#include "packaging/parts.hpp"
#include "packaging/target_place.hpp"

namespace klingel::test {

inline const packaging::Parts& wheelset_parts() {
  static const packaging::Parts parts =
      packaging::vehicle_parts(vehicle::load_scenario("wheelset"));
  return parts;
}

// The FMU of the wheelset, made once for each version.
inline const std::vector<gen::File>& wheelset_fmu(int version) {
  static const auto make = [](int v) {
    packaging::FmuOptions options;
    options.version = v;
    return packaging::fmu_files(wheelset_parts(), options);
  };
  static const std::vector<gen::File> two = make(2), three = make(3);
  return version == 2 ? two : three;
}

class Unpacked {
 public:
  explicit Unpacked(int version)
      : Unpacked(version, wheelset_parts().name, wheelset_fmu(version)) {}
  Unpacked(int version, const packaging::Parts& parts)
      : Unpacked(version, parts.name, packaging::fmu_files(parts, {version, "", ""})) {}
  Unpacked(int version, const std::string& name, const std::vector<gen::File>& files) {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("klingel_fmu_" + std::to_string(::getpid()) + "_" + name + std::to_string(version));
    for (const gen::File& file : files) base::write_file(folder_ / file.name, file.text);
    const std::string platform = version == 2 ? packaging::fmi2_platform : packaging::fmi3_platform;
    const std::filesystem::path library = folder_ / "binaries" / platform / (name + ".so");
    library_ = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(library_, nullptr) << ::dlerror();
  }
  ~Unpacked() {
    ::dlclose(library_);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;

  void* symbol(const char* name) const { return ::dlsym(library_, name); }
  std::string resources() const { return (folder_ / "resources").string(); }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  void* library_ = nullptr;
};

// The functions of an FMU have the types of our own declarations.
#define KLINGEL_CALL(fmu, name) reinterpret_cast<decltype(&name)>((fmu).symbol(#name))

inline unsigned reference_of(capi::Kind kind, const std::string& name) {
  const std::vector<capi::Variable>& list = wheelset_parts().model->of(kind);
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name)
      return (static_cast<unsigned>(kind) << 20) + static_cast<unsigned>(i) + 1;
  ADD_FAILURE() << "no variable " << name;
  return 0;
}

}  // namespace klingel::test
