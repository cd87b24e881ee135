// The one material of everything that is drawn: light from above and from a sun, fog. One short shader
// for all means two or three programs instead of a dozen, which a browser without a graphics card
// would compile for seconds. What has no normals (lines) and what is `flat` keeps its colour.

import { Color, DoubleSide, ShaderMaterial, Vector2, Vector3 } from "three";

const vertexShader = `
varying vec3 way;
varying float far;
void main() {
  vec4 place = vec4(position, 1.0);
  way = normal;
  #ifdef USE_INSTANCING
    place = instanceMatrix * place;
    way = mat3(instanceMatrix) * way;
  #endif
  way = mat3(modelMatrix) * way;
  vec4 seen = modelViewMatrix * place;
  far = -seen.z;
  gl_Position = projectionMatrix * seen;
}`;

// Lambert's law with an ambient, a hemisphere and a sun light; the rest is the curve of screens
const fragmentShader = `
uniform vec3 color;
uniform float opacity;
uniform float flatness;
uniform vec3 sun;
uniform vec3 sky;
uniform vec2 fog;
varying vec3 way;
varying float far;
void main() {
  float size = length(way);
  vec3 n = size > 0.0 ? way / size : vec3(0.0);
  if (!gl_FrontFacing) n = -n;
  vec3 light = vec3(0.16) + 0.35 * mix(vec3(0.25, 0.23, 0.19), vec3(1.0), 0.5 + 0.5 * n.z) + 0.64 * max(0.0, dot(n, sun));
  vec3 c = color * (size > 0.0 ? mix(light, vec3(1.0), flatness) : vec3(1.0));
  c = mix(c, sky, smoothstep(fog.x, fog.y, far));
  gl_FragColor = vec4(pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2)), opacity);
}`;

// The light of one scene: what all its materials share.
export class Light {
  constructor() {
    this.sun = { value: new Vector3(-8, -14, 22).normalize() };
    this.sky = { value: new Color() };
    this.fog = { value: new Vector2(120, 420) };
  }
}

// A colour as material; `more` are properties of three's materials, and flat.
export function paint(light, color, { flat = false, opacity = 1, ...more } = {}) {
  return new ShaderMaterial({
    uniforms: { color: { value: new Color(color) }, opacity: { value: opacity }, flatness: { value: flat ? 1 : 0 }, sun: light.sun, sky: light.sky, fog: light.fog },
    vertexShader,
    fragmentShader,
    side: DoubleSide,
    ...more,
  });
}
