import type { Clock, Random } from './clock-and-random.ts'

/** Creates a clock that stays at `instant` (epoch milliseconds) until a test moves it. */
export function fixedClock(
  instant: number,
): Clock & { advance(milliseconds: number): void; set(instant: number): void } {
  let now = instant
  return {
    now: () => now,
    advance(milliseconds) {
      now += milliseconds
    },
    set(instant) {
      now = instant
    },
  }
}

/** Creates a source of predictable values for tests: the same ones for the same seed on every machine. */
export function seededRandom(seed: number): Random {
  // Mulberry32: 32 bits of state suffice for a test's few thousand values.
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const hex = (bytes: number): string => {
    let text = ''
    for (let i = 0; i < bytes; i++) text += (next() >>> 24).toString(16).padStart(2, '0')
    return text
  }
  return {
    integer(low, high) {
      // 53 bits, so that wide ranges are covered too.
      const fraction = (next() * 2 ** 21 + (next() >>> 11)) / 2 ** 53
      return low + Math.floor(fraction * (high - low + 1))
    },
    hex,
    uuid() {
      const digits = hex(16)
      const variant = '89ab'[next() >>> 30]!
      return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`
    },
  }
}
