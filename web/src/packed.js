// Columns of numbers from text: the reverse of src/record/packed.hpp.

const block = 128;

export function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// value[i] = first + slope i + scale k, in blocks; k = -32768 is NaN
export function unpack(base64, count) {
  const bytes = bytesOf(base64);
  const view = new DataView(bytes.buffer);
  const values = new Float64Array(count);
  let at = 0;
  for (let begin = 0; begin < count; begin += block) {
    const n = Math.min(block, count - begin);
    const first = view.getFloat64(at, true);
    const slope = view.getFloat64(at + 8, true);
    const scale = view.getFloat32(at + 16, true);
    at += 20;
    for (let i = 0; i < n; ++i) {
      let k = 0;
      if (scale !== 0) {
        k = view.getInt16(at, true);
        at += 2;
      }
      values[begin + i] = k === -32768 ? NaN : first + slope * i + scale * k;
    }
  }
  if (at !== bytes.length) throw new Error("packed numbers have the wrong length");
  return values;
}

export function floats(base64) {
  return new Float32Array(bytesOf(base64).buffer);
}
