// Downloads: CSV of what is shown, PNG of a plot.

export function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name.replace(/[^\w.-]+/g, "_");
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const field = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const number = (v) => (Number.isFinite(v) ? String(Number(v.toPrecision(9))) : "nan");

// columns: [{ name, unit, values }], rows first to last (included)
export function csvText(columns, first, last) {
  const lines = [columns.map((c) => field(c.unit && c.unit !== "1" ? `${c.name} [${c.unit}]` : c.name)).join(",")];
  for (let i = first; i <= last; ++i) lines.push(columns.map((c) => number(c.values[i])).join(","));
  return lines.join("\n") + "\n";
}

export const saveCsv = (name, columns, first, last) => save(name + ".csv", new Blob([csvText(columns, first, last)], { type: "text/csv" }));

// A canvas on its ground, with a title and a legend of [label, colour, dashed].
export function savePng(name, canvas, title, legend, colours) {
  const ratio = window.devicePixelRatio || 1;
  const head = 28 * ratio;
  const picture = document.createElement("canvas");
  const c = picture.getContext("2d");
  const size = 12 * ratio;
  c.font = `${size}px system-ui, sans-serif`;
  // legend in as many rows as it needs
  const places = [];
  let [x, row] = [10 * ratio, 0];
  for (const [label] of legend) {
    const width = c.measureText(label).width + 34 * ratio;
    if (x + width > canvas.width && x > 10 * ratio) [x, row] = [10 * ratio, row + 1];
    places.push([x, row]);
    x += width;
  }
  picture.width = canvas.width;
  picture.height = head + canvas.height + (legend.length ? (row + 1) * 18 * ratio + 6 * ratio : 0);
  c.fillStyle = colours.ground;
  c.fillRect(0, 0, picture.width, picture.height);
  c.drawImage(canvas, 0, head);
  c.fillStyle = colours.ink;
  c.font = `600 ${14 * ratio}px system-ui, sans-serif`;
  c.textBaseline = "middle";
  c.fillText(title, 10 * ratio, head / 2);
  c.font = `${size}px system-ui, sans-serif`;
  legend.forEach(([label, colour, dashed], i) => {
    const y = head + canvas.height + (places[i][1] + 0.5) * 18 * ratio;
    c.strokeStyle = colour;
    c.lineWidth = 2 * ratio;
    c.setLineDash(dashed ? [4 * ratio, 3 * ratio] : []);
    c.beginPath();
    c.moveTo(places[i][0], y);
    c.lineTo(places[i][0] + 18 * ratio, y);
    c.stroke();
    c.fillStyle = colours.ink;
    c.fillText(label, places[i][0] + 23 * ratio, y);
  });
  picture.toBlob((blob) => save(name + ".png", blob), "image/png");
}
