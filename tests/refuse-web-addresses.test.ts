import { beforeEach, expect, it } from 'vitest'
import { validate } from '../domain/forms/form-rules.ts'
import { containsLink } from '../domain/plain-text-checks.ts'
import { moveOutFeedback } from '../modules/move-outs/rules/feedback-form.ts'
import { SaveReservationDetails_WEB } from '../modules/reservations/operations/reserve-unit-for-new-tenant.ts'
import { contact as contactForm, designatedAgent } from '../modules/reservations/rules/reservation-form.ts'
import { AddTenantNotes } from '../modules/tenants/operations/add-note-by-tenant.ts'
import { perform } from '../platform/operations/operation.ts'
import { describeOnBothEngines } from './support/databases.ts'
import { asAda, contact, openTestServices, type TestServices, visitor } from './support/small-operator.ts'

const spam = [
  'Win at http://spam.example',
  'WWW.spam.example',
  'ｗｗｗ．spam.example',
  'www。spam.example',
  'ht\u200btps:\u200b//spam.example',
]

describeOnBothEngines('Text of visitors and tenants', (open) => {
  let services: TestServices

  beforeEach(async () => {
    services = await openTestServices(await open())
  })

  it('a name or text with a web address is refused, on forms and by the API', async () => {
    for (const text of spam) {
      const reservation = { ...contact, location_code: 'GA1', unit_type_id: 1, move_in_date: '11/22/2026' }
      expect(
        await perform(services, SaveReservationDetails_WEB, { ...reservation, first: text }, visitor()),
      ).toMatchObject({
        status: 400,
        fields: { first: 'First Name must not contain a web address' },
      })
      expect(validate(contactForm, { ...contact, company: text }).ok).toBe(false)
      expect(validate(designatedAgent, { agent_name: text })).toMatchObject({
        fields: { agent_name: 'Name must not contain a web address' },
      })
      expect(validate(moveOutFeedback, { comment: text }).ok).toBe(false)
      const note = { location_code: 'GA1', tenant_id: 1001, note: text }
      expect(await perform(services, AddTenantNotes, note, asAda)).toMatchObject({ status: 400 })
    }
    expect(['Ann-Marie', 'O’Neill & Sons, Inc.', 'Awww, no', 'a/b: c'].filter(containsLink)).toEqual([])
  })
})
