/**
 * Generates state outlines from the Census Bureau's boundaries (us-atlas). outlines.ts is equirectangular, fitted into
 * 200 × 160 and thinned by Visvalingam's method; state-borders.ts has longitudes and latitudes, for maps of a part of a
 * state.
 */
import { execSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'state-maps-'))
execSync(`npm install --no-audit --no-fund us-atlas@3.0.1 topojson-client@3.1.0 --prefix "${folder}"`, {
  stdio: 'inherit',
})
const require = createRequire(join(folder, 'index.js'))
const { feature } = require('topojson-client')
const topology = require('us-atlas/states-10m.json')
rmSync(folder, { recursive: true })

const WIDTH = 200
const HEIGHT = 160
const MARGIN = 4
/** Minimum area of a triangle that Visvalingam's method keeps, in square units of the picture. */
const THIN = 0.9
/** Area up to which an outline is left out, in square units of the picture; a state's largest one is always drawn. */
const SPECK = 3

const FIPS =
  '01AL 02AK 04AZ 05AR 06CA 08CO 09CT 10DE 11DC 12FL 13GA 15HI 16ID 17IL 18IN 19IA 20KS 21KY 22LA 23ME 24MD 25MA 26MI 27MN 28MS 29MO 30MT 31NE 32NV 33NH 34NJ 35NM 36NY 37NC 38ND 39OH 40OK 41OR 42PA 44RI 45SC 46SD 47TN 48TX 49UT 50VT 51VA 53WA 54WV 55WI 56WY'
const CODE = new Map(FIPS.split(' ').map((entry) => [entry.slice(0, 2), entry.slice(2)]))

const area = (a, b, c) => Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2
const ringArea = (ring) =>
  Math.abs(
    ring.reduce((sum, [x, y], i) => sum + x * ring[(i + 1) % ring.length][1] - y * ring[(i + 1) % ring.length][0], 0),
  ) / 2

function thin(ring) {
  const points = ring.slice(0, -1)
  while (points.length > 4) {
    let least = Number.POSITIVE_INFINITY
    let at = 0
    for (let i = 0; i < points.length; i++) {
      const size = area(points.at(i - 1), points[i], points[(i + 1) % points.length])
      if (size < least) {
        least = size
        at = i
      }
    }
    if (least >= THIN) break
    points.splice(at, 1)
  }
  return points
}

function path(points) {
  const whole = points
    .map(([x, y]) => [Math.round(x), Math.round(y)])
    .filter((p, i, all) => i === 0 || p[0] !== all[i - 1][0] || p[1] !== all[i - 1][1])
  const steps = whole.slice(1).map(([x, y], i) => [x - whole[i][0], y - whole[i][1]])
  return `M${whole[0].join(' ')}l${steps.map(([x, y]) => `${x}${y < 0 ? '' : ' '}${y}`).reduce((all, s) => all + (all === '' || s.startsWith('-') ? '' : ' ') + s, '')}z`
}

/** Returns a ring as its first point and the step to each next point, in thousandths of a degree. */
function inDegrees(ring) {
  const whole = ring.map(([lng, lat]) => [Math.round(lng * 1000), Math.round(lat * 1000)])
  const steps = whole.map(([x, y], i) => (i === 0 ? [x, y] : [x - whole[i - 1][0], y - whole[i - 1][1]]))
  return steps
    .filter(([x, y]) => x !== 0 || y !== 0)
    .flat()
    .join(' ')
}

const lines = []
const borders = []
for (const state of feature(topology, topology.objects.states).features) {
  const code = CODE.get(String(state.id).padStart(2, '0'))
  if (!code) continue
  const polygons = state.geometry.type === 'Polygon' ? [state.geometry.coordinates] : state.geometry.coordinates
  // The Aleutians cross the 180th meridian.
  const rings = polygons.map((polygon) => polygon[0].map(([lng, lat]) => [lng > 0 ? lng - 360 : lng, lat]))
  borders.push([code, rings.map(inDegrees).join('z')])
  const all = rings.flat()
  const west = Math.min(...all.map((p) => p[0]))
  const east = Math.max(...all.map((p) => p[0]))
  const south = Math.min(...all.map((p) => p[1]))
  const north = Math.max(...all.map((p) => p[1]))
  const narrow = Math.cos((((south + north) / 2) * Math.PI) / 180)
  const scale = Math.min((WIDTH - 2 * MARGIN) / ((east - west) * narrow), (HEIGHT - 2 * MARGIN) / (north - south))
  const left = (WIDTH - (east - west) * narrow * scale) / 2
  const top = (HEIGHT - (north - south) * scale) / 2
  const flat = rings.map((ring) =>
    ring.map(([lng, lat]) => [left + (lng - west) * narrow * scale, top + (north - lat) * scale]),
  )
  const big = Math.max(...flat.map(ringArea))
  const d = flat
    .filter((ring) => ringArea(ring) > SPECK || ringArea(ring) === big)
    .map((ring) => path(thin(ring)))
    .join('')
  const number = (n) => Number(n.toFixed(4))
  // x = ax + lng · bx, y = ay − lat · by
  const numbers = [left - west * narrow * scale, narrow * scale, top + north * scale, scale].map(number)
  lines.push([code, numbers, d])
}
lines.sort((a, b) => (a[0] < b[0] ? -1 : 1))
writeFileSync(
  new URL('./outlines.ts', import.meta.url),
  `// Made by generate.mjs from the US Census Bureau's cartographic boundaries. Do not edit.
/** State code → [x at longitude 0, x per degree, y at latitude 0, −y per degree, outline] in a picture of 200 × 160. */
export const OUTLINES: Record<string, readonly [number, number, number, number, string]> = {
${lines.map(([code, numbers, d]) => `  ${code}: [${numbers.join(', ')}, '${d}'],`).join('\n')}
}
`,
)
borders.sort((a, b) => (a[0] < b[0] ? -1 : 1))
writeFileSync(
  new URL('./state-borders.ts', import.meta.url),
  `// Made by generate.mjs from the US Census Bureau's cartographic boundaries. Do not edit.
/** State code → rings separated by 'z': the first point, then the step to each next point, as longitude and latitude in 0.001°. */
export const BORDERS: Record<string, string> = {
${borders.map(([code, text]) => `  ${code}: '${text}',`).join('\n')}
}
`,
)
console.log(`${lines.length} states, longest outline ${Math.max(...lines.map((l) => l[2].length))} characters`)
