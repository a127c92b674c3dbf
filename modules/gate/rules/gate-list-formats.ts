/** Formats in which a gate gets its list: our own, and the flat file for bridges of older controllers. */
export const gateFormats = ['json', 'flat'] as const
export type GateFormat = (typeof gateFormats)[number]
