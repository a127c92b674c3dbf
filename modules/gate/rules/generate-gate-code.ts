/** Generates, checks and formats gate codes (spec 1 §4). */

export type RandomInteger = (low: number, high: number) => number

const GATE_CODE_LOWEST = 100_001
const GATE_CODE_HIGHEST = 999_998

/** Returns whether the digits strictly ascend or descend: 123456, 135789, 987321. */
export function isMonotonic(code: string): boolean {
  const digits = [...code]
  const pairs = digits.slice(1).map((digit, at) => Math.sign(Number(digit) - Number(digits[at])))
  return pairs.every((sign) => sign === 1) || pairs.every((sign) => sign === -1)
}

/** Returns whether a gate code is allowed: six digits from 100001 to 999998, not strictly ascending or descending. */
export function isGateCode(code: string): boolean {
  const number = Number(code)
  return /^\d{6}$/.test(code) && number >= GATE_CODE_LOWEST && number <= GATE_CODE_HIGHEST && !isMonotonic(code)
}

/** Formats a gate code of six digits for reading and typing: '482 917'. */
export const formatGateCode = (gateCode: string): string => gateCode.replace(/^(\d{3})(\d{3})$/, '$1 $2')

/**
 * Generates a gate code; null only where every code is taken (spec 1 §4).
 * @param isTaken returns whether a code is active at the facility
 */
export function generateGateCode(randomInteger: RandomInteger, isTaken: (code: string) => boolean): string | null {
  const isUsable = (code: string) => isGateCode(code) && !isTaken(code)
  for (let tries = 0; tries < 50; tries++) {
    const code = String(randomInteger(GATE_CODE_LOWEST, GATE_CODE_HIGHEST))
    if (isUsable(code)) return code
  }
  // So many codes are taken that 50 draws failed: use the first free one from a random start, so that this always ends.
  const span = GATE_CODE_HIGHEST - GATE_CODE_LOWEST + 1
  const from = randomInteger(0, span - 1)
  for (let step = 0; step < span; step++) {
    const code = String(GATE_CODE_LOWEST + ((from + step) % span))
    if (isUsable(code)) return code
  }
  return null
}
