import type { Random } from '../../ports/clock-and-random.ts'

/** Returns a random element of a list that is not empty. */
export const pick = <T>(random: Random, list: readonly T[]): T => list[random.integer(0, list.length - 1)] as T

/**
 * Returns functions that choose with this random source.
 * @returns `chance`: true with a probability of `share`; `pick`: an element of a list
 */
export const choicesOf = (random: Random) => ({
  chance: (share: number): boolean => random.integer(0, 999_999) < share * 1_000_000,
  pick: <T>(list: readonly T[]): T => pick(random, list),
})
