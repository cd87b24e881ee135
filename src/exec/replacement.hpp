// Kernels that run at once and are replaced by better ones while they run.
//
// The table a caller sees stays the same: its entries forward to whatever is best now. Both sets of
// kernels have the same workspace and the same bits, so it does not matter between which two calls
// the change happens. It costs one jump per call.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "exec/table.hpp"

namespace klingel::exec {

class Replacement {
 public:
  using Kernels = std::shared_ptr<const klingel_kernel>;
  // What comes out in the background: better kernels, or none, and what there is to say.
  struct Result {
    Kernels kernels;
    std::string note;
  };
  // Runs in a thread of its own, with low priority, as do the programs it starts. It ends soon
  // when asked to stop, and may throw base::Error.
  using Make = std::function<Result(const std::stop_token&)>;

  // `first` runs until `make` has come to its end. Both were made from the manifest's program.
  Replacement(Kernels first, const gen::Manifest& manifest, Make make);
  // Stops `make` and waits for its end.
  ~Replacement();
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  const klingel_kernel& abi() const { return table_->abi(); }

  bool is_done() const;      // better kernels run
  std::string note() const;  // what came out in the background; empty while it works
  void wait() const;         // until it has ended, whatever comes out

 private:
  // one entry of the table; its context
  struct Entry {
    std::atomic<const Call*> call;
  };
  static void forward(const void* context, const double* const* in, double* w, double* const* out);
  static std::vector<Call> calls_of(const klingel_kernel& kernels);
  void work(const Make& make, const std::stop_token& stop);

  Kernels first_, better_;
  std::vector<Call> first_calls_, better_calls_;
  std::unique_ptr<Entry[]> entries_;
  std::unique_ptr<Table> table_;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool ended_ = false, done_ = false;
  std::string note_;
  std::jthread thread_;  // the last member: it uses all others
};

}  // namespace klingel::exec
