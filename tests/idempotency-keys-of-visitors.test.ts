import { expect, it } from 'vitest'
import { SaveReservationDetails_WEB } from '../modules/reservations/operations/reserve-unit-for-new-tenant.ts'
import { AddTenantNotes } from '../modules/tenants/operations/add-note-by-tenant.ts'
import { perform } from '../platform/operations/operation.ts'
import { describeOnBothEngines } from './support/databases.ts'
import { asAda, contact, openTestServices, visitor } from './support/small-operator.ts'

describeOnBothEngines('An idempotency key', (open) => {
  it('a caller without a sign-in needs an idempotency key that is hard to guess', async () => {
    const services = await openTestServices(await open())
    const reservation = { ...contact, location_code: 'GA1', unit_type_id: 1, move_in_date: '11/22/2026' }
    const save = (key: string) => perform(services, SaveReservationDetails_WEB, reservation, visitor(), key)
    for (const key of ['kiosk-01', 'reservation-1', '0'.repeat(36)])
      expect(await save(key)).toMatchObject({ status: 400, code: 'invalid_idempotency_key' })
    expect(await save('5f0c9a52-7f7e-4d0e-9d55-0d6a1c2b3e4f')).toMatchObject({ ok: true })
    // A signed-in account may use a key that is easy to guess.
    const note = { location_code: 'GA1', tenant_id: 1001, note: 'Moved in.' }
    expect(await perform(services, AddTenantNotes, note, asAda, 'note-0001')).toMatchObject({ ok: true })
  })
})
