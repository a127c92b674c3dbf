import { INK } from '../illustration-colors.ts'

type Point = readonly [w: number, d: number, z: number]
type Faces = readonly [top: string, right: string, left: string]
export const KRAFT: Faces = ['#eec593', '#d9a066', '#b97f45']
const STEEL: Faces = ['#eef1f2', '#cfd6da', '#a9b4ba']
const BLUE: Faces = ['#a9c0fb', '#7f9fe8', '#5a7bcb']
const GREEN: Faces = ['#a5d3bf', '#7db59e', '#56917a']
const WOOD: Faces = ['#d9a877', '#b67f4c', '#8f6036']
const CLAY: Faces = ['#ecb49b', '#d98f6c', '#b46c4c']
const LINEN: Faces = ['#fffdf6', '#e9e2d0', '#cfc6b0']
const DARK: Faces = ['#4a555c', '#323b40', '#23292c']
// Isometric projection, in tenths of a foot: a foot of width or depth moves a point by cos 30° across and by sin 30°
// down, a foot of height moves a point up.
export const across = (feet: number) => Math.round(feet * 8.66)
export const down = (feet: number) => Math.round(feet * 5)
export const up = (feet: number) => Math.round(feet * 10)

/** Projects a point in feet to the picture. Width runs right and down from the far corner, depth left and down. */
export const projectToPicture = ([w, d, z]: Point): [number, number] => [
  across(w) - across(d),
  down(w) + down(d) - up(z),
]
export const step = (x: number, y: number) => `${x}${y < 0 ? '' : ' '}${y}`
export const pair = (point: Point) => step(...projectToPicture(point))

export function shape(points: Point[]): string {
  return `M${points.map(pair).join('L')}z`
}

/** Returns the path of an upright face along the depth, facing right. */
export const rightFace = (w: number, d1: number, d2: number, upper: number, lower: number) =>
  shape([
    [w, d1, upper],
    [w, d2, upper],
    [w, d2, lower],
    [w, d1, lower],
  ])

/** Returns the SVG path of an upright face at depth `d`, from width `w1` to `w2`, which faces left in the drawing. */
export const leftFace = (w1: number, w2: number, d: number, upper: number, lower: number) =>
  shape([
    [w1, d, upper],
    [w2, d, upper],
    [w2, d, lower],
    [w1, d, lower],
  ])

export const topFace = (w1: number, w2: number, d1: number, d2: number, z: number) =>
  shape([
    [w1, d1, z],
    [w2, d1, z],
    [w2, d2, z],
    [w1, d2, z],
  ])

export interface Stroke {
  d: string
  fill?: string
  /** Stroke color and width, in SVG units; the drawing's default (`INK`, 2) if omitted. */
  line?: readonly [string, number]
}

/** Draws the three visible faces of an upright box at (w, d, z), a × b × h in feet. */
export function block(
  w: number,
  d: number,
  z: number,
  a: number,
  b: number,
  h: number,
  [top, right, left]: Faces,
): Stroke[] {
  const vw = step(across(a), down(a))
  const vd = step(-across(b), down(b))
  const back = step(-across(a), -down(a))
  const v = up(h)
  return [
    { d: `M${pair([w, d, z + h])}l${vw} ${vd} ${back}z`, fill: top },
    { d: `M${pair([w + a, d, z + h])}l${vd}v${v}l${step(across(b), -down(b))}z`, fill: right },
    { d: `M${pair([w, d + b, z + h])}l${vw}v${v}l${back}z`, fill: left },
  ]
}

/**
 * Returns the path of a circle, as a polygon of 14 corners, on a face of a piece of furniture.
 * @param on maps a point of the circle, relative to its center, to a point in the room, in feet
 */
const circle = (r: number, on: (along: number, z: number) => Point) =>
  shape(Array.from({ length: 14 }, (_, i) => on(Math.cos((i * Math.PI) / 7) * r, Math.sin((i * Math.PI) / 7) * r)))

function wheel(w: number, d: number, r: number): Stroke {
  const on = (along: number, z: number): Point => [w, d + along, r + z]
  return { d: circle(r, on) + circle(r * 0.4, on), fill: INK }
}

