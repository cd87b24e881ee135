// Every figure and table of the article beside ours, as one page with its data: `klingel paper`.
#pragma once

#include <filesystem>
#include <functional>

namespace klingel::paper {

// Computes everything, then writes index.html and its data into the folder: an error leaves nothing
// behind. `quick` is for a first look: one second of the run and a coarse bisection. It is an Error
// once `stop` says true.
void write_paper(const std::filesystem::path& folder, bool quick,
                 const std::function<bool()>& stop);

}  // namespace klingel::paper
