// The vehicle of a real-time loop in a browser. It watches: rows come from the loop through a
// queue, and nothing of a page reaches the loop.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "capi/model.hpp"
#include "scene/live_page.hpp"

namespace klingel::cli {

class RealtimeView {
 public:
  // Listens on this machine when it returns; port 0 is any free one.
  RealtimeView(compile::CompiledVehicle compiled, const capi::Model& model, int port);

  std::string url() const { return server_->url(); }
  // A row of the loop: how often the run began again, time, all outputs.
  void show(std::span<const double> row);
  void end(const std::string& message);

 private:
  void take(std::span<const double> row);

  compile::PreparedRun p_;
  scene::LivePage page_;
  std::vector<record::Channel> channels_;
  std::vector<std::size_t> q_, s_r_;  // places in a row
  std::vector<double> at_q_, at_s_r_, values_;
  view::FrameHead head_;
  std::unique_ptr<view::Server> server_;
};

}  // namespace klingel::cli
