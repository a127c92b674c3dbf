import { aging, type ListReport, pastDue, rateVariance, rentRoll } from './lists.ts'
import { moves } from './moves.ts'
import { walkSheet } from './walk-sheet.ts'

/** The reports that list. */
export const listed = {
  'rent-roll': rentRoll,
  'rate-variance': rateVariance,
  aging,
  'past-due': pastDue,
  'walk-sheet': walkSheet,
  moves,
} as const satisfies Record<string, ListReport>
export type ListName = keyof typeof listed
