/** The five steps of a move-in by name, in order (spec 1 §1). A file of its own: browsers get it without the journey's rules. */
export const moveInSteps = ['Storage Details', 'Insurance', 'Customer Info', 'Lease Details', 'Payment'] as const

export type MoveInStep = (typeof moveInSteps)[number]
