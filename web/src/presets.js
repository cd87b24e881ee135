// Presets: plots that railway engineers need first, by families of channels. Channels that a
// recording does not have are left out.

const limitYQ = (recording) => {
  const a = recording.summary.assessment ?? {};
  // the lower one is drawn, both are at the top of the page
  if (a.limit_YQ < (a.nadal_limit ?? Infinity)) return [{ value: a.limit_YQ, label: `EN 14363 ${a.limit_YQ}` }];
  return Number.isFinite(a.nadal_limit) ? [{ value: a.nadal_limit, label: `Nadal ${a.nadal_limit.toFixed(2)}` }] : [];
};

const limitSum = (recording) => {
  const sets = Object.values(recording.summary.assessment?.wheelsets ?? {});
  const limits = sets.map((w) => w.limit_N).filter(Number.isFinite);
  if (!limits.length) return [];
  const least = Math.min(...limits);
  return [1, -1].map((sign) => ({ value: sign * least, label: `EN 14363 ${(least / 1e3).toFixed(0)} kN` }));
};

const words = { YQ: "Y/Q", sumY: "ΣY", Tgamma: "T-gamma", xi_x: "ξ_x", xi_y: "ξ_y", newton_q: "iterations", y_rel: "y" };
const plot = (title, families, limits) => ({ title, families, limits, quantity: words[families[0]] ?? families[0] });

export const presets = [
  { id: "overview", title: "Overview", plots: [
    plot("Lateral position of the wheelsets", ["y_rel"]),
    plot("Wheel load Q", ["Q"]),
    plot("Y/Q", ["YQ"], limitYQ),
  ] },
  { id: "path", title: "Path", paths: [
    { title: "Path in plan", x: "body.x", y: "body.y" },
    { title: "Path in elevation", x: "body.x", y: "body.z" },
  ] },
  { id: "hunting", title: "Hunting", plots: [
    plot("Lateral position of the wheelsets", ["y_rel"]),
    plot("Yaw of the wheelsets against the track", ["yaw_rel"]),
    plot("Yaw of the body against the track", ["body_rel.yaw"]),
    plot("Roll of the body against the track", ["body_rel.roll"]),
  ] },
  { id: "creepages", title: "Creepages", plots: [
    plot("Longitudinal creepage, tread", ["xi_x"]),
    plot("Lateral creepage, tread", ["xi_y"]),
    plot("Spin, tread", ["spin"]),
  ] },
  { id: "creep_forces", title: "Creep forces", plots: [
    plot("Longitudinal creep force, tread", ["fx"]),
    plot("Lateral creep force, tread", ["fy"]),
    plot("Spin moment, tread", ["mz"]),
    plot("Saturation, tread", ["saturation"]),
  ] },
  { id: "normal", title: "Normal forces", plots: [
    plot("Normal force, tread", ["N"]),
    plot("Normal force, flange", ["Nf"]),
  ] },
  { id: "guiding", title: "Y, Q, Y/Q", plots: [
    plot("Lateral force Y", ["Y"]),
    plot("Wheel load Q", ["Q"]),
    plot("Y/Q", ["YQ"], limitYQ),
  ] },
  { id: "shift", title: "Track shift", plots: [
    plot("Sum of Y of a wheelset", ["sumY"], limitSum),
    plot("Wear number T-gamma", ["Tgamma"]),
  ] },
  { id: "acceleration", title: "Accelerations", plots: [
    plot("Lateral acceleration at the floor", ["a_y"]),
    plot("Vertical acceleration at the floor", ["a_z"]),
    plot("Longitudinal acceleration at the floor", ["a_x"]),
    plot("Speed", ["speed"]),
  ] },
  { id: "numerics", title: "Numerics", histogram: true, plots: [
    plot("Newton iterations per step", ["newton_q", "newton_s"]),
    plot("Maximum residual of the constraints", ["phi"]),
    plot("Energy error", ["energy.error"]),
  ] },
];
