// A result for programs (JSON) and for people.
#include <fmt/format.h>

#include "base/json.hpp"
#include "realtime/session.hpp"

namespace klingel::realtime {
namespace {

double us(std::int64_t ns) { return static_cast<double>(ns) * 1e-3; }

void times(base::Json& json, const char* key, const Histogram& h, bool low_end = false) {
  json.key(key).begin_object();
  if (low_end) {
    json.key("min").value(us(h.least()));
    json.key("p001").value(us(h.percentile(0.001)));
    json.key("p01").value(us(h.percentile(0.01)));
  }
  json.key("p50").value(us(h.percentile(0.5))).key("p99").value(us(h.percentile(0.99)));
  json.key("p999").value(us(h.percentile(0.999)));
  json.key("p99999").value(us(h.percentile(0.99999)));
  json.key("max").value(us(h.most())).end_object();
}

void worst(base::Json& json, const char* key, const Period& p) {
  json.key(key).begin_object();
  json.key("period").value(p.number).key("t").value(p.t);
  json.key("step_us").value(us(p.step)).key("step_own_us").value(us(p.step_own));
  json.key("wake_us").value(us(p.wake)).key("why").begin_array(true);
  for (const std::string& reason : Statistics::reasons(p)) json.value(reason);
  json.end_array().end_object();
}

void limits(base::Json& json, const std::vector<Limit>& list) {
  json.key("limits").begin_object();
  for (const Limit& l : list) {
    json.key(l.what).begin_object();
    json.key("permitted").value(l.permitted).key("text").value(l.text).end_object();
  }
  json.end_object();
}

const char* name(Ending::Why why) {
  switch (why) {
    case Ending::Why::done:
      return "done";
    case Ending::Why::end_of_run:
      return "end of run";
    case Ending::Why::overrun:
      return "overrun";
    case Ending::Why::derailed:
      return "derailed";
    case Ending::Why::failed:
      return "failed";
    case Ending::Why::device_silent:
      return "device silent";
  }
  return "";
}

std::string line(const char* what, const Histogram& h) {
  return fmt::format("{:<16}{:>9.1f}{:>10.1f}{:>10.1f}{:>10.1f}{:>11.1f}\n", what,
                     us(h.percentile(0.5)), us(h.percentile(0.99)), us(h.percentile(0.999)),
                     us(h.percentile(0.99999)), us(h.most()));
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : ", ") + w;
  return text;
}

}  // namespace

std::string json_text(const Result& r) {
  const Statistics& s = r.statistics;
  base::Json json;
  json.begin_object();
  json.key("end").value(name(r.ending.why)).key("message").value(r.ending.message);
  json.key("seconds").value(r.seconds).key("periods").value(r.counts.periods);
  json.key("period_us").value(us(r.loop.period)).key("steps_per_period").value(r.loop.steps);
  times(json, "step_us", s.step);
  times(json, "step_own_us", s.step_own);
  times(json, "wake_us", s.wake);
  times(json, "io_us", s.io);
  times(json, "slack_us", s.slack, true);
  json.key("overruns").value(s.overruns).key("overruns_own").value(s.overruns_own);
  json.key("overruns_stolen").value(s.overruns_stolen);
  json.key("skipped").value(r.counts.skipped).key("made_up").value(r.counts.made_up);
  json.key("restarts").value(r.counts.restarts).key("held_at_end").value(r.counts.held_at_end);
  json.key("page_faults").value(s.minor_faults + s.major_faults);
  json.key("preempted").value(s.preempted).key("migrated").value(s.migrated);
  json.key("stolen_ms").value(static_cast<double>(r.stolen) * 1e-6);
  worst(json, "worst", s.worst);
  worst(json, "worst_own", s.worst_own);
  json.key("device").begin_object();
  json.key("received").value(r.device.received).key("malformed").value(r.device.malformed);
  json.key("old").value(r.device.old).key("missing").value(r.counts.missing);
  json.key("safe_periods").value(r.counts.safe).end_object();
  json.key("dropped_statistics").value(r.lost_statistics).key("dropped_rows").value(r.lost_rows);
  json.key("dropped_views").value(r.lost_views);
  if (r.worst_case) {
    const WorstCase& w = *r.worst_case;
    json.key("worst_case").begin_object();
    json.key("forced_us").value(us(w.longest)).key("forced_p50_us").value(us(w.median));
    json.key("plain_us").value(us(w.plain)).key("steps").value(w.steps);
    json.key("failed").value(w.failed).end_object();
  }
  if (r.cyclictest) {
    json.key("cyclictest_us").begin_object().key("min").value(r.cyclictest->least);
    json.key("mean").value(r.cyclictest->mean).key("max").value(r.cyclictest->most).end_object();
  }
  limits(json, r.limits);
  return json.end_object().text();
}

