#include "study/run_study.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <unordered_set>

#include "base/error.hpp"
#include "study/threads.hpp"

namespace klingel::study {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

std::size_t checked_lanes(std::size_t lanes) {
  if (lanes != 1 && lanes != 4 && lanes != 8)
    base::fail("expected 1, 4 or 8 lanes, found {}", lanes);
  return lanes;
}

JournalHead PreparedStudy::head() const {
  return {values_.cases(), study_.measures.size(), digest_};
}

std::filesystem::path PreparedStudy::journal_path(const std::filesystem::path& folder,
                                                  const Shard& shard) {
  if (shard.parts == 1) return folder / "cases.journal";
  return folder / fmt::format("cases_{}_of_{}.journal", shard.part + 1, shard.parts);
}

std::vector<CaseGroup> PreparedStudy::groups(const std::vector<std::size_t>& cases,
                                             std::size_t lanes) const {
  std::vector<CaseGroup> list;
  std::map<std::string, std::size_t> open;  // the last group of a key
  for (const std::size_t which : cases) {
    const std::string key = key_of(which);
    const auto found = open.find(key);
    if (found != open.end() && list[found->second].cases.size() < lanes) {
      list[found->second].cases.push_back(which);
      continue;
    }
    open[key] = list.size();
    list.push_back({key, {which}});
  }
  // those that share a compiled vehicle one after the other
  std::stable_sort(list.begin(), list.end(),
                   [](const CaseGroup& a, const CaseGroup& b) { return a.key < b.key; });
  return list;
}

std::vector<CaseGroup> PreparedStudy::left(const CaseJournal& journal, const StudyOptions& options,
                                           StudyCount& count) const {
  std::unordered_set<std::size_t> known;
  for (const CaseResult& r : journal.found()) {
    if (!options.shard.has(r.number)) continue;
    known.insert(r.number);
    count.failed += r.failed() ? 1 : 0;
  }
  count.found = known.size();
  std::vector<std::size_t> cases;
  for (std::size_t i = options.shard.part; i < values_.cases(); i += options.shard.parts)
    if (!known.contains(i)) cases.push_back(i);
  count.cases = known.size() + cases.size();
  return groups(cases, options.lanes);
}

StudyCount PreparedStudy::run(const StudyOptions& options) const {
  const Clock::time_point begin = Clock::now();
  CaseJournal journal(journal_path(options.folder, options.shard), head());
  StudyCount count;
  const std::vector<CaseGroup> work = left(journal, options, count);
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  const auto worker = [&](std::size_t) {
    try {
      StudyWorker mine(*this, options);
      for (;;) {
        const std::size_t i = next++;
        if (i >= work.size() || (options.stop && options.stop())) return;
        const std::vector<CaseResult> results = mine.run(work[i]);
        const std::lock_guard<std::mutex> lock(mutex);
        journal.add(results);
        count.run += results.size();
        for (const CaseResult& r : results) count.failed += r.failed() ? 1 : 0;
        if (options.progress) options.progress(count.found + count.run, count.cases);
      }
    } catch (...) {
      next = work.size();
      throw;
    }
  };
  on_threads(std::clamp<std::size_t>(work.size(), 1, options.threads), worker, options.stop);
  journal.flush();
  count.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return count;
}

std::vector<CaseResult> PreparedStudy::known(const std::filesystem::path& folder) const {
  std::map<std::size_t, CaseResult> results;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::filesystem::path name = entry.path().filename();
    if (name.extension() != ".journal" || !name.string().starts_with("cases")) continue;
    for (CaseResult& r : read_journal(entry.path(), head()))
      results.emplace(r.number, std::move(r));
  }
  std::vector<CaseResult> list;
  for (auto& [number, r] : results) list.push_back(std::move(r));
  return list;
}

std::vector<CaseResult> PreparedStudy::collect(const std::filesystem::path& folder) const {
  std::vector<CaseResult> list = known(folder);
  if (list.size() != values_.cases()) {
    std::size_t first = 0;
    while (first < list.size() && list[first].number == first) ++first;
    base::fail(
        "{} of {} cases are missing in '{}', the first is number {}; run the study again, or "
        "the shards that are missing",
        values_.cases() - list.size(), values_.cases(), folder.string(), first);
  }
  return list;
}

}  // namespace klingel::study
