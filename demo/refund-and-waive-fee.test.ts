import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { officeCaller, performOrThrow } from '../modules/cash-drawers/testing.ts'
import { WaiveCharge } from '../modules/ledger/operations/waive-charge.ts'
import { runAutopay } from '../modules/payments/autopay/charge-autopay.ts'
import { connectServices, type PayingServices } from '../modules/payments/testing.ts'
import { sandboxForTests } from '../modules/payments/testing-card-provider.ts'
import { RefundPayment } from '../modules/refunds/operations/refund-payment.ts'
import { loadNewestEntry } from '../modules/standing/add-staff-ledger-entries.ts'
import { openerForTests } from '../tests/support/databases.ts'
import { recordsOf } from '../tests/support/rows.ts'
import { seedDemoInto, servicesOn } from '../tests/support/seeded-demo-operator.ts'
import { people } from './tenants-with-leases-and-reservations.ts'

const { till, folder } = sandboxForTests('demo-acts')
const open = openerForTests()

describe('Office operations of the demo', () => {
  let services: PayingServices
  beforeAll(async () => {
    const db = await open()
    await seedDemoInto(db, 11)
    services = connectServices(servicesOn(db, join(folder, 'demo')), till, folder)
  })

  /** Loads the lease of the demo person whose `who` contains a text, with the fields of a form opened now. */
  async function loadForm(text: string) {
    const person = people.find(({ who }) => who.includes(text))
    const [tenant] = await recordsOf(services, 'tenants', { email: person?.email ?? '' })
    const [lease] = await recordsOf(services, 'leases', {
      location_code: tenant?.location_code ?? '',
      tenant_id: tenant?.tenant_id ?? 0,
    })
    if (!lease) throw new Error(`Nobody of the demo is there for '${text}'`)
    const { location_code, lease_number, tenant_id, balance } = lease
    const newest = await loadNewestEntry(services.db.read, lease)
    return {
      lease,
      fields: {
        location_code,
        lease_number,
        tenant_id,
        balance,
        newest_entry: newest?.entry_id ?? '',
        act_id: services.random.uuid(),
        note: '',
      },
    }
  }

  it('can refund a payment that the card provider knows', async () => {
    await runAutopay(services)
    const { lease, fields } = await loadForm('a payment that the office can refund')
    expect(lease).toMatchObject({ status: 'Current', balance: 0 })
    const [order, ...others] = await recordsOf(services, 'payments', { lease_number: lease.lease_number })
    expect([order?.state, others]).toEqual(['posted', []])
    const cents = order?.amount ?? 0
    const orderId = order?.order_id ?? ''
    const refund = { order_id: orderId, cents, way: 'provider', afterwards: 'owed', reason: 'charged-twice' }
    await performOrThrow(services, RefundPayment, { ...fields, ...refund }, officeCaller('owner'))
    await services.runDueJobs()
    expect(await till.moved(orderId)).toMatchObject({ charged: cents, returned: cents })
    expect(await recordsOf(services, 'refunds')).toMatchObject([{ order_id: orderId, state: 'done' }])
  })

  it('can waive a late fee with its tax', async () => {
    const { lease, fields } = await loadForm('a late fee that the office can waive')
    const { location_code, lease_number } = lease
    const fees = await recordsOf(services, 'ledger_entries', { location_code, lease_number, kind: 'fee' })
    const fee = fees.find(({ description }) => description === 'Late fee')
    const waiver = { entry_id: fee?.entry_id ?? '', reason: 'courtesy' }
    await performOrThrow(
      services,
      WaiveCharge,
      { ...fields, ...waiver },
      officeCaller('manager', { at: [lease.location_code] }),
    )
    const after = (await loadForm('a late fee that the office can waive')).lease
    const tax = Math.round(20_00 * 0.089)
    expect(lease.balance - after.balance).toBe(20_00 + tax)
  })
})
