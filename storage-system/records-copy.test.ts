/** A website and its storage system, each with a database and keys of its own: what is copied, and what is asked inward. */
import { beforeAll, expect, it } from 'vitest'
import { feedName } from '../database/changes.ts'
import type { Database } from '../database/open.ts'
import { SealBroken } from '../database/sealed.ts'
import { describeOnBothEngines } from '../database/testing.ts'
import { acceptTerms } from '../paying/current-lease.ts'
import { loadDraft, saveAnswers } from '../site-records/rental-draft.ts'
import { postTenants, putProspect } from '../site-records/resources.ts'
import { confirmEmailChange, emailChangeLetter, withdrawEmailChange } from './account-changes.ts'
import { resetContext, ValidatePasswordRequestIsExist } from './account-look-ups.ts'
import { autopayPartyOf, setAutopay } from './autopay.ts'
import { catalogue } from './catalogue.ts'
import { extendHoldOnce } from './holds.ts'
import { inwardCalls } from './inward-calls.ts'
import { CancelScheduleMoveOut, postScheduledMoveOuts, scheduleMoveOut } from './move-outs.ts'
import { openApi } from './open-api.ts'
import { perform } from './operation.ts'
import { recordsCopy } from './records-copy.ts'
import { askingRecords, type Word, wordOf } from './remote.ts'
import { ensureProspect, SaveReservationDetails_WEB } from './reservations.ts'
import { finishReset, resetStep, tryResetCode } from './reset.ts'
import { callersOfToken, endSignIn, login } from './sign-in.ts'
import { endOtherSignIns, liveSignIns, renewSignIn } from './sign-ins.ts'
import { signCallers, siteCallerHeader } from './site-caller.ts'
import { readIdentity, tenantRow, UpdateTenantInfo } from './tenants.ts'
import { asAda, contact, openTestHouse, type TestHouse, visitor, withDraft } from './testing.ts'
import { openWebsite, siteKey, type TwoServers } from './testing-two-servers.ts'
import { NoCopyHere, recordForWebsite } from './told-records.ts'

const card = {
  ...{ method: 'CC' as const, party: { alias: 'ALIAS0001' }, label: 'VI **** 1111' },
  ...{ consentText: 'Yes.', consentAt: 5 },
}
const unit = { location_code: 'GA1', lease_number: 10001 }

