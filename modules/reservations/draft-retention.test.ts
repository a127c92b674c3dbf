import { expect, it } from 'vitest'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { openTestServices } from '../../tests/support/small-operator.ts'
import { deleteExpiredDrafts } from './draft-retention.ts'
import { insertDraft } from './insert-draft.ts'

describeOnBothEngines('Retention of drafts', (open) => {
  it('a draft without a reservation is deleted after two days, and one with a reservation is kept', async () => {
    const services = await openTestServices(await open())
    const draft = { locationCode: 'GA1', unitTypeId: 1 }
    await insertDraft(services.db.write, services, draft)
    const reserved = await insertDraft(services.db.write, services, { ...draft, tenantId: 1002, reservationCode: 'R1' })
    services.clock.advance(2 * 86_400_000 + 1)
    expect(await deleteExpiredDrafts(services)).toBe(1)
    const left = await services.db.read.selectFrom('rental_drafts').select('draft_id').execute()
    expect(left.map((row) => row.draft_id)).toEqual([reserved.draftId])
  })
})
