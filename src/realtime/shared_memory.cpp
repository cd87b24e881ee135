#include "realtime/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "base/error.hpp"

namespace klingel::realtime {
namespace {

constexpr std::size_t cache_line = 64;
std::size_t whole_lines(std::size_t bytes) {
  return (bytes + cache_line - 1) / cache_line * cache_line;
}

std::uint64_t* counter(std::byte* memory) { return reinterpret_cast<std::uint64_t*>(memory); }

}  // namespace

Mailbox::Mailbox(std::byte* memory, std::size_t frame_bytes)
    : memory_(memory), words_(frame_bytes / 8) {}

std::size_t Mailbox::bytes(std::size_t frame_bytes) {
  return cache_line + 2 * whole_lines(frame_bytes);
}

std::uint64_t* Mailbox::slot(std::uint64_t count) const {
  return counter(memory_ + cache_line + (count & 1) * whole_lines(8 * words_));
}

// Words are atomic each, so that a mixed copy is a defined thing that the counter shows.
void Mailbox::write(std::span<const std::byte> frame) noexcept {
  const std::atomic_ref<std::uint64_t> written(*counter(memory_));
  const std::uint64_t next = written.load(std::memory_order_relaxed) + 1;
  // readers must see the counter of the frame before move on before this slot changes
  std::atomic_thread_fence(std::memory_order_release);
  std::uint64_t* words = slot(next);
  for (std::size_t i = 0; i < words_; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, frame.data() + 8 * i, 8);
    std::atomic_ref<std::uint64_t>(words[i]).store(word, std::memory_order_relaxed);
  }
  written.store(next, std::memory_order_release);
}

bool Mailbox::read(std::span<std::byte> frame) noexcept {
  const std::atomic_ref<std::uint64_t> written(*counter(memory_));
  constexpr int most_tries = 4;  // a writer would have to be faster than copying, four times
  for (int i = 0; i < most_tries; ++i) {
    const std::uint64_t newest = written.load(std::memory_order_acquire);
    if (newest == seen_) return false;
    std::uint64_t* words = slot(newest);
    for (std::size_t k = 0; k < words_; ++k) {
      const std::uint64_t word =
          std::atomic_ref<std::uint64_t>(words[k]).load(std::memory_order_relaxed);
      std::memcpy(frame.data() + 8 * k, &word, 8);
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    if (written.load(std::memory_order_relaxed) != newest) continue;
    seen_ = newest;
    return true;
  }
  return false;
}

SharedMemoryDevice::SharedMemoryDevice(std::string name, const Frame& inputs, const Frame& outputs)
    : name_(std::move(name)), copy_(std::max(inputs.bytes(), outputs.bytes())) {
  if (name_.empty() || name_.find('/') != std::string::npos)
    base::fail("--shm takes a name without '/', found '{}'", name_);
  const int file = shm_open(("/" + name_).c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
  if (file < 0) {
    if (errno == EEXIST)
      base::fail(
          "shared memory '{}' exists: another loop uses it, or one ended without removing "
          "it; take another --shm name or remove /dev/shm/{}",
          name_, name_);
    base::fail("cannot make shared memory '{}': {}", name_, std::strerror(errno));
  }
  const std::size_t box = Mailbox::bytes(outputs.bytes());
  size_ = cache_line + box + Mailbox::bytes(inputs.bytes());
  void* memory = MAP_FAILED;
  if (ftruncate(file, static_cast<off_t>(size_)) == 0)
    memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  const int error = errno;
  close(file);
  if (memory == MAP_FAILED) {
    shm_unlink(("/" + name_).c_str());
    base::fail("cannot map shared memory '{}': {}", name_, std::strerror(error));
  }
  memory_ = static_cast<std::byte*>(memory);
  auto* head = new (memory_) Head{};
  head->version = 1;
  head->layout = outputs.header.layout;
  head->inputs = inputs.header.count;
  head->outputs = outputs.header.count;
  head->magic = magic;
  head->state.store(running, std::memory_order_release);
  boxes_.emplace_back(memory_ + cache_line, outputs.bytes());
  boxes_.emplace_back(memory_ + cache_line + box, inputs.bytes());
}

SharedMemoryDevice::~SharedMemoryDevice() {
  reinterpret_cast<Head*>(memory_)->state.store(ended, std::memory_order_release);
  munmap(memory_, size_);
  shm_unlink(("/" + name_).c_str());
}

bool SharedMemoryDevice::receive(Frame& inputs) noexcept {
  const std::span<std::byte> bytes(copy_.data(), inputs.bytes());
  return boxes_[1].read(bytes) && take(bytes, inputs);
}

void SharedMemoryDevice::send(const Frame& outputs) noexcept {
  const std::span<std::byte> bytes(copy_.data(), outputs.bytes());
  outputs.write(bytes);
  boxes_[0].write(bytes);
}

}  // namespace klingel::realtime
