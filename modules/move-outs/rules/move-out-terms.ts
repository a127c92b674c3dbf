import type { Cents } from '../../../domain/money.ts'

/** Fees and periods of a move-out, named by pages and lease (spec 2 §9). */
export const MOVE_OUT = {
  cleaningFeeUpTo: 50_000 as Cents,
  towingFeeMinimum: 20_000 as Cents,
  unpaidVehicleDays: 60,
  verifiedIn: '2-3 business days',
} as const
