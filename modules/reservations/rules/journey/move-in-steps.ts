/**
 * Names of the five move-in steps, in order (spec 1 §1). In their own file, so that browsers load them without the
 * rules.
 */
export const moveInSteps = ['Storage Details', 'Insurance', 'Customer Info', 'Lease Details', 'Payment'] as const

export type MoveInStep = (typeof moveInSteps)[number]
