/** One sentence for each kind of audit event, without its subject: "Dana Reyes <sentence>". */
import type { AuditDetails, AuditKind } from '../office/audit-events.ts'
import { type FactorKind, factorNames } from '../office/factors.ts'
import { tenantFlags } from '../office/flags.ts'
import { formatUs } from '../plain-date.ts'

const bare = (how: FactorKind) => factorNames[how].replace(/^an? /, '')

export const auditSentences: { [K in AuditKind]: (details: AuditDetails[K]) => string } = {
  'staff.invited': ({ person }) => `invited ${person}`,
  'staff.joined': () => 'took up the invitation',
  'staff.signed_in': ({ how, newDevice }) => `signed in with ${factorNames[how]}${newDevice ? ' on a new device' : ''}`,
  'staff.signed_out': () => 'signed out',
  'staff.sign_ins_ended': ({ person }) => `ended all sign-ins of ${person}`,
  'staff.factor_added': ({ how, name }) => `added the ${bare(how)} "${name}"`,
  'staff.factor_removed': ({ how, name }) => `removed the ${bare(how)} "${name}"`,
  'staff.factor_proven': ({ how }) => `confirmed with ${factorNames[how]}`,
  'staff.factors_reset': ({ person }) => `reset the second factors of ${person}`,
  'staff.recovery_codes_made': () => 'made new recovery codes',
  'staff.roles_changed': ({ person, before, after }) =>
    `changed the roles of ${person} from ${before || 'none'} to ${after || 'none'}`,
  'staff.ended': ({ person }) => `ended the access of ${person}`,
  'limits.changed': () => 'changed the limits',
  'gate.code_changed': ({ units }) => `changed the gate code of ${units}`,
  'gate.suspended': ({ until }) => `suspended the gate code until ${until}`,
  'gate.suspension_ended': () => 'ended the suspension of the gate code',
  'overlock.lifted': ({ unit, until }) => `lifted the overlock of ${unit} until ${until}`,
  'overlock.lift_ended': ({ unit }) => `let the overlock of ${unit} count again`,
  'lock.seen': ({ unit, state, note }) =>
    `${state === 'on' ? 'set the lock on' : 'took the lock off'} ${unit}${note ? `: ${note}` : ''}`,
  'move_out.scheduled': ({ unit, on }) => `scheduled the move-out of ${unit} for ${on}`,
  'move_out.cancelled': ({ unit, autopay }) => `cancelled the move-out of ${unit} (autopay ${autopay})`,
  'move_out.verified': ({ unit, found, note }) => `found ${unit} ${found} after the move-out${note ? `: ${note}` : ''}`,
  'unit.out_of_service': ({ unit, back }) => `took ${unit} out of service${back ? ` until about ${back}` : ''}`,
  'unit.in_service': ({ unit }) => `put ${unit} back into service`,
  'transfer.offered': ({ unit, to, on }) => `held ${to} for a move from ${unit} on ${on} and sent the link`,
  'transfer.cancelled': ({ unit, to }) => `cancelled the move from ${unit} to ${to}`,
  'move_in.offered': ({ unit, name }) => `held ${unit} for ${name} and sent the link`,
  'link.sent': ({ what }) => `sent ${what}`,
  'file.opened': () => 'opened the file',
  'note.added': ({ followUp }) => `wrote a note${followUp ? `, to follow up on ${formatUs(followUp)}` : ''}`,
  'flag.set': ({ flag }) => `set the flag "${tenantFlags[flag].label}"`,
  'flag.cleared': ({ flag }) => `took off the flag "${tenantFlags[flag].label}"`,
  'tenant.updated': ({ fields }) => `changed ${fields}`,
  'tenant.exported': () => 'exported all that is held of the tenant',
  'tenant.erased': ({ until }) =>
    `erased the tenant${until ? `; what the law needs stays until ${formatUs(until)}` : ''}`,
  'tenant.kept_erased': () => 'erased what was kept of the tenant',
  'document.opened': ({ what }) => `opened the ${what}`,
  'sensitive.shown': ({ what }) => `looked at the ${what}`,
  'task.made': ({ kind, note }) => `made a task (${kind})${note ? `: ${note}` : ''}`,
  'task.assigned': ({ kind, to }) => `assigned a task (${kind}) to ${to}`,
  'task.done': ({ kind }) => `completed a task (${kind})`,
  'approval.asked': ({ what }) => `asked for approval: ${what}`,
  'approval.approved': ({ what }) => `approved: ${what}`,
  'approval.refused': ({ what }) => `refused: ${what}`,
  'approval.withdrawn': ({ what }) => `withdrew the request: ${what}`,
  'charge.waived': ({ what, unit }) => `waived ${what}, unit ${unit}`,
  'charge.added': ({ what, unit }) => `charged ${what} to unit ${unit}`,
  'lease.credited': ({ what, unit }) => `credited unit ${unit} for ${what}`,
  'balance.written-off': ({ unit }) => `wrote off the balance of unit ${unit}`,
  'balance.moved': ({ unit, onto }) => `moved a balance from unit ${unit} to unit ${onto}`,
  'drawer.opened': ({ float }) => `opened a drawer with ${float}`,
  'payment.received': ({ how, units, drawer }) => `received ${how.toLowerCase()} for ${units} (drawer ${drawer})`,
  'receipt.voided': ({ how }) => `voided a receipt: ${how.toLowerCase()}`,
  'check.returned': ({ how, fee }) =>
    `took back ${how.toLowerCase()}, returned by the bank${fee ? ', with the fee' : ''}`,
  'drawer.closed': ({ deposit, difference, why }) =>
    `counted a drawer: ${deposit} to deposit${why === '' ? '' : `, ${difference} (${why.toLowerCase()})`}`,
  'deposit.matched': ({ bank, difference }) =>
    `matched a deposit: ${bank} at the bank${difference === '$0.00' ? '' : `, ${difference}`}`,
  'rent.proposed': ({ what }) => `proposed a change of rent: ${what}`,
  'rent.approved': ({ what }) => `approved a change of rent: ${what}`,
  'rent.refused': ({ what }) => `refused a change of rent: ${what}`,
  'rent.cancelled': ({ what }) => `cancelled a change of rent: ${what}`,
  'rates.saved': ({ what }) => `changed ${what}`,
  'setting.saved': ({ what }) => `changed the ${what}`,
  'offer.saved': ({ what }) => `changed ${what}`,
  'offer.retired': ({ what }) => `retired ${what}`,
  'offer.offered': ({ what }) => `offers ${what} again`,
  'offer.added': ({ what }) => `added ${what}`,
  'letting.retired': ({ what }) => `retired ${what}`,
  'letting.restored': ({ what }) => `lets ${what} again`,
  'facility.saved': ({ what }) => `changed the ${what}`,
  'photographs.saved': ({ what }) => what,
  'money.refunded': ({ amount, to, afterwards }) =>
    `refunded ${amount} ${to}; ${afterwards === 'owed' ? 'what it had paid is owed again' : 'what it had paid is forgiven'}`,
  'refund.retried': ({ amount }) => `had a refund of ${amount} sent again`,
  'refund.paid_by_hand': ({ amount, how }) => `paid a refund of ${amount} by ${how}`,
  'review.decided': ({ decision, amount }) =>
    decision === 'post' ? `counted a payment in review of ${amount}` : `gave back a payment in review of ${amount}`,
  'proof.decided': ({ decision, units }) =>
    `${decision === 'accept' ? 'accepted' : 'refused'} the proof of insurance for unit ${units}`,
  'report.exported': ({ report, days, facilities }) => `exported ${report.toLowerCase()} of ${facilities}, ${days}`,
  'proof.opened': ({ units }) => `opened the proof of insurance for unit ${units}`,
  'job.retried': ({ kind }) => `had given-up work (${kind}) tried again`,
  'job.ended': ({ kind }) => `ended given-up work (${kind})`,
}
