import { formatUs } from '../plain-date.ts'
import { isKeyOf } from '../typed-keys.ts'
import { type FactorKind, factorNames } from './second-factors.ts'
import { type TenantFlag, tenantFlags } from './tenant-flags.ts'

/**
 * Outcome of an audited operation. 'asked': it waits for a second staff member's decision; 'refused': a rule or a
 * second staff member refused it, or a command on the server failed. The withdrawal of a request is 'done'.
 */
export type AuditOutcome = 'done' | 'asked' | 'approved' | 'refused'

const nameWithoutArticle = (how: FactorKind) => factorNames[how].replace(/^an? /, '')

/**
 * Sentence of each kind of audit event, without its subject: "Dana Reyes <sentence>". The parameters are the event's
 * details.
 */
export const auditSentences = {
  // ── Staff members, limits and machine keys ──
  'staff.invited': ({ person }: { person: string }) => `invited ${person}`,
  'staff.joined': () => 'took up the invitation',
  'staff.signed_in': ({ how, newDevice }: { how: FactorKind; newDevice: boolean }) =>
    `signed in with ${factorNames[how]}${newDevice ? ' on a new device' : ''}`,
  'staff.signed_out': () => 'signed out',
  'staff.sign_in_ended': () => 'ended one of their own sign-ins',
  'staff.sign_ins_ended': ({ person }: { person: string }) => `ended all sign-ins of ${person}`,
  'staff.factor_added': ({ how, name }: { how: FactorKind; name: string }) =>
    `added the ${nameWithoutArticle(how)} "${name}"`,
  'staff.factor_removed': ({ how, name }: { how: FactorKind; name: string }) =>
    `removed the ${nameWithoutArticle(how)} "${name}"`,
  'staff.factor_proven': ({ how }: { how: FactorKind }) => `confirmed with ${factorNames[how]}`,
  'staff.factors_reset': ({ person }: { person: string }) => `reset the second factors of ${person}`,
  'staff.recovery_codes_made': () => 'made new recovery codes',
  'staff.roles_changed': ({ person, before, after }: { person: string; before: string; after: string }) =>
    `changed the roles of ${person} from ${before || 'none'} to ${after || 'none'}`,
  'staff.ended': ({ person }: { person: string }) => `ended the access of ${person}`,
  'limits.changed': () => 'changed the limits',
  /** `scopes`, such as 'ATL01, GA'. */
  'key.made': ({ name, role, scopes, pii }: { name: string; role: string; scopes: string; pii: boolean }) =>
    `made the key "${name}" (${role}, ${scopes}${pii ? ', with personal data' : ''})`,
  'key.rotated': ({ name }: { name: string }) => `gave the key "${name}" a new secret`,
  'key.revoked': ({ name }: { name: string }) => `revoked the key "${name}"`,
  // ── Gates, locks, units, moves, links and terms ──
  'gate.code_changed': ({ units }: { units: string }) => `changed the gate code of ${units}`,
  /** `hours` are the opening hours of Monday to Sunday; '' without a gate. */
  'gate.connected': ({ what, hours }: { what: string; hours: string }) =>
    `set the gate to ${what}${hours ? `, open ${hours}` : ''}`,
  'gate.opened': ({ point }: { point: string }) => `asked the ${point} gate to open`,
  'gate.list_exported': ({ codes }: { codes: string }) => `exported the list of ${codes} gate codes`,
  'gate.suspended': ({ until }: { until: string }) => `suspended the gate code until ${until}`,
  'gate.suspension_ended': () => 'ended the suspension of the gate code',
  'overlock.lifted': ({ unit, until }: { unit: string; until: string }) =>
    `lifted the overlock of ${unit} until ${until}`,
  'overlock.lift_ended': ({ unit }: { unit: string }) => `let the overlock of ${unit} count again`,
  'lock.seen': ({ unit, state, note }: { unit: string; state: 'on' | 'off'; note: string }) =>
    `${state === 'on' ? 'set the lock on' : 'took the lock off'} ${unit}${note ? `: ${note}` : ''}`,
  'move_out.scheduled': ({ unit, on }: { unit: string; on: string }) => `scheduled the move-out of ${unit} for ${on}`,
  'move_out.cancelled': ({ unit, autopay }: { unit: string; autopay: 'as it was' | 'off' | 'on' }) =>
    `cancelled the move-out of ${unit} (autopay ${autopay})`,
  'move_out.verified': ({ unit, found, note }: { unit: string; found: 'clean' | 'not clean'; note: string }) =>
    `found ${unit} ${found} after the move-out${note ? `: ${note}` : ''}`,
  'unit.out_of_service': ({ unit, back }: { unit: string; back: string }) =>
    `took ${unit} out of service${back ? ` until about ${back}` : ''}`,
  'unit.in_service': ({ unit }: { unit: string }) => `put ${unit} back into service`,
  'move_in.offered': ({ unit, name }: { unit: string; name: string }) => `held ${unit} for ${name} and sent the link`,
  /** `type` is the unit type id. The e-mail address is not part of the event. */
  'wait.ended': ({ type }: { type: number }) => `took an address off the waitlist for unit type ${type}`,
  'transfer.offered': ({ unit, to, on }: { unit: string; to: string; on: string }) =>
    `held ${to} for a move from ${unit} on ${on} and sent the link`,
  'transfer.cancelled': ({ unit, to }: { unit: string; to: string }) => `cancelled the move from ${unit} to ${to}`,
  'link.sent': ({ what }: { what: string }) => `sent ${what}`,
  /** `at` is local time at the facility. The event does not store the person's name. */
  'appointment.proposed': ({ at }: { at: string }) => `proposed an appointment on ${at}`,
  /** `leases`, such as '1 lease' or '412 leases'. */
  'terms.required': ({ leases, unit }: { leases: string; unit: string }) =>
    `had the updated terms asked of ${unit ? `unit ${unit}` : leases}`,
  'terms.withdrawn': ({ leases, unit }: { leases: string; unit: string }) =>
    `stopped asking ${unit ? `unit ${unit}` : leases} for the updated terms`,
  // ── Tenants ──
  'file.opened': () => 'opened the file',
  'note.added': ({ followUp }: { followUp: string }) =>
    `wrote a note${followUp ? `, to follow up on ${formatUs(followUp)}` : ''}`,
  'flag.set': ({ flag }: { flag: TenantFlag }) => `set the flag "${tenantFlags[flag].label}"`,
  'flag.cleared': ({ flag }: { flag: TenantFlag }) => `took off the flag "${tenantFlags[flag].label}"`,
  'texts.stopped': () => 'ended text messages to their number',
  'tenant.updated': ({ fields }: { fields: string }) => `changed ${fields}`,
  'tenant.exported': () => 'exported all that is held of the tenant',
  'audit.exported': ({ what }: { what: string }) => `exported the audit: ${what}`,
  /** `until` is the ISO date until which the law requires some of the data; '' when all of it was erased. */
  'tenant.erased': ({ until }: { until: string }) =>
    `erased the tenant${until ? `; what the law needs stays until ${formatUs(until)}` : ''}`,
  'tenant.kept_erased': () => 'erased what was kept of the tenant',
  /** `what` of a driver's license is stored as 'licence'. */
  'sensitive.shown': ({ what }: { what: string }) => `looked at the ${what === 'licence' ? 'license' : what}`,
  'document.opened': ({ what }: { what: string }) => `opened the ${what}`,
  // ── Tasks and approvals ──
  'task.made': ({ kind, note }: { kind: string; note: string }) => `made a task (${kind})${note ? `: ${note}` : ''}`,
  'task.assigned': ({ kind, to }: { kind: string; to: string }) => `assigned a task (${kind}) to ${to}`,
  'task.done': ({ kind }: { kind: string }) => `completed a task (${kind})`,
  'approval.asked': ({ what }: { what: string }) => `asked for approval: ${what}`,
  /** `event` is the kind of the approved operation's event; '' when the operation declares none. */
  'approval.approved': ({ what }: { what: string; event: string }) => `approved: ${what}`,
  'approval.refused': ({ what }: { what: string }) => `refused: ${what}`,
  'approval.withdrawn': ({ what }: { what: string }) => `withdrew the request: ${what}`,
  /**
   * A rule refused an operation: missing permission, the staff member's own request, or an amount above their limit.
   */
  'act.refused': ({ what }: { what: string }) => `was not allowed: ${what}`,
  // ── Manual ledger entries ──
  'charge.waived': ({ what, unit }: { what: string; unit: string }) => `waived ${what}, unit ${unit}`,
  'charge.added': ({ what, unit }: { what: string; unit: string }) => `charged ${what} to unit ${unit}`,
  'lease.credited': ({ what, unit }: { what: string; unit: string }) => `credited unit ${unit} for ${what}`,
  'balance.written-off': ({ unit }: { unit: string }) => `wrote off the balance of unit ${unit}`,
  'balance.moved': ({ unit, onto }: { unit: string; onto: string }) =>
    `moved a balance from unit ${unit} to unit ${onto}`,
  // ── Counter payments ──
  'drawer.opened': ({ float }: { float: string }) => `opened a drawer with ${float}`,
  'drawer.exported': ({ receipts }: { receipts: string }) => `exported a drawer: ${receipts}`,
  'payment.received': ({ how, units, drawer }: { how: string; units: string; drawer: string }) =>
    `received ${how.toLowerCase()} for ${units} (drawer ${drawer})`,
  'receipt.voided': ({ how }: { how: string }) => `voided a receipt: ${how.toLowerCase()}`,
  'check.returned': ({ how, fee }: { how: string; fee: boolean }) =>
    `took back ${how.toLowerCase()}, returned by the bank${fee ? ', with the fee' : ''}`,
  'drawer.counted': ({ counted, difference }: { counted: string; difference: string }) =>
    `counted ${counted} in a drawer, ${difference}, and had still to say why`,
  'drawer.closed': ({ deposit, difference, why }: { deposit: string; difference: string; why: string }) =>
    `counted a drawer: ${deposit} to deposit${why === '' ? '' : `, ${difference} (${why.toLowerCase()})`}`,
  'deposit.matched': ({ bank, difference }: { bank: string; difference: string }) =>
    `matched a deposit: ${bank} at the bank${difference === '$0.00' ? '' : `, ${difference}`}`,
  // ── Past due and liens ──
  'call.made': ({ outcome, note }: { outcome: string; note: string }) => `called: ${outcome}${note ? `, ${note}` : ''}`,
  'promise.made': ({ amount, on }: { amount: string; on: string }) => `noted the promise of ${amount} for ${on}`,
  'settlement.offered': ({ amount, unit }: { amount: string; unit: string }) =>
    `offered to settle unit ${unit} for ${amount} and sent the link`,
  'lien.opened': ({ unit, rules }: { unit: string; rules: string }) =>
    `opened a lien case for unit ${unit} (rules ${rules})`,
  'lien.recorded': ({ what, unit, on }: { what: string; unit: string; on: string }) =>
    `recorded the ${what.toLowerCase()} of ${on}, unit ${unit}`,
  'lien.confirmed': ({ what, unit }: { what: string; unit: string }) =>
    `confirmed the ${what.toLowerCase()}, unit ${unit}`,
  'lien.refused': ({ what, unit }: { what: string; unit: string }) =>
    `did not confirm the ${what.toLowerCase()}, unit ${unit}`,
  'lien.stopped': ({ unit, why }: { unit: string; why: string }) => `stopped the lien case of unit ${unit}: ${why}`,
  'lien.sold': ({ unit, surplus }: { unit: string; surplus: string }) =>
    `posted the sale of unit ${unit}${surplus ? `, ${surplus} more than was owed` : ''}`,
  /** `to` is the payee of the surplus, such as 'to the tenant'; '' if charges since the sale left none. */
  'lien.closed': ({ unit, to }: { unit: string; to: string }) =>
    to === ''
      ? `closed the lien case of unit ${unit}: nothing was left of the surplus`
      : `paid the surplus of unit ${unit} ${to}`,
  'lien.rules_signed': ({ version }: { version: string }) => `signed off the lien rules ${version}`,
  'lien.rules_withdrawn': ({ version }: { version: string }) => `withdrew the sign-off of the lien rules ${version}`,
  // ── Rents, prices and setup ──
  'rent.exported': ({ leases, facilities }: { leases: string; facilities: string }) =>
    `exported the rents of ${leases} at ${facilities}`,
  'rent.proposed': ({ what }: { what: string }) => `proposed a change of rent: ${what}`,
  'rent.approved': ({ what }: { what: string }) => `approved a change of rent: ${what}`,
  'rent.refused': ({ what }: { what: string }) => `refused a change of rent: ${what}`,
  'rent.cancelled': ({ what }: { what: string }) => `cancelled a change of rent: ${what}`,
  'rates.saved': ({ what }: { what: string }) => `changed ${what}`,
  'setting.saved': ({ what }: { what: string }) => `changed the ${what}`,
  'offer.saved': ({ what }: { what: string }) => `changed ${what}`,
  'offer.retired': ({ what }: { what: string }) => `retired ${what}`,
  'offer.offered': ({ what }: { what: string }) => `offers ${what} again`,
  'offer.added': ({ what }: { what: string }) => `added ${what}`,
  'letting.retired': ({ what }: { what: string }) => `retired ${what}`,
  'letting.restored': ({ what }: { what: string }) => `lets ${what} again`,
  'facility.saved': ({ what }: { what: string }) => `changed the ${what}`,
  'photographs.saved': ({ what }: { what: string }) => what,
  // ── Refunds, reviews and proofs ──
  /** `to`, such as 'to Visa ending 1111' or 'by check'. */
  'money.refunded': ({ amount, to, afterwards }: { amount: string; to: string; afterwards: 'owed' | 'forgiven' }) =>
    `refunded ${amount} ${to}; ${afterwards === 'owed' ? 'what it had paid is owed again' : 'what it had paid is forgiven'}`,
  'refund.retried': ({ amount }: { amount: string }) => `had a refund of ${amount} sent again`,
  'refund.paid_by_hand': ({ amount, how }: { amount: string; how: string }) => `paid a refund of ${amount} by ${how}`,
  'review.decided': ({ decision, amount }: { decision: 'post' | 'refund'; amount: string }) =>
    decision === 'post' ? `counted a payment in review of ${amount}` : `gave back a payment in review of ${amount}`,
  'proof.decided': ({ decision, units }: { decision: 'accept' | 'refuse'; units: string }) =>
    `${decision === 'accept' ? 'accepted' : 'refused'} the proof of insurance for unit ${units}`,
  'proof.opened': ({ units }: { units: string }) => `opened the proof of insurance for unit ${units}`,
  // ── Commands, reports and failed work ──
  /** A command run on the server; `what` is its arguments without personal data. */
  'command.run': ({ command, what }: { command: string; what: string }) =>
    `gave the command: ${`${command} ${what}`.trim()}`,
  'report.exported': ({ report, days, facilities }: { report: string; days: string; facilities: string }) =>
    `exported ${report.toLowerCase()} of ${facilities}, ${days}`,
  'job.retried': ({ kind }: { kind: string }) => `had failed work (${kind}) tried again`,
  'job.ended': ({ kind }: { kind: string }) => `ended failed work (${kind})`,
}

export type AuditKind = keyof typeof auditSentences

export type AuditDetails = {
  [K in AuditKind]: Parameters<(typeof auditSentences)[K]> extends [infer D] ? D : Record<never, never>
}

/**
 * Returns the description of a stored audit event, without the actor before it; the kind when this version does not know
 * it.
 * @param details the event's details as JSON
 */
export const auditSentence = (kind: string, details: string): string =>
  isKeyOf(auditSentences, kind) ? (auditSentences[kind] as (details: unknown) => string)(JSON.parse(details)) : kind

/**
 * Audit kinds by which staff members are compared with their peers. `received` and `opened` are the baseline of the
 * comparison, the others are exceptions.
 */
export const exceptionEvents = {
  waived: ['charge.waived'],
  credited: ['lease.credited', 'balance.written-off'],
  voided: ['receipt.voided'],
  refunded: ['money.refunded'],
  overridden: ['gate.suspended', 'overlock.lifted'],
  repriced: ['rent.proposed', 'rent.approved', 'rates.saved', 'offer.saved'],
  difference: ['drawer.closed'],
  received: ['payment.received'],
  opened: ['file.opened'],
} as const satisfies Record<string, readonly AuditKind[]>
