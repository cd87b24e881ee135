#include "exec/replacement.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <span>
#include <system_error>

#include "base/assert.hpp"
#include "base/error.hpp"

namespace klingel::exec {
namespace {

// the simulation goes first: on Linux each thread has its own priority, and children inherit it
void step_back() {
  constexpr int nice = 10;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), nice);
}

// While it lives, this thread and those it starts take no signals: they belong to the threads that
// were there before.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~NoSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

void Replacement::forward(const void* context, const double* const* in, double* w,
                          double* const* out) {
  const Call& now = *static_cast<const Entry*>(context)->call.load(std::memory_order_acquire);
  now.call(now.context, in, w, out);
}

std::vector<Call> Replacement::calls_of(const klingel_kernel& kernels) {
  std::vector<Call> calls;
  for (const klingel_stage& s : std::span(kernels.stages, kernels.n_stages))
    calls.push_back({s.call, s.context});
  for (const klingel_function& f : std::span(kernels.functions, kernels.n_functions))
    calls.push_back({f.call, f.context});
  return calls;
}

Replacement::Replacement(Kernels first, const gen::Manifest& manifest, Make make)
    : first_(std::move(first)),
      first_calls_(calls_of(*first_)),
      entries_(std::make_unique<Entry[]>(first_calls_.size())) {
  KLINGEL_ASSERT_EQ(first_->workspace_size, manifest.workspace_size);
  std::vector<Call> calls;
  for (std::size_t i = 0; i < first_calls_.size(); ++i) {
    entries_[i].call = &first_calls_[i];
    calls.push_back({forward, &entries_[i]});
  }
  const std::span<const Call> all(calls);
  table_ =
      std::make_unique<Table>(manifest, all.first(first_->n_stages), all.subspan(first_->n_stages));
  const NoSignals none;
  try {
    thread_ = std::jthread([this, make = std::move(make)](const std::stop_token& stop) {
      step_back();
      work(make, stop);
    });
  } catch (const std::system_error& error) {
    ended_ = true;
    note_ = error.what();
  }
}

Replacement::~Replacement() = default;

void Replacement::work(const Make& make, const std::stop_token& stop) {
  std::string note;
  bool done = false;
  try {
    Result result = make(stop);
    note = std::move(result.note);
    if (result.kernels != nullptr) {
      KLINGEL_ASSERT_EQ(result.kernels->workspace_size, first_->workspace_size);
      better_ = std::move(result.kernels);
      better_calls_ = calls_of(*better_);
      KLINGEL_ASSERT_EQ(better_calls_.size(), first_calls_.size());
      for (std::size_t i = 0; i < better_calls_.size(); ++i)
        entries_[i].call.store(&better_calls_[i], std::memory_order_release);
      done = true;
    }
  } catch (const std::exception& error) {
    note = error.what();
  }
  const std::lock_guard lock(mutex_);
  ended_ = true;
  done_ = done;
  note_ = std::move(note);
  changed_.notify_all();
}

bool Replacement::is_done() const {
  const std::lock_guard lock(mutex_);
  return done_;
}

std::string Replacement::note() const {
  const std::lock_guard lock(mutex_);
  return note_;
}

void Replacement::wait() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ended_; });
}

}  // namespace klingel::exec
