import type { Cents } from '../../../domain/money.ts'

/** Advertised price of 24-hour access, in cents. What is charged is the location's own fee. */
export const ACCESS_FEE_ADVERTISED: Cents = 2000
