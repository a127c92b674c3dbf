/** States of a unit that the office distinguishes. */
export const unitStates = ['free', 'held', 'rented', 'overlocked', 'to verify', 'out of service', 'retired'] as const
export type UnitState = (typeof unitStates)[number]
