// Room for one letter: the newest. The writer never waits for the reader; a letter that
// was not fetched is replaced. Between two threads; the lock is held for the exchange of a pointer.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace klingel::view {

using Letter = std::shared_ptr<const std::string>;

class Mailbox {
 public:
  // True if it replaced a letter that was not fetched.
  bool put(Letter letter) {
    {
      const std::lock_guard lock(mutex_);
      std::swap(letter, latest_);
    }
    // the old one is freed here, outside of the lock
    return letter != nullptr;
  }

  // The newest letter that was not fetched yet, or null.
  Letter take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(latest_, nullptr);
  }

 private:
  std::mutex mutex_;
  Letter latest_;
};

}  // namespace klingel::view
