/** What a unit is now, as the office tells units apart. */
export const unitStates = ['free', 'held', 'rented', 'overlocked', 'to verify', 'out of service'] as const
export type UnitState = (typeof unitStates)[number]
