/** What the audit keeps, by kind: an event without a sentence in `domain/texts/audit.ts` does not compile. */
import type { RefundAfterwards } from '../refund.ts'
import type { FactorKind } from './factors.ts'
import type { TenantFlag } from './flags.ts'

/** 'asked': waits for a second person; 'refused': a rule or a second person said no. */
export type AuditOutcome = 'done' | 'asked' | 'approved' | 'refused'

export interface AuditDetails {
  // ── People ──
  'staff.invited': { person: string }
  'staff.joined': Record<never, never>
  'staff.signed_in': { how: FactorKind; newDevice: boolean }
  'staff.signed_out': Record<never, never>
  'staff.sign_ins_ended': { person: string }
  'staff.factor_added': { how: FactorKind; name: string }
  'staff.factor_removed': { how: FactorKind; name: string }
  'staff.factor_proven': { how: FactorKind }
  'staff.factors_reset': { person: string }
  'staff.recovery_codes_made': Record<never, never>
  'staff.roles_changed': { person: string; before: string; after: string }
  'staff.ended': { person: string }
  'limits.changed': Record<never, never>

  // ── Gates, locks and units ──
  'gate.code_changed': { units: string }
  'gate.suspended': { until: string }
  'gate.suspension_ended': Record<never, never>
  'overlock.lifted': { unit: string; until: string }
  'overlock.lift_ended': { unit: string }
  'lock.seen': { unit: string; state: 'on' | 'off'; note: string }
  'move_out.scheduled': { unit: string; on: string }
  'move_out.cancelled': { unit: string; autopay: 'as it was' | 'off' | 'on' }
  'move_out.verified': { unit: string; found: 'clean' | 'not clean'; note: string }
  'unit.out_of_service': { unit: string; back: string }
  'unit.in_service': { unit: string }
  'move_in.offered': { unit: string; name: string }
  /** `type`: id of the unit type. The address is not kept. */
  'wait.ended': { type: number }
  'transfer.offered': { unit: string; to: string; on: string }
  'transfer.cancelled': { unit: string; to: string }
  'link.sent': { what: string }
  /** `at`: in the facility's own time. Whom it is with stands in the appointment alone. */
  'appointment.proposed': { at: string }
  /** `leases`: '1 lease', '412 leases' */
  'terms.required': { leases: string; unit: string }
  'terms.withdrawn': { leases: string; unit: string }
  // ── Tenants ──
  'file.opened': Record<never, never>
  'note.added': { followUp: string }
  'flag.set': { flag: TenantFlag }
  'flag.cleared': { flag: TenantFlag }
  'texts.stopped': Record<never, never>
  'tenant.updated': { fields: string }
  'tenant.exported': Record<never, never>
  'audit.exported': { what: string }
  /** `until`: ISO day, '' where nothing is kept. */
  'tenant.erased': { until: string }
  'tenant.kept_erased': Record<never, never>
  'sensitive.shown': { what: string }
  'document.opened': { what: string }

  // ── Tasks and approvals ──
  'task.made': { kind: string; note: string }
  'task.assigned': { kind: string; to: string }
  'task.done': { kind: string }
  'approval.asked': { what: string }
  'approval.approved': { what: string }
  'approval.refused': { what: string }
  'approval.withdrawn': { what: string }
  /** An operation that a rule refused: no permission for it, one's own request, above one's limit. */
  'act.refused': { what: string }

  // ── The ledger by hand ──
  'charge.waived': { what: string; unit: string }
  'charge.added': { what: string; unit: string }
  'lease.credited': { what: string; unit: string }
  'balance.written-off': { unit: string }
  'balance.moved': { unit: string; onto: string }
  // ── Money by hand ──
  'drawer.opened': { float: string }
  'drawer.exported': { receipts: string }
  'payment.received': { how: string; units: string; drawer: string }
  'receipt.voided': { how: string }
  'check.returned': { how: string; fee: boolean }
  'drawer.counted': { counted: string; difference: string }
  'drawer.closed': { deposit: string; difference: string; why: string }
  'deposit.matched': { bank: string; difference: string }
  // ── Past due and liens ──
  'call.made': { outcome: string; note: string }
  'promise.made': { amount: string; on: string }
  'settlement.offered': { amount: string; unit: string }
  'lien.opened': { unit: string; rules: string }
  'lien.recorded': { what: string; unit: string; on: string }
  'lien.confirmed': { what: string; unit: string }
  'lien.refused': { what: string; unit: string }
  'lien.stopped': { unit: string; why: string }
  'lien.sold': { unit: string; surplus: string }
  'lien.closed': { unit: string; to: string }
  'lien.rules_signed': { version: string }
  'lien.rules_withdrawn': { version: string }
  // ── Rents ──
  'rent.exported': { leases: string; facilities: string }
  'rent.proposed': { what: string }
  'rent.approved': { what: string }
  'rent.refused': { what: string }
  'rent.cancelled': { what: string }
  'rates.saved': { what: string }
  'setting.saved': { what: string }
  'offer.saved': { what: string }
  'offer.retired': { what: string }
  'offer.offered': { what: string }
  'offer.added': { what: string }
  'letting.retired': { what: string }
  'letting.restored': { what: string }
  'facility.saved': { what: string }
  'photographs.saved': { what: string }
  // ── Money that goes back, and waiting work ──
  /** `to`: 'to Visa ending 1111', 'by check'. */
  'money.refunded': { amount: string; to: string; afterwards: RefundAfterwards }
  'refund.retried': { amount: string; how: string }
  'refund.paid_by_hand': { amount: string; how: string }
  'review.decided': { decision: 'post' | 'refund'; amount: string }
  'proof.decided': { decision: 'accept' | 'refuse'; units: string }
  'proof.opened': { units: string }
  // ── Reports ──
  /** By a person at the machine; `what` without names. */
  'command.run': { command: string; what: string }
  'report.exported': { report: string; days: string; facilities: string }
  'job.retried': { kind: string }
  'job.ended': { kind: string }
}

export type AuditKind = keyof AuditDetails
