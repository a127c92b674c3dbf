import { beforeEach, expect, it } from 'vitest'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { openTestServices, type TestServices, today } from '../../tests/support/small-operator.ts'
import { loadDraft, saveAnswers } from './draft.ts'
import { deleteExpiredDrafts } from './draft-retention.ts'
import { insertDraft } from './insert-draft.ts'
import { loadJourneyFacts } from './load-draft-facts.ts'
import { startDraft } from './operations/start-draft.ts'
import type { Draft } from './rules/journey/draft.ts'
import { type Answers, isSignatureValid, leaseTerms } from './rules/journey/journey-answers.ts'
import { checkStepAccess } from './rules/journey/journey-navigation.ts'

const customerInfo = {
  drivers_license: '048213377',
  issued_state: 'GA',
  birth_date: '1987-05-14',
  expiration_date: '2030-01-31',
  brief_description: 'Household goods',
}

describeOnBothEngines('The rental draft', (open) => {
  let services: TestServices
  beforeEach(async () => {
    services = await openTestServices(await open())
  })

  async function insertTestDraft(answers: Answers = {}, rentNow = true): Promise<Draft> {
    return insertDraft(services.db.write, services, { locationCode: 'GA1', unitTypeId: 1, rentNow, answers })
  }
  async function save(draft: Draft, change: Partial<Answers>): Promise<Draft> {
    const outcome = await saveAnswers(services, draft, change)
    if (!outcome.ok) throw new Error(outcome.why)
    return outcome.draft
  }
  async function sign(draft: Draft): Promise<Draft> {
    const facts = await loadJourneyFacts(services, draft, { signedIn: false })
    if (!facts) throw new Error('no facts')
    return save(draft, { signature: { documentId: 'd1', terms: leaseTerms(facts) }, paymentMethod: 'CC' })
  }
  const isStillSigned = async (draft: Draft) => {
    const facts = await loadJourneyFacts(services, draft, { signedIn: false })
    return facts !== null && isSignatureValid(facts)
  }

  it('stores all answers, and loads them unchanged', async () => {
    const draft = await insertTestDraft()
    const stored = await save(draft, { vehicle: false, customerInfo, defaultNotice: 'email' })
    expect(stored.version).toBe(draft.version + 1)
    expect(await loadDraft(services, draft.draftId)).toEqual(stored)
    expect(stored.answers).toMatchObject({ vehicle: false, customerInfo, defaultNotice: 'email', rentNow: true })
    expect(await loadDraft(services, 'unknown')).toBeNull()
  })

  it('never stores driver’s license, birth date or default notice in plain text, and opens them in no other draft', async () => {
    const draft = await sign(await save(await insertTestDraft(), { customerInfo, defaultNotice: 'email' }))
    const row = await services.db.read.selectFrom('rental_drafts').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toMatch(/048213377|1987-05-14|defaultNotice|"email"/)
    const other = await insertTestDraft()
    await services.db.write
      .updateTable('rental_drafts')
      .set({ sealed_answers: row.sealed_answers })
      .where('draft_id', '=', other.draftId)
      .execute()
    await expect(loadDraft(services, other.draftId)).rejects.toThrow('belongs elsewhere')
    expect(draft.answers.customerInfo).toEqual(customerInfo)
  })

  it('accepts one of two concurrent changes, and reports the conflict to the other', async () => {
    const draft = await insertTestDraft()
    const both = await Promise.all([
      saveAnswers(services, draft, { vehicle: true }),
      saveAnswers(services, draft, { vehicle: false }),
    ])
    expect(both.filter((result) => result.ok)).toHaveLength(1)
    expect(both.find((result) => !result.ok)).toEqual({ ok: false, why: 'stale' })
    expect((await loadDraft(services, draft.draftId))?.version).toBe(2)
  })

  it('voids the signature when the lease or its price changes, and only then', async () => {
    const draft = await sign(await insertTestDraft({ vehicle: false, insurance: { status: 1, schemeId: 1 } }))
    expect(await isStillSigned(draft)).toBe(true)
    const unchanged = await save(draft, { brochureSeen: true, customerInfo })
    expect(await isStillSigned(unchanged)).toBe(true)
    const cheaper = await save(unchanged, { insurance: { status: 1, schemeId: 2 } })
    expect(cheaper.answers).not.toHaveProperty('signature')
    expect(cheaper.answers).not.toHaveProperty('paymentMethod')
    // Without autopay the renter loses First Month Free, which changes the price.
    const again = await sign(cheaper)
    expect((await save(again, { autopay: false })).answers).not.toHaveProperty('signature')
  })

  it('voids the signature when the operator changes a fee, and when the next day begins', async () => {
    const draft = await sign(await insertTestDraft({ vehicle: false }))
    await services.db.write.updateTable('fees').set({ amount: 39_00 }).where('fee_id', '=', 1).execute()
    expect(await isStillSigned(draft)).toBe(false)
    await services.db.write.updateTable('fees').set({ amount: 29_00 }).where('fee_id', '=', 1).execute()
    expect(await isStillSigned(draft)).toBe(true)
    // Midnight in Atlanta: the lease would start on another day than the signed one.
    services.clock.set(Date.parse('2026-11-21T05:00:00Z'))
    expect(await isStillSigned(draft)).toBe(false)
  })

  it('dates a begun move-in today, and a reservation on its move-in day', async () => {
    const facts = async (draft: Draft) => loadJourneyFacts(services, draft, { signedIn: false })
    expect((await facts(await insertTestDraft({ moveInDate: '2026-11-25' }, false)))?.answers.moveInDate).toBe(
      '2026-11-25',
    )
    expect(
      (await facts(await insertTestDraft({ moveInDate: '2026-11-25', vehicle: true }, false)))?.answers.moveInDate,
    ).toBe(today)
    expect((await facts(await insertTestDraft()))?.window).toEqual({ earliest: '2026-11-20', latest: '2026-12-03' })
  })

  it('returns the facility and offer for the journey', async () => {
    const facts = await loadJourneyFacts(services, await insertTestDraft(), { signedIn: false })
    expect(facts).toMatchObject({
      place: { state: 'GA', sboa: true, hasBrochure: true, hasAccessFee: true, allowAch: true, ccFee: true },
      visitor: { signedIn: false, reserved: false, existingTenant: false, contactOnFile: false, rented: false },
      offer: { unitTypeId: 1, rent: 139_00, discountId: 2, firstMonthFree: true },
      heldUntil: null,
      holdLapsed: false,
    })
    expect(facts && checkStepAccess('/vehicle', facts)).toMatchObject({ open: false, goTo: '/add-contact' })
    const hawaii = await startDraft(services, { locationCode: 'HI1', unitTypeId: 1, rentNow: false })
    expect(hawaii && (await loadJourneyFacts(services, hawaii, { signedIn: true }))).toMatchObject({
      place: { sboa: false, hasBrochure: false, hasAccessFee: false, ccFee: false },
      visitor: { signedIn: true },
      window: { earliest: '2026-11-20', latest: '2026-11-22' },
    })
  })

  it('uses today as the move-in date when renting now, and is not started where the facility lacks the unit type', async () => {
    const draft = await startDraft(services, { locationCode: 'GA1', unitTypeId: 1, rentNow: true })
    expect(draft).toMatchObject({ rentNow: true, answers: { rentNow: true, moveInDate: today } })
    expect(await startDraft(services, { locationCode: 'HQ', unitTypeId: 1, rentNow: true })).toBeNull()
  })

  it('is deleted after two days without a change if it has no reservation', async () => {
    const old = await insertTestDraft()
    services.clock.advance(2 * 86_400_000)
    const fresh = await insertTestDraft()
    expect(await deleteExpiredDrafts(services)).toBe(0)
    services.clock.advance(1)
    expect(await deleteExpiredDrafts(services)).toBe(1)
    expect(await loadDraft(services, old.draftId)).toBeNull()
    expect(await loadDraft(services, fresh.draftId)).not.toBeNull()
  })
})
