/** What a unit is now, as the office tells units apart. */
export const unitStates = ['free', 'held', 'rented', 'overlocked', 'to verify', 'out of service', 'retired'] as const
export type UnitState = (typeof unitStates)[number]
