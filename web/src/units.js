// Units as people read them: m that are millimetres, N that are kilonewtons.

const millimetres = new Set(["y_rel", "gap", "gap_f", "u_w", "u_r", "u_wf", "u_rf", "a", "b"]);

// { unit, factor } in which a channel is drawn.
export function shown(channel) {
  const family = channel.name.split(".")[0];
  if (channel.unit === "m" && millimetres.has(family)) return { unit: "mm", factor: 1e3 };
  if (channel.unit === "m" && family === "phi") return { unit: "nm", factor: 1e9 };
  if (channel.unit === "N") return family === "Tgamma" ? { unit: "N", factor: 1 } : { unit: "kN", factor: 1e-3 };
  if (channel.unit === "J") return { unit: "kJ", factor: 1e-3 };
  if (channel.unit === "1/m" && family.startsWith("curvature")) return { unit: "1/km", factor: 1e3 };
  if (channel.unit === "1" && family.startsWith("xi")) return { unit: "‰", factor: 1e3 };
  if (channel.unit === "rad" && ["angle", "anglef"].includes(family)) return { unit: "°", factor: 180 / Math.PI };
  if (channel.unit === "rad") return { unit: "mrad", factor: 1e3 };
  if (channel.unit === "m/s2") return { unit: "m/s²", factor: 1 };
  return { unit: channel.unit === "1" ? "" : channel.unit, factor: 1 };
}

export const label = (words, unit) => (unit ? `${words}, ${unit}` : words);

// Four digits, no exponent where it can be avoided.
export function short(v) {
  if (!Number.isFinite(v)) return "–";
  const a = Math.abs(v);
  if (a !== 0 && (a < 1e-3 || a >= 1e6)) return v.toExponential(2);
  return String(Number(v.toPrecision(4)));
}
