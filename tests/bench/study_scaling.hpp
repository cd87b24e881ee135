// How long a study takes on more cores than this machine has, on paper from measured times.
//
// Process 0 gives out groups of `lanes` cases and writes the journal; the others run them. With P
// processes, N cases, t seconds per case, m seconds of process 0 per message:
//
//   start   s + (machines) (bytes read) / (rate of the file server)
//   work    max(ceil(N / (lanes (P - 1))) (lanes t + m + pause), N / lanes m / (1 - y))
//   end     N e: process 0 alone reads the journal and writes table and page
//
// y is the share of a second in which the journal waits for its disk. Not in it: the latency of a
// network (about 1e-5 of a group), cases that take longer than others, machines that fail.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace klingel::study_bench {

struct Overheads {
  double case_s = 0;       // t, on lanes, one processor
  double start_s = 0;      // s
  double start_bytes = 0;  // program and files that a process reads
  double message_s = 0;    // m
  double message_bytes = 0;
  double pause_s = 1e-4;  // mean; process 0 looks for messages every 0.2 ms when there are none
  double journal_bytes = 0;
  double sync_s = 0;  // of a write to disk, once per second
  double end_s = 0;   // e
  double lanes = 4;
};

// assumed, not measured
constexpr double cores_per_machine = 64, file_server_bytes_per_s = 1e9;

struct Estimate {
  double cores, start_s, work_s, end_s;
  double leader_share;         // of the work's time in which process 0 is busy
  double journal_bytes_per_s;  // while it works
  double efficiency;           // N t / (P wall)
  double wall_s() const { return start_s + work_s + end_s; }
};

inline Estimate estimate(const Overheads& o, double cases, double cores) {
  const double workers = std::max(1.0, cores - 1), groups = cases / o.lanes;
  const double machines = std::ceil(cores / cores_per_machine);
  Estimate e{};
  e.cores = cores;
  e.start_s = o.start_s + machines * o.start_bytes / file_server_bytes_per_s;
  const double leader = groups * o.message_s / (1 - std::min(0.9, o.sync_s));
  e.work_s = std::max(std::ceil(groups / workers) * (o.lanes * o.case_s + o.message_s + o.pause_s),
                      leader);
  e.end_s = cases * o.end_s;
  e.leader_share = leader / e.work_s;
  e.journal_bytes_per_s = cases * o.journal_bytes / e.work_s;
  e.efficiency = cases * o.case_s / (cores * e.wall_s());
  return e;
}

// Above so many cores process 0 is always busy, and more of them are of no use.
inline double most_cores(const Overheads& o) {
  return 1 + o.lanes * o.case_s * (1 - std::min(0.9, o.sync_s)) / o.message_s;
}

}  // namespace klingel::study_bench
