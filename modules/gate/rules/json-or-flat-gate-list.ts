import type { GateKind } from './gate-access.ts'

/** Formats in which a gate gets its list: our own, and the flat file for bridges of older controllers. */
export const gateFormats = ['json', 'flat'] as const
export type GateFormat = (typeof gateFormats)[number]

/**
 * Returns whether a gate can be opened remotely. Controllers that read the flat-file format cannot receive the command.
 */
export const mayOpenRemotely = ({ kind, heard_format }: { kind: GateKind; heard_format: GateFormat | null }): boolean =>
  kind !== 'none' && heard_format !== 'flat'
