/** Operations by which staff members are compared with their peers. */
import { exceptionEvents } from '../../../domain/office/audit-events.ts'
import { keysOf } from '../../../domain/typed-keys.ts'

export type ExceptionKind = keyof typeof exceptionEvents

export const exceptionLabels: Record<ExceptionKind, string> = {
  waived: 'Fees waived',
  credited: 'Credits',
  voided: 'Receipts voided',
  refunded: 'Refunds',
  overridden: 'Gate overrides',
  repriced: 'Price changes',
  difference: 'Drawer differences',
  received: 'Receipts',
  opened: 'Files opened',
}

const kindOfEvent = new Map<string, ExceptionKind>(
  keysOf(exceptionEvents).flatMap((kind) => exceptionEvents[kind].map((event) => [event, kind] as const)),
)

/** Kinds of audit events that count toward any exception kind. */
export const countedEvents: readonly string[] = [...kindOfEvent.keys()]

/** Returns the exception kind of an audit event; null for a drawer without a difference and for other events. */
export function exceptionOf(kind: string, details: Record<string, unknown>): ExceptionKind | null {
  const exceptionKind = kindOfEvent.get(kind) ?? null
  return exceptionKind === 'difference' && details.why === '' ? null : exceptionKind
}
