import { expect, it } from 'vitest'
import { isRoutingNumber } from '../../../domain/bank-account-numbers-and-return-reasons.ts'
import { coverage, DASH, glyphs, ON_US, TRANSIT } from './e13b-glyph-shapes.ts'
import { readCheck } from './parse-check-numbers.ts'
import { readLine } from './recognize-micr-line.ts'
import { type CheckScene, referenceGlyphs, renderCheckScene } from './testing.ts'

function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const digits = (random: () => number, count: number) =>
  Array.from({ length: count }, () => Math.floor(random() * 10)).join('')

function routingNumber(random: () => number): string {
  const first = `0${1 + Math.floor(random() * 9)}${digits(random, 6)}`
  return [...'0123456789'].map((last) => first + last).find(isRoutingNumber) as string
}

function randomCheck(random: () => number): { scene: CheckScene; routing: string; account: string } {
  const routing = routingNumber(random)
  const account = digits(random, 7 + Math.floor(random() * 7))
  const check = digits(random, 4)
  const lines = [
    `${TRANSIT}${routing}${TRANSIT} ${account}${ON_US} ${check}`,
    `${TRANSIT}${routing}${TRANSIT}${account}${ON_US}${check}`,
    `${ON_US}${check}${ON_US} ${TRANSIT}${routing}${TRANSIT} ${account}${ON_US}`,
    `${TRANSIT}${routing}${TRANSIT} ${account.slice(0, 3)}${DASH}${account.slice(3)}${ON_US} ${check}`,
  ]
  const light = [random, random, random, random].map((next) => 0.45 + 0.55 * next())
  const scene: CheckScene = {
    line: lines[Math.floor(random() * lines.length)] as string,
    tilt: random() * 10 - 5,
    width: 1280 + Math.floor(random() * 640),
    light: light as unknown as CheckScene['light'],
    blur: 0.6 + random() * 0.7,
    noise: 6,
    random,
  }
  return { scene, routing, account }
}

function readAll(seed: number, count: number, degrade: (scene: CheckScene) => CheckScene = (scene) => scene) {
  const random = createRandom(seed)
  let right = 0
  const misread: string[] = []
  for (let index = 0; index < count; index += 1) {
    const { scene, routing, account } = randomCheck(random)
    const line = readLine(renderCheckScene(degrade(scene)))
    const read = line && readCheck(line.text, line.confidence)
    if (read?.routingNumber === routing && read.accountNumber === account) right += 1
    else if (read) misread.push(`${scene.line}: ${line.text}`)
  }
  return { right, wrong: misread }
}

it('recognizes the shapes measured at half-cell steps', () => {
  for (const [name, bars] of Object.entries(glyphs)) {
    const rows = referenceGlyphs[name]?.split(' ').map((row) => Number.parseInt(row, 16)) ?? []
    let differing = 0
    for (let y = 0; y < 18; y += 1)
      for (let x = 0; x < 14; x += 1)
        if (coverage(bars, x / 2, y / 2, 0.5) >= 0.5 !== (((rows[y] ?? 0) >> (13 - x)) & 1) > 0) differing += 1
    expect(differing, name).toBeLessThanOrEqual(1)
  }
})

it('reads 19 of 20 checks at 200 dpi, tilted up to 5 degrees and unevenly lit, and none wrongly', {
  timeout: 120_000,
}, () => {
  const { right, wrong: misread } = readAll(11, 40)
  expect(misread).toEqual([])
  expect(right).toBeGreaterThanOrEqual(38)
})

it('reads nothing wrongly in a very poor picture or with a blot on a digit', { timeout: 300_000 }, () => {
  expect(readAll(12, 8, (scene) => ({ ...scene, width: 900, blur: 1.8, noise: 30 })).wrong).toEqual([])
  expect(readAll(13, 16, (scene) => ({ ...scene, blots: 3 })).wrong).toEqual([])
})

it('finds no line on blank paper', () => {
  const random = createRandom(14)
  const { scene } = randomCheck(random)
  const line = readLine(renderCheckScene({ ...scene, line: '' }))
  expect(line && readCheck(line.text, line.confidence)).toBeNull()
})
