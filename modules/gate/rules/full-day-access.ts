import type { Cents } from '../../../domain/money.ts'

/** Advertised on the page about 24-hour access; what is charged is the location's own fee. */
export const ACCESS_FEE_ADVERTISED: Cents = 2000
