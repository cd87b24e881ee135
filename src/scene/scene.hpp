// What a vehicle looks like, from its file: solids by mass and inertia, springs between the points
// they act on, wheels and rails by their profiles. Shapes are guesses where the file holds no
// shape: see docs/report.md. How all of it moves is in scene_motion.hpp.
#pragma once

#include "assess/assessment.hpp"
#include "compile/prepare_run.hpp"
#include "record/scene.hpp"
#include "scene/scene_motion.hpp"

namespace klingel::scene {

// The scene of a vehicle at its start, on the part of the track between two abscissas.
record::Scene scene(const compile::PreparedRun& pipeline, ScenePoses& poses, double s_begin,
                    double s_end);

// Bodies of the model that look like bogie frames, by index: heavy, low and between wheelsets.
std::vector<std::size_t> bogie_bodies(const compile::PreparedRun& pipeline, ScenePoses& poses);

// Nadal's limit for the flattest flange of the vehicle's wheels and the largest friction, where
// there is a flange.
void set_nadal_limit(const compile::PreparedRun& pipeline, assess::Assessment& assessment);

}  // namespace klingel::scene
