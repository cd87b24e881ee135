// What the numbers at the top mean; the long form is docs/report.md.

export const definitions = {
  YQ: ["Y/Q, mean over 2 m", "The largest mean, over 2 m of track, of the lateral force Y that pushes a wheel towards the middle of the track over its vertical force Q, both in the plane of the rails. Taken from the recorded rows. The limit is Nadal's: (tan γ − µ)/(1 + µ tan γ) with the largest angle γ of the wheel's flange and the friction µ of the run; above it a flange may climb. EN 14363 asks for 0.8 in curves, after a low-pass filter of 20 Hz, which is not applied here."],
  unloading: ["Wheel unloading ΔQ/Q₀", "The largest (Q₀ − Q)/Q₀ of a wheel. Q₀ is the mean load of the two wheels of its wheelset over the run. 1 means that the wheel has no load; 0.6 is the usual limit on twisted track."],
  sumY: ["Track shift force ΣY, mean over 2 m", "The largest mean over 2 m, without sign, of the sum of Y of the two wheels of a wheelset: what moves the track sideways. The limit is Prud'homme's, 10 kN + 2 Q₀/3, with the wheelset's load 2 Q₀ from the run."],
  Tgamma: ["Wear number T-gamma", "|f_x ξ_x| + |f_y ξ_y| of tread and flange: creep forces times creepages, the energy lost per metre, in N = J/m. The largest value of a recorded row; the mean is over the distance. Spin is not counted."],
  Wz: ["Sperling's ride index Wz", "4.42 (a_w)^0.3 with a_w the rms of the acceleration in m/s², weighted by B(f) = k √((1.911 f² + (0.25 f²)²)/((1 − 0.277 f²)² + (1.563 f − 0.0368 f³)²)), k = 0.588 vertically and 0.737 laterally. About 2 is good, 2.5 clearly felt, 3 unpleasant. The floor points are on the middle line of the body, over the front and rear running gear and half-way, at the height of the body's point. The whole run counts, its beginning included."],
  NMV: ["Mean comfort N_MV after EN 12299", "6 √(a_x² + a_y² + a_z²), where each a is the 95 % value of the rms over windows of 5 s of the weighted acceleration: W_d for x and y, W_b for z. The standard asks for 60 windows of 5 s on a line; a short run has few, so this is an index in its style. Below 1.5 very comfortable, 2.5 comfortable, 3.5 medium, above 4.5 very uncomfortable."],
  rtf: ["Real-time factor", "Simulated time over the wall time of the run, recording included. Above 1 the program is faster than reality. The time of single steps is in the preset 'Numerics'."],
  residual: ["Largest residual", "The largest distance by which a constraint between wheel and rail was violated after a step, in m."],
  energy: ["Energy balance", "What is missing in the balance of kinetic and potential energy, work of inputs, dampers and contact forces, over the sum of all work without regard to sign."],
  lift: ["Longest lift", "The longest time in a row in which a wheel touched its rail neither with the tread nor with the flange."],
  step: ["Step", "The time step of the integrator."],
};
