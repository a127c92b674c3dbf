/** Acts of staff that are held against those of their peers. */
import type { AuditKind } from '../../../domain/office/audit-events.ts'

export const exceptionKinds = {
  waived: { label: 'Fees waived', events: ['charge.waived'] },
  credited: { label: 'Credits', events: ['lease.credited', 'balance.written-off'] },
  voided: { label: 'Receipts voided', events: ['receipt.voided'] },
  refunded: { label: 'Refunds', events: ['money.refunded'] },
  overridden: { label: 'Gate overrides', events: ['gate.suspended', 'overlock.lifted'] },
  repriced: { label: 'Price changes', events: ['rent.proposed', 'rent.approved', 'rates.saved', 'offer.saved'] },
  difference: { label: 'Drawer differences', events: ['drawer.closed'] },
  /** What the others are held against. */
  received: { label: 'Receipts', events: ['payment.received'] },
  opened: { label: 'Files opened', events: ['file.opened'] },
} as const satisfies Record<string, { label: string; events: readonly AuditKind[] }>
export type ExceptionKind = keyof typeof exceptionKinds

const kindOfEvent = new Map<string, ExceptionKind>(
  Object.entries(exceptionKinds).flatMap(([kind, { events }]) => events.map((one) => [one, kind as ExceptionKind])),
)

/** Acts above a limit count for who asked for them, by the operation that was asked for. */
const asked: Record<string, ExceptionKind> = {
  WaiveCharge: 'waived',
  CreditLease: 'credited',
  WriteOffBalance: 'credited',
  RefundPayment: 'refunded',
}
export const exceptionAsked = (operation: string): ExceptionKind | null => asked[operation] ?? null

/** The events that any of them counts. */
export const countedEvents: readonly string[] = [...kindOfEvent.keys()]

/** @returns null for a drawer without a difference, and for what is not counted */
export function exceptionOf(kind: string, details: Record<string, unknown>): ExceptionKind | null {
  const of = kindOfEvent.get(kind) ?? null
  return of === 'difference' && details.why === '' ? null : of
}