std::string summary_text(const Result& r) {
  const Statistics& s = r.statistics;
  std::string text = fmt::format("{:<16}{:>9}{:>10}{:>10}{:>10}{:>11}\n", "us", "50 %", "99 %",
                                 "99.9 %", "99.999 %", "largest");
  text += line("step", s.step) + line("  of our own", s.step_own);
  if (!r.loop.lockstep) text += line("wake-up", s.wake);
  text += line("input, output", s.io);
  if (!r.loop.lockstep) {
    text += fmt::format("slack at least {:.1f} us, in 99.9 % of periods {:.1f} us\n",
                        us(s.slack.least()), us(s.slack.percentile(0.001)));
    text += fmt::format("{} periods, {} overruns, {} of our own", r.counts.periods, s.overruns,
                        s.overruns_own);
    if (s.overruns_stolen > 0) text += fmt::format(", {} while time was stolen", s.overruns_stolen);
    if (r.counts.skipped > 0) text += fmt::format(", {} periods skipped", r.counts.skipped);
    if (r.counts.made_up > 0) text += fmt::format(", {} made up for", r.counts.made_up);
    text += "\n";
  }
  text += fmt::format("longest step: {:.1f} us ({:.1f} of our own) at t = {:.3f} s: {}\n",
                      us(s.worst.step), us(s.worst.step_own), s.worst.t,
                      joined(Statistics::reasons(s.worst)));
  text += fmt::format("of our own:   {:.1f} us at t = {:.3f} s: {}\n", us(s.worst_own.step_own),
                      s.worst_own.t, joined(Statistics::reasons(s.worst_own)));
  text += fmt::format(
      "{} page faults, {} times preempted, {} times moved, {:.0f} ms stolen from the machine\n",
      s.minor_faults + s.major_faults, s.preempted, s.migrated,
      static_cast<double>(r.stolen) * 1e-6);
  if (r.counts.restarts > 0) text += fmt::format("began again {} times\n", r.counts.restarts);
  const Device::Counts& d = r.device;
  if (d.received + d.malformed + d.old > 0)
    text += fmt::format(
        "device: {} frames, {} malformed, {} old; {} periods without a new one, {} with safe "
        "inputs\n",
        d.received, d.malformed, d.old, r.counts.missing, r.counts.safe);
  if (r.lost_statistics + r.lost_rows + r.lost_views > 0)
    text += fmt::format(
        "left out: {} periods of the statistics, {} recorded rows, {} rows of the view\n",
        r.lost_statistics, r.lost_rows, r.lost_views);
  if (r.worst_case) {
    const WorstCase& w = *r.worst_case;
    text += fmt::format(
        "worst case: {:.1f} us with all loops of a step at their limits (median {:.1f}), warm, of "
        "{} steps; ordinary steps alike at most {:.1f}\n",
        us(w.longest), us(w.median), w.steps, us(w.plain));
    if (w.failed) text += "worst case: a step failed at its limits and ended the measurement\n";
  }
  if (r.cyclictest)
    text += fmt::format("cyclictest: {:g} to {:g} us, mean {:g}\n", r.cyclictest->least,
                        r.cyclictest->most, r.cyclictest->mean);
  return text;
}

}  // namespace klingel::realtime
