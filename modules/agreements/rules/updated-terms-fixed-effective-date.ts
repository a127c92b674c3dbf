import type { IsoDate } from '../../../domain/plain-date.ts'

/** Day on which the updated terms take effect, as shown on `/complete-lease`. */
export const UPDATED_TERMS_EFFECTIVE: IsoDate = '2025-03-01'
