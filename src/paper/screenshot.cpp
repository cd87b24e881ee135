#include "paper/screenshot.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "exec/process.hpp"
#include "exec/temporary_folder.hpp"

namespace klingel::paper {
namespace {

std::optional<std::string> program(const std::string& name) {
  try {
    return exec::find_program(name).string();
  } catch (const base::Error&) {
    return {};
  }
}

std::optional<std::string> browser() {
  if (std::getenv("KLINGEL_NO_BROWSER") != nullptr) return {};
  if (const char* wanted = std::getenv("KLINGEL_BROWSER"); wanted != nullptr)
    return program(wanted);
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
    if (const std::optional<std::string> found = program(name)) return found;
  return {};
}

}  // namespace

std::optional<std::string> screenshot(const std::string& page, int width, int height) {
  const std::optional<std::string> found = browser(), timeout = program("timeout");
  if (!found || !timeout) return {};
  try {
    const exec::TemporaryFolder folder;
    const std::filesystem::path html = folder.path() / "page.html", png = folder.path() / "out.png";
    base::write_file(html, page);
    exec::Command command;
    command.words = {*timeout, "--kill-after=5", "60", *found, "--headless=new"};
    // Chromium refuses its sandbox to root; the page is ours
    if (::geteuid() == 0) command.words.emplace_back("--no-sandbox");
    // machines that compute often have no graphics card
    for (const std::string& word :
         {std::string("--use-angle=swiftshader"), std::string("--enable-unsafe-swiftshader"),
          std::string("--ignore-gpu-blocklist"), std::string("--disable-dev-shm-usage"),
          std::string("--hide-scrollbars"), std::string("--no-first-run"),
          std::string("--virtual-time-budget=3000"),
          "--user-data-dir=" + (folder.path() / "profile").string(),
          fmt::format("--window-size={},{}", width, height), "--screenshot=" + png.string(),
          "file://" + html.string()})
      command.words.push_back(word);
    exec::run(command);
    std::string bytes = base::read_file(png);
    constexpr std::string_view signature = "\x89PNG";
    if (!bytes.starts_with(signature)) return {};
    return bytes;
  } catch (const base::Error&) {
    return {};  // a picture less is no reason to fail
  }
}

}  // namespace klingel::paper
