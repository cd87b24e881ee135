// Work of several threads that can be stopped from the one that called.
#pragma once

#include <cstddef>
#include <functional>

namespace klingel::study {

// Calls work(0) to work(count - 1) at once, the first on this thread, and returns when all are
// done; the first exception is thrown then. Meanwhile this thread goes on asking `stop`, also when
// its own work is done: signals come to it only, where Python is.
void on_threads(std::size_t count, const std::function<void(std::size_t)>& work,
                const std::function<bool()>& stop);

}  // namespace klingel::study
