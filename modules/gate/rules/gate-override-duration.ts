import { addDays, type IsoDate } from '../../../domain/plain-date.ts'

/** Maximum duration in days, including today, of a suspended gate code or a lifted overlock. */
const GATE_OVERRIDE_DAYS_MAX = 30

/** Returns the earliest and the latest day that may be the last day of an override set today. */
export const gateOverrideDays = (today: IsoDate): { first: IsoDate; last: IsoDate } => ({
  first: today,
  last: addDays(today, GATE_OVERRIDE_DAYS_MAX - 1),
})
