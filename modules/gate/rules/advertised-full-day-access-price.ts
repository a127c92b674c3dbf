import type { Cents } from '../../../domain/money.ts'

/** Advertised price of 24-hour access, in cents. The location's own fee is charged. */
export const ACCESS_FEE_ADVERTISED: Cents = 2000
