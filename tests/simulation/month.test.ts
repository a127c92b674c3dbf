import { expect, it } from 'vitest'
import { openerForTests } from '../support/databases.ts'
import { simulateMonth } from './month.ts'

const open = openerForTests()
// `npm run simulate -- --office 30` sets the number of facilities. The default is a small business.
const facilities = Number(process.env.SIMULATE_OFFICE || 2)
const isLong = Boolean(process.env.SIMULATE_OFFICE)

const kinds = [
  'charge.waived',
  'charge.added',
  'lease.credited',
  'balance.moved',
  'money.refunded',
  'refund.paid_by_hand',
  'drawer.opened',
  'payment.received',
  'receipt.voided',
  'check.returned',
  'drawer.closed',
  'deposit.matched',
  'rent.proposed',
  'rent.approved',
  'gate.suspended',
  'overlock.lifted',
  'lock.seen',
  'move_out.scheduled',
  'move_out.verified',
  'move_in.offered',
  'approval.asked',
  'approval.approved',
  'lien.opened',
  'lien.recorded',
  'lien.confirmed',
  'lien.closed',
  'transfer.offered',
  'tenant.erased',
]

it('after a simulated month with all listed kinds of operations, ledger, drawers, provider and audit events agree', {
  timeout: isLong ? 14_400_000 : 180_000,
}, async () => {
  const { faults, ...month } = await simulateMonth(await open(), {
    seed: Number(process.env.SIMULATE_SEED || 1),
    facilities,
    leases: isLong ? 450 : 24,
    // A rent increase announced on the first day applies from the 31st day at the earliest.
    days: Number(process.env.SIMULATE_DAYS || 33),
    ...(isLong && { log: console.info }),
  })
  if (isLong) console.info(JSON.stringify(month, null, 1))
  expect(faults).toEqual([])
  for (const kind of kinds) expect(month.operations[kind], kind).toBeGreaterThan(0)
})
