#include "command/topics.hpp"

namespace klingel::command {
namespace {

constexpr Topic all[] = {
    {"vehicles", "Vehicle files and shipped vehicles",
     R"(A vehicle is a TOML file: parameters, coordinates, bodies, springs, dampers, wheelsets. Commands
take the file, its folder (then vehicle.toml in it) or the name of a shipped vehicle.

  klingel list vehicles       names of shipped vehicles
  klingel check manchester1   a summary of a vehicle file
  klingel check --keys        every key with unit, default and meaning

A file can start from another one: extends = "manchester1". The option --set NAME=VALUE changes a
parameter for one run.

More: docs/vehicle_format.md.)"},
    {"tracks", "Track files and shipped tracks",
     R"(A track is a TOML file: gauge, rail profile, a list of sections (straight, arc, transition), cant
and irregularities. Curves to the left are positive.

  klingel list tracks         names of shipped tracks
  klingel track curve_300     a summary of a track file
  klingel run manchester1 --track curve_300

More: docs/track_format.md.)"},
    {"profiles", "Profiles of wheels and rails",
     R"(A profile is a cross-section of a wheel or a rail head. It is named by one of these:

  S1002, 60E1, UIC60          built in
  cylinder, cone:0.05         simple wheels; the number is the conicity
  arc:0.3                     an arc; the number is its radius in m
  feve_wheel                  a shipped file; 'klingel list profiles' lists them
  worn.csv, wheel.prw         a file: .csv, .dat, .prw, .prr or .pieces

':1:40' at the end of any name inclines the profile towards the middle of the track: 60E1:1:40.

More: docs/profiles.md.)"},
    {"scenarios", "Scenario files and shipped scenarios",
     R"(A scenario says how a vehicle is run: track, speed, duration, time step, friction, inputs, what is
recorded. A vehicle has a default one: scenario.toml in its folder.

  klingel list scenarios      names of shipped scenarios
  klingel run coach_300m
  klingel run my_scenario.toml --speed 20 --out results --csv

Options of 'klingel run' replace what the scenario says.

More: docs/scenarios.md, and docs/vehicle_format.md, 'scenario file'.)"},
    {"channels", "What a run records",
     R"(Results are columns, called channels. W is the name of a wheel (front.rear.left), S of a wheelset
(front.rear).

  t, s                 time in s, position along the track in m
  Q.W, Y.W             vertical and lateral force of the rail on the wheel in N
  N.W, Nf.W            normal force at the tread and at the flange in N
  YQ.W                 Y/Q
  y_rel.S, sumY.S      lateral position of the wheelset in m, sum of its Y in N
  body.x ... body.yaw  position and angles of the vehicle's body in m and rad
  speed                speed of the vehicle's body in m/s
  fx.W, fy.W, mz.W     creep forces in N and spin moment in N m
  xi_x.W, xi_y.W       creepages
  q.*, dq.*            coordinates and their rates
  energy.*             energies and work in J
  force.*, stroke.*    of force elements, with rate.*; moment.*, turn.* and turn_rate.* of turns
  output.*, sensor.*   of the vehicle file

'klingel channels WHAT' lists all channels of a vehicle with units and meanings.

Recorded by default: t, s, N, Nf, y_rel, Y, Q, body, speed, output, sensor. Add others by patterns:

  klingel run coach_300m --out results --csv --channels 'q.*,fx.*')"},
    {"units", "Units, axes and signs",
     R"(Files and channels use SI units: m, s, kg, N, rad. Where a command uses mm, kN or GPa, its help
says so.

x points forward along the track, y to the left, z up. Curves to the left have positive curvature.
Cant is positive if the left rail is higher. In profiles y points outwards and z down.)"},
    {"exit-codes", "Exit codes of the program",
     R"(  0  success
  1  internal error: a mistake in the program; please report it
  2  wrong input: the arguments or a file cannot be used; the message says where and why
  3  numeric failure: the input was valid, but the computation did not succeed
  130, 143  a run was stopped by SIGINT (Ctrl-C) or SIGTERM; its results so far are written

'klingel run' ends as completed, end of track or derailed (0), stopped (130, 143) or failed (3). If a
file of results cannot be written, its table is printed and the code is 2.)"},
    {"files", "Where files are searched, and environment variables",
     R"(Names of vehicles, tracks, profiles and scenarios are files or shipped names. Shipped data are in
share/klingel of the installation, or in the source folder.

  KLINGEL_DATA         a folder that is searched first: vehicles/, tracks/, profiles/, scenarios/
  KLINGEL_BROWSER      the browser that takes pictures for 'klingel paper'
  KLINGEL_NO_BROWSER   if set, no pictures are taken)"},
};

}  // namespace

std::span<const Topic> topics() { return all; }

}  // namespace klingel::command
