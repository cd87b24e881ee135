#include "study/threads.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace klingel::study {

void on_threads(std::size_t count, const std::function<void(std::size_t)>& work,
                const std::function<bool()>& stop) {
  std::mutex mutex;
  std::condition_variable ended;
  std::exception_ptr problem;
  std::size_t running = count;
  const auto guarded = [&](std::size_t i) {
    std::exception_ptr mine;
    try {
      work(i);
    } catch (...) {
      mine = std::current_exception();
    }
    const std::lock_guard<std::mutex> lock(mutex);
    if (mine && !problem) problem = mine;
    --running;
    ended.notify_one();
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < count; ++i) others.emplace_back(guarded, i);
    guarded(0);
    std::unique_lock<std::mutex> lock(mutex);
    while (!ended.wait_for(lock, std::chrono::milliseconds(20), [&] { return running == 0; })) {
      lock.unlock();
      if (stop) stop();
      lock.lock();
    }
  }
  if (problem) std::rethrow_exception(problem);
}

}  // namespace klingel::study
