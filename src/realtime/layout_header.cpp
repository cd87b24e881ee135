#include <fmt/format.h>

#include <cctype>

#include "realtime/layout.hpp"

namespace klingel::realtime {
namespace {

std::string identifier(const std::string& name) {
  std::string text;
  for (const char c : name) text += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return text;
}

std::string names(const char* prefix, const std::vector<LayoutSignal>& signals) {
  std::string text = "enum {\n";
  std::size_t i = 0;
  for (const LayoutSignal& s : signals) {
    text += fmt::format("  {}_{} = {}, /* {}{}{} */\n", prefix, identifier(s.name), i++, s.name,
                        s.unit.empty() ? "" : ", ", s.unit);
  }
  return text + fmt::format("  {}S = {}\n}};\n", prefix, signals.size());
}

// What does not depend on the vehicle.
constexpr const char* fixed = R"(
/* A frame: 64 bytes of header, then numbers; little-endian, no gaps. */
typedef struct klingel_frame {
  uint32_t magic; /* 0x54524c4b, "KLRT" */
  uint16_t version, kind; /* 1; 1: outputs of the vehicle, 2: inputs from the device */
  uint32_t layout, count; /* KLINGEL_LAYOUT; of numbers */
  uint64_t sequence; /* 1, 2, ... of the sender */
  uint64_t answers;  /* the other side's sequence that was known; 0: none */
  uint64_t stamp_ns; /* monotonic clock of the sender */
  double time;       /* s of the simulated run; of outputs */
  uint32_t flags;    /* of outputs: 1 inputs are safe values, 2 at the end, 4 began again */
  uint32_t reserved;
  uint64_t reserved_too;
} klingel_frame;

typedef struct klingel_outputs {
  klingel_frame head;
  double value[KLINGEL_OUTPUTS];
} klingel_outputs;
typedef struct klingel_inputs {
  klingel_frame head;
  double value[KLINGEL_INPUTS];
} klingel_inputs;

/* Begins a frame of inputs. */
static inline void klingel_begin(klingel_inputs* in) {
  memset(in, 0, sizeof *in);
  in->head.magic = 0x54524c4bu;
  in->head.version = 1;
  in->head.kind = 2;
  in->head.layout = KLINGEL_LAYOUT;
  in->head.count = KLINGEL_INPUTS;
}

/* ---- shared memory --------------------------------------------------------------------------- */

/* A counter of frames and two slots, written in turn: frame k is in slot k mod 2. */
#define KLINGEL_LINES(bytes) (((bytes) + 63) / 64 * 64)
typedef struct klingel_link {
  unsigned char* memory;
  uint64_t seen;
} klingel_link;

/* Opens the memory of `klingel realtime --shm NAME`; 0, or -1 if it is not there (yet), -2 if it is
 * that of another vehicle or other signals. */
static inline int klingel_open(klingel_link* link, const char* name) {
  const size_t size = 64 + 128 + 2 * KLINGEL_LINES(sizeof(klingel_outputs)) +
                      2 * KLINGEL_LINES(sizeof(klingel_inputs));
  char path[256] = "/";
  strncat(path, name, sizeof path - 2);
  const int file = shm_open(path, O_RDWR, 0);
  if (file < 0) return -1;
  struct stat about;
  const int there = fstat(file, &about) == 0 && (size_t)about.st_size >= 64;
  const int fits = there && (size_t)about.st_size == size;
  void* memory = MAP_FAILED;
  if (fits) memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return there ? -2 : -1;
  uint32_t head[5];
  memcpy(head, memory, sizeof head);
  link->memory = (unsigned char*)memory;
  link->seen = 0;
  if (head[0] == 0) return munmap(memory, size), -1; /* not ready */
  if (head[0] != 0x4d534c4bu || head[1] != 1 || head[2] != KLINGEL_LAYOUT)
    return munmap(memory, size), -2;
  return 0;
}

/* 1 while the loop runs. */
static inline int klingel_is_running(const klingel_link* link) {
  return atomic_load((_Atomic uint32_t*)(void*)(link->memory + 20)) == 1;
}

/* The newest outputs; 0 if there are none since the last call. */
static inline int klingel_read(klingel_link* link, klingel_outputs* out) {
  _Atomic uint64_t* count = (_Atomic uint64_t*)(void*)(link->memory + 64);
  for (int i = 0; i < 4; ++i) {
    const uint64_t newest = atomic_load_explicit(count, memory_order_acquire);
    if (newest == link->seen) return 0;
    _Atomic uint64_t* slot = (_Atomic uint64_t*)(void*)(link->memory + 128 +
                             (newest & 1) * KLINGEL_LINES(sizeof *out));
    for (size_t k = 0; k < sizeof *out / 8; ++k) {
      const uint64_t word = atomic_load_explicit(slot + k, memory_order_relaxed);
      memcpy((char*)out + 8 * k, &word, 8);
    }
    atomic_thread_fence(memory_order_acquire);
    if (atomic_load_explicit(count, memory_order_relaxed) != newest) continue;
    link->seen = newest;
    return 1;
  }
  return 0;
}

/* Sends inputs that answer these outputs; counts their sequence. */
static inline void klingel_write(klingel_link* link, klingel_inputs* in, const klingel_outputs* out) {
  unsigned char* box = link->memory + 128 + 2 * KLINGEL_LINES(sizeof *out);
  _Atomic uint64_t* count = (_Atomic uint64_t*)(void*)box;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  in->head.stamp_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  ++in->head.sequence;
  in->head.answers = out->head.sequence;
  const uint64_t next = atomic_load_explicit(count, memory_order_relaxed) + 1;
  atomic_thread_fence(memory_order_release);
  _Atomic uint64_t* slot =
      (_Atomic uint64_t*)(void*)(box + 64 + (next & 1) * KLINGEL_LINES(sizeof *in));
  for (size_t k = 0; k < sizeof *in / 8; ++k) {
    uint64_t word;
    memcpy(&word, (char*)in + 8 * k, 8);
    atomic_store_explicit(slot + k, word, memory_order_relaxed);
  }
  atomic_store_explicit(count, next, memory_order_release);
}
)";

}  // namespace

std::string c_header(const Layout& layout) {
  std::string text = fmt::format(
      R"(/* What '{0}' says and hears in a real-time loop of Klingel; written by
 * klingel realtime --header. For C11 on Linux. docs/realtime.md describes frames and memory. */
#ifndef KLINGEL_REALTIME_H
#define KLINGEL_REALTIME_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define KLINGEL_LAYOUT {1:#x}u

/* Places of numbers in frames. */
)",
      layout.model, layout.hash);
  text += names("KLINGEL_OUTPUT", layout.outputs);
  text += names("KLINGEL_INPUT", layout.inputs);
  text += fixed;
  text += "\n#endif\n";
  return text;
}

}  // namespace klingel::realtime
