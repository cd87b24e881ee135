#include "cli/realtime_view.hpp"

#include "base/error.hpp"
#include "report/page.hpp"

namespace klingel::cli {

RealtimeView::RealtimeView(compile::CompiledVehicle compiled, const capi::Model& model, int port)
    : p_(std::move(compiled)), page_(p_) {
  if (report::page_template().empty()) {
    base::fail(
        "this program was built without npm, so it has no page to show; leave out --view, or "
        "install nodejs and npm and build it again with network access: ./run build");
  }
  const std::vector<capi::Variable>& outputs = model.of(capi::Kind::output);
  channels_.push_back({"t", "s", "time"});
  for (const capi::Variable& v : outputs) channels_.push_back({v.name, v.unit, v.about});
  const auto place_of = [this](const std::string& name) {
    std::size_t i = 0;
    while (i < channels_.size() && channels_[i].name != name) ++i;
    if (i == channels_.size()) base::fail("the model has no output '{}'", name);
    return 1 + i;  // behind the count of restarts
  };
  for (const std::string& name : p_.simulator->coordinate_names())
    q_.push_back(place_of("q." + name));
  for (const step::WheelData& w : p_.simulator->data().wheels)
    s_r_.push_back(place_of("s_r." + w.name));
  at_q_.resize(q_.size()), at_s_r_.resize(s_r_.size());
  head_.speed = head_.reached = 1;

  // before the first row: the start, with forces of zero
  std::vector<double> row(2 + outputs.size());
  const step::VehicleState& state = p_.simulator->state();
  for (std::size_t i = 0; i < q_.size(); ++i) row[q_[i]] = state.q[i];
  for (std::size_t i = 0; i < s_r_.size(); ++i) row[s_r_[i]] = state.tread[i].s[2];
  take(row);
  view::ServerOptions options;
  options.port = static_cast<std::uint16_t>(port);
  server_ = std::make_unique<view::Server>(options, page_.html(values_, channels_, {}, true));
}

void RealtimeView::take(std::span<const double> row) {
  for (std::size_t i = 0; i < q_.size(); ++i) at_q_[i] = row[q_[i]];
  for (std::size_t i = 0; i < s_r_.size(); ++i) at_s_r_[i] = row[s_r_[i]];
  values_.assign(row.begin() + 1, row.end());
  page_.motion(at_q_, at_s_r_, values_);
}

void RealtimeView::show(std::span<const double> row) {
  take(row);
  head_.resets = static_cast<std::int64_t>(row[0]);
  ++head_.number;
  server_->send(view::frame_bytes(head_, values_));
  // pages that watch have nothing to say
  for (view::Command c; server_->next(c);)
    if (c.kind != view::Command::Kind::seen) server_->count_ignored();
}

void RealtimeView::end(const std::string& message) {
  head_.state = view::LiveState::paused;
  ++head_.number;
  server_->send(view::frame_bytes(head_, values_));
  if (!message.empty()) server_->tell(view::note(message));
}

}  // namespace klingel::cli
