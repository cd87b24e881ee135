#include "realtime/plant.hpp"

#include <cmath>
#include <cstdio>

#include "base/error.hpp"

namespace klingel::realtime {

using runtime::Status;

WetSection wet_section(const std::string& text) {
  WetSection w;
  int used = 0;
  if (std::sscanf(text.c_str(), "%lf:%lf:%lf%n", &w.from, &w.to, &w.mu, &used) != 3 ||
      static_cast<std::size_t>(used) != text.size() || !(w.from < w.to) || !(w.mu > 0 && w.mu <= 2))
    base::fail("--wet takes FROM:TO:FRICTION in m, with a friction above 0 and up to 2, found '{}'",
               text);
  return w;
}

ModelPlant::ModelPlant(std::shared_ptr<const capi::Model> model, const Layout& layout,
                       std::vector<WetSection> wet)
    : model_(std::move(model)), wet_(std::move(wet)) {
  for (const LayoutSignal& s : layout.inputs) inputs_.push_back(s.index);
  for (const LayoutSignal& s : layout.outputs) outputs_.push_back(s.index);
  const std::vector<capi::Variable>&inputs = model_->of(capi::Kind::input),
        &outputs = model_->of(capi::Kind::output);
  for (std::size_t i = 0; i < inputs.size() && !wet_.empty(); ++i) {
    if (!inputs[i].name.starts_with("friction.")) continue;
    friction_.push_back(i);
    dry_.push_back(inputs[i].start);
  }
  while (abscissa_ < outputs.size() && outputs[abscissa_].name != "s") ++abscissa_;
  if (!wet_.empty() && abscissa_ == outputs.size())
    base::fail("--wet is for vehicles on a track; '{}' has no output s", model_->name);

  runner_ = model_->make();
  runner_->start();
  base::ByteWriter bytes;
  runner_->save(bytes);
  start_ = bytes.bytes();
  for (Spare* spare : {&next_, &rehearsed_}) {
    spare->runner = model_->make();
    restart(*spare);
  }
}

void ModelPlant::restart(Spare& spare) {
  base::ByteReader bytes(start_);
  spare.runner->restore(bytes);
  spare.ready.store(true, std::memory_order_release);
}

void ModelPlant::tend() {
  for (Spare* spare : {&next_, &rehearsed_})
    if (!spare->ready.load(std::memory_order_acquire)) restart(*spare);
}

void ModelPlant::set_inputs(std::span<const double> values) noexcept {
  for (std::size_t i = 0; i < inputs_.size(); ++i) runner_->set_input(inputs_[i], values[i]);
}

void ModelPlant::wet_rails() noexcept {
  if (wet_.empty()) return;
  const double s = runner_->output(abscissa_);
  const WetSection* here = nullptr;
  for (const WetSection& w : wet_)
    if (w.from <= s && s < w.to) here = &w;
  for (std::size_t i = 0; i < friction_.size(); ++i)
    runner_->set_input(friction_[i], here != nullptr ? here->mu : dry_[i]);
}

Status ModelPlant::step() noexcept {
  wet_rails();
  return runner_->step(model_->step);
}

void ModelPlant::read_outputs(std::span<double> values) noexcept {
  for (std::size_t i = 0; i < outputs_.size(); ++i) values[i] = runner_->output(outputs_[i]);
}

void ModelPlant::read_all(std::span<double> values) noexcept {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = runner_->output(i);
}

bool ModelPlant::is_over(capi::Runner& runner) const noexcept {
  // half a step before: times are rounded
  return runner.time() > model_->duration - model_->step / 2 || runner.at_end();
}
bool ModelPlant::ended() const noexcept { return is_over(*runner_); }

bool ModelPlant::begin_again() noexcept {
  if (!next_.ready.load(std::memory_order_acquire)) return false;
  std::swap(runner_, next_.runner);
  next_.ready.store(false, std::memory_order_release);
  return true;
}

void ModelPlant::rehearse() noexcept {
  if (!rehearsed_.ready.load(std::memory_order_acquire)) return;
  capi::Runner& copy = *rehearsed_.runner;
  if (copy.step(model_->step) != Status::ok || is_over(copy))
    rehearsed_.ready.store(false, std::memory_order_release);
}

}  // namespace klingel::realtime