export interface Furniture {
  name: string
  /** Size in feet: `a` in the direction of the unit's width, `b` of its depth, `h` in height. */
  a: number
  b: number
  h: number
  draw: (w: number, d: number) => Stroke[]
}

export const FURNITURE = {
  dresser: {
    name: 'a dresser',
    a: 3.6,
    b: 1.8,
    h: 3.6,
    draw: (w, d) => [
      ...block(w, d, 0, 3.6, 1.8, 3.6, WOOD),
      { d: [1, 1.9, 2.8].map((z) => `M${pair([w + 0.2, d + 1.8, z])}l${step(across(3.2), down(3.2))}`).join('') },
    ],
  },
  fridge: {
    name: 'a fridge',
    a: 3,
    b: 2.7,
    h: 6,
    draw: (w, d) => [
      ...block(w, d, 0, 3, 2.7, 6, STEEL),
      {
        d: `M${pair([w, d + 2.7, 4])}l${step(across(3), down(3))}M${pair([w + 0.5, d + 2.7, 3.6])}v${up(1.2)}M${pair([w + 0.5, d + 2.7, 5.3])}v${up(0.8)}`,
      },
    ],
  },
  washer: {
    name: 'a washer',
    a: 2.4,
    b: 2.4,
    h: 3.2,
    draw: (w, d) => [
      ...block(w, d, 0, 2.4, 2.4, 3.2, LINEN),
      { d: circle(0.75, (along, z) => [w + 1.2 + along, d + 2.4, 1.4 + z]), fill: BLUE[0] },
      { d: `M${pair([w + 0.2, d + 2.4, 2.6])}l${step(across(2), down(2))}` },
    ],
  },
  sofa: {
    name: 'a sofa',
    a: 7,
    b: 3.1,
    h: 2.9,
    draw: (w, d) => [
      ...block(w, d, 0, 7, 0.9, 2.9, BLUE),
      ...block(w, d + 0.9, 0, 0.8, 2.2, 2, BLUE),
      ...block(w + 0.8, d + 0.9, 0, 5.4, 2.2, 1.4, BLUE),
      { d: `M${pair([w + 3.5, d + 0.9, 1.4])}l${step(-across(2.2), down(2.2))}v${up(1.4)}` },
      ...block(w + 6.2, d + 0.9, 0, 0.8, 2.2, 2, BLUE),
    ],
  },
  bed: {
    name: 'a queen bed',
    a: 5.2,
    b: 6.9,
    h: 3.2,
    draw: (w, d) => [
      ...block(w, d, 0, 5.2, 0.3, 3.2, WOOD),
      ...block(w, d + 0.3, 0.5, 5.2, 6.6, 1.3, LINEN),
      ...block(w + 0.4, d + 0.6, 1.8, 2, 1.3, 0.4, STEEL),
      ...block(w + 2.8, d + 0.6, 1.8, 2, 1.3, 0.4, STEEL),
      ...block(w, d + 2.9, 1.8, 5.2, 4, 0.15, GREEN),
      { d: rightFace(w + 5.2, d + 2.9, d + 6.9, 1.8, 0.8), fill: GREEN[1] },
      { d: leftFace(w, w + 5.2, d + 6.9, 1.8, 0.8), fill: GREEN[2] },
    ],
  },
  // The mattress stands on its edge, with its length along the unit's depth.
  mattress: {
    name: 'a mattress',
    a: 0.8,
    b: 6.3,
    h: 3.6,
    draw: (w, d) => [
      ...block(w, d, 0, 0.8, 6.3, 3.6, LINEN),
      { d: [1.6, 3.2, 4.8].map((n) => `M${pair([w + 0.8, d + n, 3.6])}v${up(3.6)}`).join(''), line: ['#cfc6b0', 2] },
    ],
  },
  table: {
    name: 'a table',
    a: 5,
    b: 3,
    h: 2.5,
    draw: (w, d) => [
      ...block(w + 0.2, d + 2.5, 0, 0.3, 0.3, 2.3, WOOD),
      ...block(w + 4.5, d + 0.2, 0, 0.3, 0.3, 2.3, WOOD),
      ...block(w + 4.5, d + 2.5, 0, 0.3, 0.3, 2.3, WOOD),
      ...block(w, d, 2.3, 5, 3, 0.2, WOOD),
    ],
  },
  // The piano stands with its length along the unit's depth.
  piano: {
    name: 'a piano',
    a: 2.1,
    b: 5,
    h: 4.2,
    draw: (w, d) => [
      ...block(w, d, 0, 1.3, 5, 4.2, DARK),
      ...block(w + 1.3, d, 1.7, 0.8, 5, 0.7, DARK),
      { d: topFace(w + 1.4, w + 2, d + 0.3, d + 4.7, 2.4), fill: LINEN[0] },
    ],
  },
  motorcycle: {
    name: 'a motorcycle',
    a: 2.4,
    b: 7.2,
    h: 3.8,
    draw: (w, d) => [
      wheel(w + 1.2, d + 1.2, 1.1),
      wheel(w + 1.2, d + 6, 1.1),
      ...block(w + 0.8, d + 1.8, 1.2, 0.8, 3.4, 1.1, DARK),
      ...block(w + 0.7, d + 1.2, 2.3, 1, 1.9, 0.4, DARK),
      ...block(w + 0.7, d + 3.2, 2.3, 1, 1.7, 0.8, GREEN),
      ...block(w, d + 5.1, 3.3, 2.4, 0.3, 0.3, STEEL),
    ],
  },
  car: {
    name: 'a car',
    a: 6,
    b: 14,
    h: 4.8,
    draw: (w, d) => [
      ...block(w, d, 0.9, 6, 14, 2, GREEN),
      { d: topFace(w + 0.9, w + 5.1, d + 2.8, d + 7.6, 4.6), fill: GREEN[0] },
      {
        d: shape([
          [w + 5.1, d + 2.8, 4.6],
          [w + 5.1, d + 7.6, 4.6],
          [w + 5.9, d + 9.6, 2.9],
          [w + 5.9, d + 0.8, 2.9],
        ]),
        fill: '#dbe6ff',
      },
      {
        d: shape([
          [w + 0.9, d + 7.6, 4.6],
          [w + 5.1, d + 7.6, 4.6],
          [w + 5.9, d + 9.6, 2.9],
          [w + 0.1, d + 9.6, 2.9],
        ]),
        fill: '#b9cdf7',
      },
      { d: `M${pair([w + 5.1, d + 5, 4.6])}L${pair([w + 5.9, d + 5, 2.9])}v${up(1.7)}` },
      {
        d: leftFace(w + 0.4, w + 1.6, d + 14, 2.5, 1.9) + leftFace(w + 4.4, w + 5.6, d + 14, 2.5, 1.9),
        fill: '#ffe9b0',
      },
      wheel(w + 6, d + 2.7, 1.1),
      wheel(w + 6, d + 11.2, 1.1),
    ],
  },
  pickup: {
    name: 'a pickup',
    a: 6.4,
    b: 18,
    h: 6.2,
    draw: (w, d) => [
      ...block(w, d, 1.1, 6.4, 6.9, 2.7, CLAY),
      { d: topFace(w + 0.5, w + 5.9, d + 0.4, d + 6.4, 3.8), fill: DARK[0] },
      ...block(w, d + 6.9, 1.1, 6.4, 11.1, 2.7, CLAY),
      { d: topFace(w + 0.8, w + 5.6, d + 7.4, d + 11.2, 6), fill: CLAY[0] },
      {
        d: shape([
          [w + 5.6, d + 7.4, 6],
          [w + 5.6, d + 11.2, 6],
          [w + 6.4, d + 12.9, 3.8],
          [w + 6.4, d + 6.9, 3.8],
        ]),
        fill: '#dbe6ff',
      },
      {
        d: shape([
          [w + 0.8, d + 11.2, 6],
          [w + 5.6, d + 11.2, 6],
          [w + 6.4, d + 12.9, 3.8],
          [w, d + 12.9, 3.8],
        ]),
        fill: '#b9cdf7',
      },
      { d: `M${pair([w + 6.4, d + 6.9, 3.8])}v${up(2.7)}M${pair([w + 6.4, d + 12.9, 3.8])}v${up(2.2)}` },
      {
        d: leftFace(w + 0.4, w + 1.6, d + 18, 3.2, 2.4) + leftFace(w + 4.8, w + 6, d + 18, 3.2, 2.4),
        fill: '#ffe9b0',
      },
      { d: leftFace(w, w + 6.4, d + 18, 1.7, 1.1), fill: STEEL[1] },
      wheel(w + 6.4, d + 3.6, 1.3),
      wheel(w + 6.4, d + 14.8, 1.3),
    ],
  },
  trailer: {
    name: 'a trailer',
    a: 7,
    b: 19,
    h: 7.6,
    draw: (w, d) => [
      ...block(w, d, 1.3, 7, 15, 6.3, STEEL),
      { d: rightFace(w + 7, d, d + 15, 4.2, 3.2), fill: '#ffc83d' },
      { d: leftFace(w, w + 7, d + 15, 4.2, 3.2), fill: '#e0a61e' },
      { d: rightFace(w + 7, d + 10, d + 13, 7, 2), fill: STEEL[0] },
      ...block(w + 3.2, d + 15, 1, 0.6, 4, 0.4, DARK),
      wheel(w + 7, d + 5.2, 1.2),
      wheel(w + 7, d + 8, 1.2),
    ],
  },
  boat: {
    name: 'a boat on its trailer',
    a: 7,
    b: 19,
    h: 6,
    draw: (w, d) => {
      const rim: Point[] = [
        [w, d, 4.6],
        [w + 7, d, 4.6],
        [w + 7, d + 11, 4.6],
        [w + 3.5, d + 18, 5.2],
        [w, d + 11, 4.6],
      ]
      const keel: Point[] = [
        [w + 1.2, d, 1.8],
        [w + 5.8, d, 1.8],
        [w + 5.4, d + 10, 1.8],
        [w + 3.5, d + 15, 2.4],
        [w + 1.6, d + 10, 1.8],
      ]
      const side = (i: number, j: number) => shape([rim[i]!, rim[j]!, keel[j]!, keel[i]!])
      return [
        ...block(w + 3.2, d, 0.9, 0.6, 19, 0.4, DARK),
        ...block(w + 0.6, d + 5, 0.9, 5.8, 0.5, 0.4, DARK),
        { d: side(4, 3), fill: BLUE[2] },
        { d: side(1, 2), fill: BLUE[1] },
        { d: side(3, 2), fill: BLUE[2] },
        { d: shape(rim), fill: LINEN[0] },
        { d: topFace(w + 0.7, w + 6.3, d + 0.7, d + 8, 4.6), fill: LINEN[2] },
        ...block(w + 0.9, d + 1, 4, 5.2, 1.4, 1, WOOD),
        ...block(w + 1.2, d + 4.4, 4, 1.5, 1.5, 1, WOOD),
        ...block(w + 4.3, d + 4.4, 4, 1.5, 1.5, 1, WOOD),
        {
          d: shape([
            [w + 0.7, d + 8, 4.6],
            [w + 6.3, d + 8, 4.6],
            [w + 5.6, d + 7.2, 6.2],
            [w + 1.4, d + 7.2, 6.2],
          ]),
          fill: '#dbe6ff',
        },
        wheel(w + 6.4, d + 5.2, 1.1),
      ]
    },
  },
  motorhome: {
    name: 'a motorhome',
    a: 7.6,
    b: 26,
    h: 10,
    draw: (w, d) => [
      ...block(w, d, 1.2, 7.6, 26, 8.4, LINEN),
      { d: rightFace(w + 7.6, d, d + 26, 4.2, 3.2), fill: GREEN[1] },
      ...[3, 9, 14].map((n): Stroke => ({ d: rightFace(w + 7.6, d + n, d + n + 3.4, 8.2, 6), fill: '#b9cdf7' })),
      { d: rightFace(w + 7.6, d + 19.4, d + 22, 8.4, 1.6), fill: LINEN[0] },
      { d: leftFace(w + 0.5, w + 7.1, d + 26, 8.8, 5.2), fill: '#b9cdf7' },
      { d: leftFace(w, w + 7.6, d + 26, 3.4, 2.6), fill: GREEN[2] },
      wheel(w + 7.6, d + 5, 1.5),
      wheel(w + 7.6, d + 23.7, 1.5),
    ],
  },
} satisfies Record<string, Furniture>

export type FurnitureName = keyof typeof FURNITURE
