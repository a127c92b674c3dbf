import type { IsoDate } from '../../../domain/plain-date.ts'

/** The day on which the updated terms take effect, as `/complete-lease` says. */
export const UPDATED_TERMS_EFFECTIVE: IsoDate = '2025-03-01'
