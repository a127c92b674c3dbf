import { expect, it } from 'vitest'
import { auditSentences } from './audit-events.ts'

it('describes an audit event by its details, and mentions no missing ones', () => {
  const sentences = [
    auditSentences['staff.signed_in']({ how: 'totp', newDevice: true }),
    auditSentences['staff.roles_changed']({ person: 'Dana', before: '', after: 'Agent, GA1' }),
    auditSentences['lock.seen']({ unit: '12', state: 'on', note: '' }),
    auditSentences['lock.seen']({ unit: '12', state: 'off', note: 'cut' }),
    auditSentences['move_out.verified']({ unit: '12', found: 'not clean', note: '' }),
    auditSentences['unit.out_of_service']({ unit: '12', back: '' }),
    auditSentences['unit.out_of_service']({ unit: '12', back: '12/01/2026' }),
    auditSentences['note.added']({ followUp: '2026-12-01' }),
    auditSentences['tenant.erased']({ until: '2033-12-31' }),
    auditSentences['task.made']({ kind: 'lock', note: 'bring tools' }),
    auditSentences['check.returned']({ how: 'Check 8', fee: true }),
    auditSentences['drawer.closed']({ deposit: '$10.00', difference: '', why: '' }),
    auditSentences['drawer.closed']({ deposit: '$10.00', difference: '$1.00 short', why: 'Wrong change' }),
    auditSentences['deposit.matched']({ bank: '$10.00', difference: '$0.00' }),
    auditSentences['deposit.matched']({ bank: '$10.00', difference: '$1.00' }),
    auditSentences['money.refunded']({ amount: '$5.00', to: 'to the card', afterwards: 'owed' }),
    auditSentences['money.refunded']({ amount: '$5.00', to: 'by check', afterwards: 'forgiven' }),
    auditSentences['review.decided']({ decision: 'post', amount: '$5.00' }),
    auditSentences['review.decided']({ decision: 'refund', amount: '$5.00' }),
    auditSentences['proof.decided']({ decision: 'refuse', units: '12' }),
    auditSentences['lien.sold']({ unit: '12', surplus: '$5.00' }),
    auditSentences['terms.required']({ unit: '', leases: '40 leases' }),
    auditSentences['command.run']({ command: 'backup', what: '' }),
  ]
  expect(sentences).toMatchInlineSnapshot(`
    [
      "signed in with an authenticator app on a new device",
      "changed the roles of Dana from none to Agent, GA1",
      "set the lock on 12",
      "took the lock off 12: cut",
      "found 12 not clean after the move-out",
      "took 12 out of service",
      "took 12 out of service until about 12/01/2026",
      "wrote a note, to follow up on 12/01/2026",
      "erased the tenant; what the law needs stays until 12/31/2033",
      "made a task (lock): bring tools",
      "took back check 8, returned by the bank, with the fee",
      "counted a drawer: $10.00 to deposit",
      "counted a drawer: $10.00 to deposit, $1.00 short (wrong change)",
      "matched a deposit: $10.00 at the bank",
      "matched a deposit: $10.00 at the bank, $1.00",
      "refunded $5.00 to the card; what it had paid is owed again",
      "refunded $5.00 by check; what it had paid is forgiven",
      "counted a payment in review of $5.00",
      "gave back a payment in review of $5.00",
      "refused the proof of insurance for unit 12",
      "posted the sale of unit 12, $5.00 more than was owed",
      "had the updated terms asked of 40 leases",
      "gave the command: backup",
    ]
  `)
})
