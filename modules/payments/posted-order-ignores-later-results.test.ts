import { expect, it } from 'vitest'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { addRecord, recordsOf } from '../../tests/support/rows.ts'
import { openTestServices } from '../../tests/support/small-operator.ts'
import { changePaymentState } from './payment-orders.ts'
import { paymentStates, statesBefore } from './rules/payment-states.ts'

describeOnBothEngines('An order', (open) => {
  it('ignores any later result of the provider once it is posted', async () => {
    const services = await openTestServices(await open())
    await addRecord(services, 'payments', {
      order_id: 'LKPOSTED0001',
      location_code: 'GA1',
      payer: 'tenant',
      tenant_id: 1002,
      lease_number: 10002,
      state: 'posted',
      amount: 100_00,
      plan: '{}',
      autopay: 0,
      method: 'CC',
      created_at: 0,
      updated_at: 0,
    })
    const before = await recordsOf(services, 'payments')
    const reached = paymentStates.filter((state) => statesBefore(state).length > 0)
    const late = reached.filter((state) => !statesBefore(state).includes('posted'))
    expect(late).toContain('declined')
    for (const state of late)
      expect(await changePaymentState(services.db.write, services, 'LKPOSTED0001', state), state).toBeNull()
    expect(await recordsOf(services, 'payments')).toEqual(before)
  })
})
