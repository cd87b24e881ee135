// A picture of a page, by a browser that happens to be installed.
#pragma once

#include <optional>
#include <string>

namespace klingel::paper {

// The page (HTML) in a window of this size as PNG: by Chromium or Chrome, without a screen. Nothing
// if there is no browser ($KLINGEL_BROWSER names another, $KLINGEL_NO_BROWSER means none), if it
// fails, or if it takes more than a minute.
std::optional<std::string> screenshot(const std::string& page, int width, int height);

}  // namespace klingel::paper
