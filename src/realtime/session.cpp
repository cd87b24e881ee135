#include "realtime/session.hpp"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "base/file_writer.hpp"
#include "base/number.hpp"
#include "realtime/steal.hpp"
#include "realtime/stress.hpp"

namespace klingel::realtime {
namespace {

// Rows of the loop as CSV, written as they come.
class RowFile {
 public:
  RowFile(const std::string& path, const Layout& layout)
      : file_(path), row_(1 + layout.inputs.size() + layout.outputs.size()) {
    std::string head = "t";
    for (const LayoutSignal& s : layout.inputs) head += ",in." + s.name;
    for (const LayoutSignal& s : layout.outputs) head += "," + s.name;
    file_.write(head + "\n");
  }
  void take(Queue<double>& rows) {
    std::string text;
    while (rows.pop(row_)) {
      for (const double x : row_) text += base::shortest(x) + ",";
      text.back() = '\n';
    }
    file_.write(text);
  }
  void close() { file_.commit(); }

 private:
  base::FileWriter file_;
  std::vector<double> row_;
};

// What is done beside the loop: nothing of it may delay the loop.
class Aside {
 public:
  Aside(ModelPlant& plant, Queue<Period>& periods, Result& result)
      : plant_(plant), periods_(periods), result_(result) {}

  void work() {
    const std::int64_t stolen = stolen_time();
    const bool lost = stolen > stolen_;
    result_.stolen += stolen - stolen_;
    stolen_ = stolen;
    Period p;
    while (periods_.pop(p)) result_.statistics.add(p, lost);
    plant_.tend();
  }

 private:
  ModelPlant& plant_;
  Queue<Period>& periods_;
  Result& result_;
  std::int64_t stolen_ = stolen_time();
};

// A thread that is told to end, and waited for, whatever happens here.
class Ended {
 public:
  Ended(std::thread& thread, std::atomic<bool>& wanted) : thread_(thread), wanted_(wanted) {}
  ~Ended() {
    wanted_ = true;
    if (thread_.joinable()) thread_.join();
  }
  Ended(const Ended&) = delete;
  Ended& operator=(const Ended&) = delete;

 private:
  std::thread& thread_;
  std::atomic<bool>& wanted_;
};

int other_processor(int taken) {
  for (const int p : processors())
    if (p != taken) return p;
  return -1;
}

}  // namespace

Result run_session(ModelPlant& plant, Device* device, const Layout& layout,
                   const SessionOptions& options, const std::function<bool()>& stop,
                   const std::function<void(const Result&)>& look) {
  using namespace std::chrono_literals;
  Result result;
  result.loop = options.loop;
  result.statistics = Statistics(options.loop.period);
  result.limits = machine_limits();

  Queue<Period> periods(1 << 14);
  std::optional<Queue<double>> rows;
  std::optional<RowFile> file;
  if (!options.record.empty()) {
    rows.emplace(1 << 14, 1 + layout.inputs.size() + layout.outputs.size());
    file.emplace(options.record, layout);
  }
  std::optional<Queue<double>> shown;
  std::vector<double> shown_row(2 + plant.all_outputs());
  if (options.show) shown.emplace(16, shown_row.size());
  const auto show = [&] {
    while (shown && shown->pop(shown_row)) options.show(shown_row);
  };
  std::optional<Stress> stress;
  if (options.stress) stress.emplace(other_processor(options.permissions.cpu));
  const double planned = static_cast<double>(options.loop.periods * options.loop.period) * 1e-9;
  std::optional<Cyclictest> cyclictest;
  if (options.cyclictest && !options.loop.lockstep && planned > 0) {
    cyclictest.emplace(planned, options.loop.period);
    result.limits.push_back({"cyclictest", cyclictest->running(),
                             cyclictest->running()
                                 ? "cyclictest runs beside the loop"
                                 : "cyclictest is not installed (Debian: rt-tests): what the "
                                   "machine itself does was not measured"});
  }

  SystemClock clock;
  Loop loop(plant, device, layout, clock, options.loop, periods, rows ? &*rows : nullptr,
            shown ? &*shown : nullptr);
  std::atomic<bool> wanted_end = false, ended = false;
  std::vector<Limit> permitted;
  const std::int64_t begin = clock.now();
  std::thread thread([&] {
    // without a clock it takes turns with the device and must let it run
    if (!options.loop.lockstep) permitted = ask_permissions(options.permissions);
    result.ending = loop.run(wanted_end);
    ended = true;
  });
  const Ended end_of_thread(thread, wanted_end);
  Aside aside(plant, periods, result);
  for (int i = 1; !ended; ++i) {
    std::this_thread::sleep_for(options.loop.lockstep ? 1ms : 5ms);
    aside.work();
    if (file) file->take(*rows);
    show();
    if (stop()) wanted_end = true;
    if (look && i % 200 == 0) look(result);
  }
  thread.join();
  aside.work();
  if (file) {
    file->take(*rows);
    file->close();
    result.lost_rows = rows->dropped();
  }
  result.seconds = static_cast<double>(clock.now() - begin) * 1e-9;
  result.limits.insert(result.limits.end(), permitted.begin(), permitted.end());
  result.counts = loop.counts();
  if (device != nullptr) result.device = device->counts();
  result.lost_statistics = periods.dropped();
  if (shown) result.lost_views = shown->dropped();
  if (cyclictest) result.cyclictest = cyclictest->result();
  return result;
}

}  // namespace klingel::realtime