describeOnBothEngines('A website with a database of its own', (open) => {
  let records: TestHouse
  let two: TwoServers<TestHouse>
  let website: TestHouse

  // One pair for all of them, each going on where the one before has stopped.
  beforeAll(async () => {
    records = await openTestHouse(await open())
    await records.db.transaction((tx) => setAutopay(tx, records, unit, card))
    two = await openWebsite(records, await open())
    website = two.website
  })

  const leaseIn = (house: TestHouse) =>
    house.db.read.selectFrom('leases').selectAll().where('lease_number', '=', 10001).executeTakeFirstOrThrow()
  const signedIn = async (password = 'ada-secret') => {
    const answer = await perform(website, login, { username: 'ada@example.com', password }, visitor())
    return answer.ok ? answer.value.token : ''
  }
  const jobsIn = (house: TestHouse, kind: string) =>
    house.db.read.selectFrom('jobs').select(['once', 'state']).where('kind', '=', kind).execute()

  const openWebsiteBeside = (db: Database) => {
    const ask = askingRecords({ ...{ url: 'https://records.example', siteKey }, clock: records.clock, fetch: two.send })
    return recordsCopy({ db, sealer: website.sealer, siteKey, ask, random: website.random }).prepare()
  }

  it('has the records, opens what is sealed with its own keys, and knows no password', async () => {
    const tables = ['locations', 'unit_types', 'units', 'tenants', 'ledger_entries', 'fees', 'discounts'] as const
    for (const table of tables) {
      const [here, there] = [website, records].map((house) => house.db.read.selectFrom(table).selectAll())
      const byText = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort()
      expect(byText((await here?.execute()) ?? []), table).toEqual(byText((await there?.execute()) ?? []))
    }
    const [here, there] = [await leaseIn(website), await leaseIn(records)]
    expect({ ...here, autopay_sealed: '', details: '' }).toEqual({ ...there, autopay_sealed: '', details: '' })
    expect(autopayPartyOf(website, here)).toEqual({ alias: 'ALIAS0001' })
    expect(() => autopayPartyOf(website, there)).toThrow(SealBroken)
    const accounts = await website.db.read
      .selectFrom('accounts')
      .select(['username', 'password_hash', 'security_answer_hash'])
      .execute()
    expect(accounts.length).toBeGreaterThan(0)
    expect(new Set(accounts.map((row) => row.password_hash + row.security_answer_hash))).toEqual(new Set(['']))
  })

  it('writes no record by itself: a place that was forgotten is heard of', async () => {
    await expect(website.db.transaction((tx) => setAutopay(tx, website, unit, card))).rejects.toThrow(
      'the records of leases are written by the storage system',
    )
    await expect(website.db.write.deleteFrom('sign_ins').execute()).resolves.toBeDefined()
    await expect(website.db.write.deleteFrom('accounts').execute()).rejects.toThrow('of accounts are written')
  })

  it('a reservation is made there, its draft goes on here, and its hold is kept from here', async () => {
    const wish = { location_code: 'GA1', unit_type_id: 1, move_in_date: '11/22/2026', ...contact }
    const made = await perform(website, SaveReservationDetails_WEB, wish, visitor())
    if (!made.ok) throw new Error(made.message)
    const callers = await withDraft(website, made.grants?.draftId)
    const code = callers.rental?.reservationCode ?? ''
    expect(code).toMatch(/^[2-9A-Z]{10}$/)
    const holdIn = async (house: TestHouse) =>
      (
        await house.db.read
          .selectFrom('reservations')
          .select('hold_until')
          .where('reservation_code', '=', code)
          .executeTakeFirstOrThrow()
      ).hold_until
    records.clock.advance(2 * 60 * 60 * 1000)
    const draft = await loadDraft(website, made.grants?.draftId ?? '')
    if (!draft) throw new Error('no draft')
    const before = await holdIn(website)
    const saved = await saveAnswers(website, draft, { rentNow: true, vehicle: false })
    expect(saved.ok).toBe(true)
    expect(await holdIn(records)).toBe(await holdIn(website))
    expect(await holdIn(records)).toBeGreaterThanOrEqual(before)
    // What was answered here is known there with the next call, and the other way round.
    const again = await perform(website, SaveReservationDetails_WEB, { ...wish, first: 'Raelene' }, callers)
    expect(again.ok).toBe(true)
    const [here, there] = await Promise.all(
      [website, records].map((house) =>
        house.db.read.selectFrom('rental_drafts').select(['version', 'answers', 'reservation_code']).execute(),
      ),
    )
    expect(here).toEqual(there)
    expect(JSON.parse(here?.[0]?.answers ?? '{}')).toMatchObject({ vehicle: false, contact: { first: 'Raelene' } })
    expect(await jobsIn(website, 'reservation_confirmed')).toHaveLength(1)

    const known = await ensureProspect(website, 'GA1', code)
    expect(known).toBe(await ensureProspect(records, 'GA1', code))
    const asked = { reservationCode: code, res_status: 'completed' }
    expect(await perform(website, putProspect, asked, callers)).toMatchObject({ value: { res_status: 'active' } })
    const birthday = { birthday: '05/14/1987', first_name: 'Rae', last_name: 'Lee' }
    const tenantId = callers.rental?.tenantId ?? 0
    const kept = await perform(
      website,
      postTenants,
      { location_code: 'GA1', tenant_id: tenantId, ...birthday },
      callers,
    )
    expect(kept).toMatchObject({ ok: true, value: { saved: true } })
    const tenant = await tenantRow(website.db.read, 'GA1', tenantId)
    expect(tenant && readIdentity(website, tenant).birth_date).toBe('1987-05-14')
    expect(await extendHoldOnce(website, 'GA1', code, before + 60_000)).toBe(true)
    expect(await extendHoldOnce(website, 'GA1', code, before + 60_000)).toBe(false)
  })

  it('sign-ins are made, prolonged and ended there, and looked up here', async () => {
    const [first, second] = [await signedIn(), await signedIn()]
    expect(await callersOfToken(website, first)).toMatchObject({ tenant: { accountId: 'ada' } })
    expect(await liveSignIns(website, 'ada', first)).toHaveLength(2)
    expect(await endOtherSignIns(website, 'ada', first)).toBe(1)
    expect(await callersOfToken(website, second)).toEqual({})
    records.clock.advance(60_000)
    expect(await renewSignIn(website, first)).toBe(records.clock.now() + 86_400_000)
    await endSignIn(website, first)
    expect(await callersOfToken(website, first)).toEqual({})
    expect(await callersOfToken(records, first)).toEqual({})
    expect(await renewSignIn(website, first)).toBeNull()
  })

  it('a reset code is mailed from here and tried there', async () => {
    const asked = await perform(website, ValidatePasswordRequestIsExist, { username: 'ada@example.com' }, visitor())
    const resetId = (asked.ok && asked.grants?.resetId) || ''
    expect(await jobsIn(website, 'reset_code')).toEqual([{ once: resetId, state: 'waiting' }])
    const row = await website.db.read.selectFrom('reset_codes').select('code_sealed').executeTakeFirstOrThrow()
    const code = website.sealer.open(row.code_sealed, resetContext(resetId))
    expect(await tryResetCode(website, resetId, 'none')).toBe('wrong')
    expect(await tryResetCode(website, resetId, code)).toBe('matched')
    expect(await resetStep(website, resetId)).toBe('password')
    expect(await finishReset(website, resetId, 'quite another 7')).toEqual({ ok: true, accountId: 'ada' })
    expect(await signedIn()).toBe('')
    expect(await signedIn('quite another 7')).toMatch(/^[0-9a-f]{64}$/)
  })

  it('a new e-mail address is confirmed by the link that is mailed from here', async () => {
    const row = await tenantRow(website.db.read, 'GA1', 1001)
    const profile = {
      location_code: 'GA1',
      tenant_id: 1001,
      first: row?.first,
      last: row?.last,
      email: 'new@example.com',
    }
    const more = { cell_phone: '4045550111', address: '5 Elm Street', city: 'Atlanta', state: 'GA', zip: '30309' }
    for (const round of [1, 2]) {
      const saved = await perform(website, UpdateTenantInfo, { ...profile, ...more }, asAda)
      expect(saved).toMatchObject({ ok: true })
      if (round === 1) await withdrawEmailChange(website, 'ada')
    }
    const open = await website.db.read.selectFrom('email_changes').selectAll().where('state', '=', 'open').execute()
    expect(open).toHaveLength(1)
    const letter = await emailChangeLetter(website, open[0]?.change_id ?? '')
    const query = new URL(letter?.path ?? '', 'https://x.example').searchParams
    const link = { changeId: query.get('change') ?? '', token: query.get('token') ?? '' }
    expect(await confirmEmailChange(website, 'ada', { ...link, token: 'x'.repeat(32) })).toBe('gone')
    expect(await confirmEmailChange(website, 'ada', link)).toBe('confirmed')
    expect(await confirmEmailChange(website, 'ada', link)).toBe('gone')
    expect(await tenantRow(website.db.read, 'GA1', 1001)).toMatchObject({ email: 'new@example.com' })
  })

  it('a move-out is scheduled once though its answer is lost, and taken back with autopay as it was', async () => {
    const request = {
      ...{ locationCode: 'GA1', leaseNumber: 10001, date: '2026-11-21', vacateReasonId: 1, customNote: '' },
      ...{ feedback: { star_rating: 5, comment: '', reasons: [] }, note: 'Scheduled.', mail: true },
    }
    const feedback = { location_code: 'GA1', tenant_id: 1001, lease_number: 10001, star_rating: 4, comment: 'Fine.' }
    expect(await perform(website, postScheduledMoveOuts, { ...feedback, reasons: [] }, asAda)).toMatchObject({
      ok: true,
    })
    two.wire.lose = { answers: 1, of: 'scheduleMoveOut' }
    expect(await scheduleMoveOut(website, request)).toEqual({ ok: true, date: '2026-11-21', already: false })
    expect(await leaseIn(website)).toMatchObject({ autopay: 0, scheduled_move_out: '2026-11-21' })
    expect(await jobsIn(website, 'move_out_scheduled')).toHaveLength(1)
    const asked = { location_code: 'GA1', tenant_id: 1001, lease_number: 10001, restore_autopay: true }
    expect(await perform(website, CancelScheduleMoveOut, asked, asAda)).toMatchObject({ ok: true })
    const lease = await leaseIn(website)
    expect(lease).toMatchObject({ autopay: 1, scheduled_move_out: null })
    expect(autopayPartyOf(website, lease)).toEqual({ alias: 'ALIAS0001' })
  })

  it('updated terms are accepted once; a note that is written here is known there', async () => {
    await records.db.write.updateTable('leases').set({ terms_required: 1 }).where('lease_number', '=', 10001).execute()
    await two.copy.catchUp()
    const of = { locationCode: 'GA1', tenantId: 1001, leaseNumber: 10001 }
    const by = { hash: 'ab'.repeat(32), address: '198.51.100.7', agent: 'test browser' }
    expect(await acceptTerms(website, of, by)).toBe(true)
    expect(await acceptTerms(website, of, by)).toBe(false)
    const note = { note_id: 'n1', location_code: 'GA1', tenant_id: 1001, lease_number: null, created_at: 1 }
    await website.db.write
      .insertInto('tenant_notes')
      .values({ ...note, note: 'Sent a proof.' })
      .execute()
    await two.copy.tell()
    const notes = (house: TestHouse) =>
      house.db.read.selectFrom('tenant_notes').selectAll().orderBy('note_id').execute()
    expect(await notes(records)).toEqual(await notes(website))
    expect((await notes(records)).map((one) => one.note)).toContain('Sent a proof.')
  })

  it('nobody but the website has a word at these doors, and no other function is to be had', async () => {
    const said = { name: 'endSignIn', input: ['x'.repeat(64)] }
    const asked = async (what: Word, body: unknown, key: string, callers = { address: '', agent: '', site: true }) => {
      const text = JSON.stringify(body)
      const { operation, target } = wordOf(what)
      const signed = signCallers(
        key,
        callers as never,
        { operation, target, key: undefined, body: text },
        records.clock.now(),
      )
      return (
        await two.send(`https://records.example/api${target}`, {
          method: 'POST',
          body: text,
          headers: key === '' ? {} : { [siteCallerHeader]: signed },
        })
      ).status
    }
    expect(await asked('inward', said, siteKey)).toBe(200)
    for (const what of ['inward', 'resource', 'changes', 'told'] as const) {
      expect(await asked(what, said, ''), what).toBe(404)
      expect(await asked(what, said, 'another key of the same length or so')).toBe(404)
    }
    expect(await asked('inward', said, siteKey, { ...asAda } as never)).toBe(404)
    expect(await asked('inward', { ...said, input: ['x', 'y'] }, siteKey)).toBe(500)
    expect(await asked('inward', { ...said, name: 'completeMoveOut' }, siteKey)).toBe(500)
    expect(await asked('resource', { name: 'GET /api/settings', input: {} }, siteKey)).toBe(500)
    const feed = await feedName(website.db)
    const page = { feed, after: '0.0', upto: '0.0', complete: true }
    const told = (changes: object[]) => asked('told', { ...page, changes }, siteKey)
    const named = (name: string) => ({ name, value: '1', updated_at: 1 })
    expect(await told([{ table: 'settings', key: ['one'], rows: [named('one')] }])).toBe(200)
    expect(await told([{ table: 'settings', key: ['one'], rows: [named('other')] }])).toBe(500)
    expect(await told([{ table: 'settings', key: ['one', 'two'], rows: [] }])).toBe(500)
    for (const table of ['accounts', 'ledger_entries', 'jobs', 'record_feed', '__proto__'])
      expect(await told([{ table, key: ['one'], rows: [] }]), table).toBe(500)
    two.wire.faults.length = 0
    const open = JSON.stringify([catalogue(), openApi('https://rent.example')])
    for (const name of inwardCalls.keys()) expect(open).not.toContain(`"${name}"`)
  })

  it('what is large is told in smaller pages', async () => {
    const note = { location_code: 'GA1', tenant_id: 1001, lease_number: null, created_at: 2 }
    const long = 'x'.repeat(700_000)
    const ids = Array.from({ length: 14 }, (_, index) => `long ${index}`)
    for (const note_id of ids)
      await website.db.write
        .insertInto('tenant_notes')
        .values({ ...note, note_id, note: long })
        .execute()
    const before = two.wire.asked.length
    await two.copy.tell()
    expect(two.wire.asked.slice(before).length).toBeGreaterThan(1)
    const there = await records.db.read
      .selectFrom('tenant_notes')
      .select('note_id')
      .where('note_id', 'in', ids)
      .execute()
    expect(there).toHaveLength(ids.length)
    for (const house of [website, records])
      await house.db.write.deleteFrom('tenant_notes').where('note_id', 'in', ids).execute()
  })

  it('a second website is refused while the first one is there, and takes over once it is not', async () => {
    const db = await open()
    await expect(openWebsiteBeside(db)).rejects.toThrow('The first copy of the records cannot be read')
    expect(await db.read.selectFrom('locations').select('location_code').execute()).toEqual([])
    await two.copy.catchUp()
    records.clock.advance(61_000)
    await openWebsiteBeside(db)
    expect(await db.read.selectFrom('locations').select('location_code').execute()).not.toEqual([])
    await expect(two.copy.catchUp()).rejects.toThrow('another website')
    records.clock.advance(61_000)
    await two.copy.catchUp()
  })

  it('a copy that stands still goes on where it stopped; an older state, or another database, is read anew', async () => {
    const ask = askingRecords({ ...{ url: 'https://records.example', siteKey }, clock: records.clock, fetch: two.send })
    const restarted = recordsCopy({
      ...{ db: website.db, sealer: website.sealer, siteKey, ask },
      random: website.random,
    })
    await restarted.prepare()
    const before = two.wire.asked.length
    await restarted.catchUp()
    expect(two.wire.asked.slice(before)).toEqual(['/records/changes'])
    await records.db.write.updateTable('fees').set({ amount: 31_00 }).where('fee_id', '=', 1).execute()
    await two.website.storageSystem?.keepUp()
    const fee = (house: TestHouse) =>
      house.db.read
        .selectFrom('fees')
        .select('amount')
        .where('fee_id', '=', 1)
        .where('location_code', '=', 'GA1')
        .execute()
    expect(await fee(website)).toEqual([{ amount: 31_00 }])
    // Neither server takes the other's database for its own.
    await expect(recordForWebsite(website.db, records.random)).rejects.toThrow(NoCopyHere)
    const own = recordsCopy({ ...{ db: records.db, sealer: records.sealer, siteKey, ask }, random: website.random })
    await expect(own.prepare()).rejects.toThrow(NoCopyHere)

    const other = await openTestHouse(await open())
    other.clock.advance(records.clock.now() - other.clock.now())
    await other.db.write.updateTable('tenants').set({ first: 'Adelaide' }).where('tenant_id', '=', 1001).execute()
    await two.answerBy(other)
    await two.copy.catchUp()
    expect(await tenantRow(website.db.read, 'GA1', 1001)).toMatchObject({ first: 'Adelaide' })
    expect(await fee(website)).toEqual([{ amount: 29_00 }])
    expect(await website.db.read.selectFrom('move_outs').selectAll().execute()).toEqual([])
    // What is the website's own is told to it from the beginning.
    await two.copy.tell()
    expect(await other.db.read.selectFrom('rental_drafts').select('draft_id').execute()).toHaveLength(
      (await website.db.read.selectFrom('rental_drafts').select('draft_id').execute()).length,
    )
    expect(two.wire.faults).toEqual([])
  })
})
