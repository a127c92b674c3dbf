import { describe, expect, it } from 'vitest'
import {
  blackAndWhite,
  evenOutLight,
  findPictureProblem,
  type GrayImage,
  grayOf,
  guideFrame,
  numberStrip,
} from './filter-and-judge-check-picture.ts'

const sheet = (width: number, height: number, level: number): GrayImage => ({
  width,
  height,
  pixels: new Uint8ClampedArray(width * height).fill(level),
})

/** Draws strokes 3 pixels wide and 12 high, like a line of digits. */
function drawStrokes(paper: number, ink: number, { from = 60, to = 540, soft = false } = {}): GrayImage {
  const strip = sheet(600, 90, paper)
  for (let x = from; x < to; x += 8) {
    for (let y = 40; y < 52; y += 1) {
      for (let offset = -4; offset < 8; offset += 1) {
        const inside = offset >= 0 && offset < 3
        if (!inside && !soft) continue
        // Out of focus, black turns into a shade around the stroke.
        const level = soft ? paper - (paper - ink) * (0.45 + 0.1 * Math.cos(offset)) : ink
        strip.pixels[y * 600 + x + offset] = level
      }
    }
  }
  return strip
}

const frame = (level: number) => sheet(160, 73, level)

describe('the picture of a check', () => {
  it('has a frame of a check’s shape within it, with the strip for the numbers at the bottom', () => {
    for (const [width, height] of [
      [1280, 720],
      [720, 1280],
      [1920, 400],
    ] as const) {
      const place = guideFrame(width, height)
      expect(place.width / place.height).toBeCloseTo(6 / 2.75)
      expect(place.x).toBeGreaterThan(0)
      expect(place.y).toBeGreaterThan(0)
      expect(place.x + place.width).toBeLessThan(width)
      expect(place.y + place.height).toBeLessThan(height)
      const strip = numberStrip(place)
      expect(strip.y + strip.height).toBeCloseTo(place.y + place.height)
      // A check's clear band is its lowest 5/8 inch.
      expect(strip.height / place.height).toBeGreaterThan(0.625 / 2.75)
    }
  })

  it('converts colors to gray by their brightness', () => {
    const { pixels } = grayOf(new Uint8ClampedArray([255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255]), 3, 1)
    expect([...pixels]).toEqual([76, 150, 29])
  })

  it('becomes black and white at 0.6 of the way from ink to paper in any light', () => {
    for (const [paper, ink] of [
      [250, 20],
      [110, 15],
    ] as const) {
      const strip = drawStrokes(paper, ink)
      const limit = ink + (paper - ink) * 0.6
      strip.pixels[0] = Math.ceil(limit) + 1
      strip.pixels[1] = Math.floor(limit) - 1
      const { pixels } = blackAndWhite(strip)
      expect([pixels[0], pixels[1]]).toEqual([255, 0])
      expect(new Set(pixels)).toEqual(new Set([0, 255]))
    }
  })

  it('is scanned where a sharp line of numbers is visible, and otherwise says what is wrong', () => {
    const good = drawStrokes(240, 20)
    expect(findPictureProblem(frame(240), good, null)).toBeNull()
    expect(findPictureProblem(frame(240), good, good)).toBeNull()
    expect(findPictureProblem(frame(50), drawStrokes(50, 10), null)).toBe('dark')
    expect(findPictureProblem(frame(240), sheet(600, 90, 240), null)).toBe('empty')
    expect(findPictureProblem(frame(240), drawStrokes(240, 20, { from: 200, to: 380 }), null)).toBe('small')
    const desk = frame(90)
    desk.pixels.fill(240, 0, 160 * 20)
    expect(findPictureProblem(desk, good, null)).toBe('small')
    expect(findPictureProblem(frame(240), good, drawStrokes(240, 20, { from: 64 }))).toBe('moving')
    expect(findPictureProblem(frame(240), drawStrokes(240, 20, { soft: true }), null)).toBe('blurred')
  })

  it('ignores a shadow that grows darker toward one side', () => {
    const strip = drawStrokes(240, 20)
    for (let y = 0; y < 90; y += 1)
      for (let x = 0; x < 600; x += 1) {
        const at = y * 600 + x
        strip.pixels[at] = (strip.pixels[at] ?? 0) * (1 - (0.55 * x) / 600)
      }
    const { pixels } = blackAndWhite(evenOutLight(strip))
    expect([pixels[10 * 600 + 5], pixels[10 * 600 + 595]]).toEqual([255, 255])
    expect([pixels[45 * 600 + 61], pixels[45 * 600 + 533]]).toEqual([0, 0])
  })
})
