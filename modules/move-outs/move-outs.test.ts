import { beforeEach, expect, it } from 'vitest'
import type { AnyOperation } from '../../api/catalogue.ts'
import { JobRunner } from '../../platform/jobs/job-runner.ts'
import { perform } from '../../platform/operations/operation.ts'
import { capturedMail } from '../../ports/mail/captured.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { observeServices } from '../../tests/support/fault-points.ts'
import {
  asAda,
  asCy,
  lease,
  openTestServices,
  type TestServices,
  today,
  visitor,
} from '../../tests/support/small-operator.ts'
import { autopayPartyOf, setAutopay } from '../leases/autopay-mandate.ts'
import { createMailbox } from '../messages/development-mailbox.ts'
import { messageJobHandlers } from '../messages/message-handlers.ts'
import { CancelScheduleMoveOut } from './operations/cancel-scheduled-move-out.ts'
import { sendScheduleMoveOutEmail } from './operations/mail-about-scheduled-move-out.ts'
import { postScheduledMoveOuts } from './operations/save-move-out-feedback.ts'
import { ScheduleMoveOut } from './operations/schedule-move-out.ts'
import type { MoveOutFeedback } from './rules/feedback-form.ts'
import { cancelMoveOut, type MoveOutRequest, moveOutNote, scheduleMoveOut } from './schedule-and-cancel-move-out.ts'
import { completeMoveOut, verifyMoveOut } from './vacate.ts'

const tomorrow = '2026-11-21'
const card = {
  method: 'CC' as const,
  party: { alias: 'ALIAS0001' },
  label: 'VI **** 1111',
  consentText: 'I agree.',
  consentAt: 5,
}
const unhappy: MoveOutFeedback = { star_rating: 2, comment: 'Too dear.', reasons: ['Rates'] }
const request = (overrides: Partial<MoveOutRequest> = {}): MoveOutRequest => ({
  locationCode: 'GA1',
  leaseNumber: 10001,
  date: tomorrow,
  vacateReasonId: 1,
  customNote: '',
  feedback: unhappy,
  note: moveOutNote(tomorrow, unhappy),
  mail: true,
  ...overrides,
})

describeOnBothEngines('Moving out', (open) => {
  let services: TestServices

  beforeEach(async () => {
    services = await openTestServices(await open())
    await services.db.transaction((tx) => setAutopay(tx, services, { location_code: 'GA1', lease_number: 10001 }, card))
  })

  const leaseNow = (number = 10001) =>
    services.db.read.selectFrom('leases').selectAll().where('lease_number', '=', number).executeTakeFirstOrThrow()
  const rows = async () => ({
    moveOuts: await services.db.read.selectFrom('move_outs').selectAll().orderBy('created_at').execute(),
    notes: await services.db.read.selectFrom('tenant_notes').select('note').execute(),
    jobs: await services.db.read.selectFrom('jobs').select(['kind', 'once']).execute(),
  })
  const sendMails = async () => {
    const mail = capturedMail({ mailbox: createMailbox(services.db), files: services.files, clock: services.clock })
    const handlers = messageJobHandlers(services, { mail, from: 'Storage <desk@storage.example>' })
    const silent = { warn: () => {}, error: () => {} }
    await new JobRunner({ db: services.db, clock: services.clock, handlers, log: silent, onDead: () => {} }).runDue()
    return services.db.read.selectFrom('mailbox').select(['recipient', 'subject', 'text']).execute()
  }

  it('writes nothing if its process dies after any of the six writes, and everything once at the next attempt', async () => {
    const before = await leaseNow()
    for (const dyingAt of [1, 2, 3, 4, 5, 6]) {
      let writes = 0
      const dying = observeServices(services, ({ at }) => {
        if (at === 'written' && ++writes === dyingAt) throw new Error(`killed at write ${writes}`)
      })
      await expect(scheduleMoveOut(dying, request())).rejects.toThrow(`killed at write ${dyingAt}`)
      expect(await leaseNow()).toEqual(before)
      expect(await rows()).toEqual({ moveOuts: [], notes: [], jobs: [] })
    }
    expect(await scheduleMoveOut(services, request())).toEqual({ ok: true, date: tomorrow, already: false })
    expect(await leaseNow()).toMatchObject({ scheduled_move_out: tomorrow, move_out_reason: 1, autopay: 0 })
    const { moveOuts, notes, jobs } = await rows()
    expect(moveOuts).toMatchObject([
      {
        state: 'scheduled',
        move_out_date: tomorrow,
        tenant_id: 1001,
        lease_number: 10001,
        star_rating: 2,
        comment: 'Too dear.',
        reasons: '["Rates"]',
      },
    ])
    expect(moveOuts[0]?.autopay_before).toBeTruthy()
    expect(moveOuts[0]?.autopay_before).not.toContain('ALIAS0001')
    expect(notes.map((note) => note.note)).toEqual([
      'Move-out scheduled online for 11/21/2026. 2 of 5 stars. Reasons: Rates. Comment: Too dear.',
    ])
    expect(jobs).toHaveLength(1)
    const mails = await sendMails()
    expect(mails).toMatchObject([{ recipient: 'ada@example.com' }])
    expect(mails[0]?.text).toContain('11/21/2026')
  })

  it('makes one move-out, one note and one mail when scheduled twice, also at the same moment', async () => {
    const both = await Promise.all([scheduleMoveOut(services, request()), scheduleMoveOut(services, request())])
    expect(both.map((result) => result.ok && result.already).sort()).toEqual([false, true])
    expect(await scheduleMoveOut(services, request({ date: '2026-11-25' }))).toEqual({
      ok: true,
      date: tomorrow,
      already: true,
    })
    const { moveOuts, notes, jobs } = await rows()
    expect([moveOuts.length, notes.length, jobs.length]).toEqual([1, 1, 1])
  })

  it('is cancelled with or without autopay, and scheduled again with a mail of its own', async () => {
    const key = { locationCode: 'GA1', leaseNumber: 10001 }
    await scheduleMoveOut(services, request())
    expect(await cancelMoveOut(services, key, { restore: true })).toEqual({ autopay: 'as it was' })
    expect(await leaseNow()).toMatchObject({
      scheduled_move_out: null,
      move_out_reason: null,
      autopay: 1,
      autopay_label: card.label,
      autopay_consent_text: card.consentText,
      autopay_consent_at: card.consentAt,
    })
    expect(autopayPartyOf(services, await leaseNow())).toEqual(card.party)
    expect(await cancelMoveOut(services, key, { restore: true })).toBeNull()
    // The mail was not sent before the cancellation, and is not sent after it.
    expect(await sendMails()).toEqual([])

    services.clock.advance(1000)
    expect(await scheduleMoveOut(services, request({ feedback: null }))).toMatchObject({ ok: true, already: false })
    expect(await sendMails()).toHaveLength(1)
    expect(await cancelMoveOut(services, key, { restore: false })).toEqual({ autopay: 'off' })
    expect(await leaseNow()).toMatchObject({ scheduled_move_out: null, autopay: 0 })
    expect((await rows()).moveOuts.map((moveOut) => [moveOut.state, moveOut.star_rating])).toEqual([
      ['cancelled', 2],
      ['cancelled', null],
    ])
  })

  it('leaves autopay alone when cancelled, if it was switched on since with another card', async () => {
    await scheduleMoveOut(services, request())
    const other = { ...card, party: { alias: 'ALIAS0002' }, label: 'MC **** 2222' }
    await services.db.transaction((tx) =>
      setAutopay(tx, services, { location_code: 'GA1', lease_number: 10001 }, other),
    )
    expect(await cancelMoveOut(services, { locationCode: 'GA1', leaseNumber: 10001 }, { restore: true })).toEqual({
      autopay: 'on',
    })
    expect(autopayPartyOf(services, await leaseNow())).toEqual(other.party)
  })

  it('closes the lease on its day, once: autopay off, gate code inactive, unit unavailable until inspected', async () => {
    await scheduleMoveOut(services, request())
    await services.db.transaction((tx) => setAutopay(tx, services, { location_code: 'GA1', lease_number: 10001 }, card))
    const before = await leaseNow()
    expect(await services.db.transaction((tx) => completeMoveOut(tx, services, before, tomorrow))).toBe(true)
    expect(await services.db.transaction((tx) => completeMoveOut(tx, services, before, '2026-12-24'))).toBe(false)
    expect(await leaseNow()).toMatchObject({ status: 'Closed', closed_on: tomorrow, autopay: 0, autopay_sealed: null })
    const unit = () => services.db.read.selectFrom('units').select('status').where('unit_number', '=', '301').execute()
    expect(await unit()).toEqual([{ status: 'off' }])
    const codes = await services.db.read.selectFrom('gate_codes').select(['gate_code', 'active']).execute()
    expect(codes).toContainEqual({ gate_code: '482917', active: 0 })
    expect(codes).toContainEqual({ gate_code: '591734', active: 1 })
    expect((await rows()).moveOuts.map((moveOut) => moveOut.state)).toEqual(['completed'])
    expect(await cancelMoveOut(services, { locationCode: 'GA1', leaseNumber: 10001 }, { restore: true })).toBeNull()
    expect(await scheduleMoveOut(services, request())).toEqual({ ok: false })

    expect(await verifyMoveOut(services.db.write, { locationCode: 'GA1', leaseNumber: 10002 })).toBeNull()
    expect(await verifyMoveOut(services.db.write, { locationCode: 'GA1', leaseNumber: 10001 })).toBe('301')
    expect(await unit()).toEqual([{ status: 'free' }])
    expect(await verifyMoveOut(services.db.write, { locationCode: 'GA1', leaseNumber: 10001 })).toBeNull()
  })

  it('leaves a gate code active that another unit of the tenant uses, with that unit’s hours', async () => {
    const { write } = services.db
    await write
      .insertInto('leases')
      .values(lease({ lease_number: 10003, tenant_id: 1001, unit_id: 4, unit_number: '201' }))
      .execute()
    await write.updateTable('gate_codes').set({ time_zone_name: '24-hour' }).where('lease_number', '=', 10001).execute()
    const before = await leaseNow()
    await services.db.transaction((tx) => completeMoveOut(tx, services, before, tomorrow))
    const code = () =>
      services.db.read
        .selectFrom('gate_codes')
        .select(['active', 'time_zone_name'])
        .where('gate_code', '=', '482917')
        .execute()
    expect(await code()).toEqual([{ active: 1, time_zone_name: 'standard' }])
    const second = await leaseNow(10003)
    await services.db.transaction((tx) => completeMoveOut(tx, services, second, tomorrow))
    expect(await code()).toEqual([{ active: 0, time_zone_name: 'standard' }])
  })

  it('has one move-out and one mail after API calls for feedback, date and mail, even if they are repeated', async () => {
    const leaseKey = { location_code: 'GA1', tenant_id: 1001, lease_number: 10001 }
    const ada = { tenantEmail: 'ada@example.com', tenantName: 'Ada Byrne' }
    const mail = (body = ada) => perform(services, sendScheduleMoveOutEmail, body, asAda)
    expect(await mail({ ...ada, tenantEmail: 'evil@example.com' })).toMatchObject({
      ok: false,
      status: 409,
      fields: { tenantEmail: expect.any(String) },
    })
    expect(await mail()).toMatchObject({ ok: true, value: { result: 'failed' } })
    const feedback = { ...leaseKey, star_rating: '3', reasons: 'Rates', comment: 'x' }
    expect(await perform(services, postScheduledMoveOuts, feedback, asAda)).toMatchObject({
      value: { star_rating: 3, reasons: ['Rates'] },
    })
    const happier = { ...leaseKey, star_rating: 5, reasons: ['Rates'], comment: '' }
    expect(await perform(services, postScheduledMoveOuts, happier, asAda)).toMatchObject({
      value: { star_rating: 5, reasons: [] },
    })
    const { tenant_id: _, ...specified } = { ...leaseKey, move_out_date: '11/21/2026', vacate_reason_id: 1 }
    expect(await perform(services, ScheduleMoveOut, specified, asCy)).toMatchObject({ ok: false, status: 404 })
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await perform(services, ScheduleMoveOut, specified, asAda)).toMatchObject({
        value: { SaveSuccessful: 'True', scheduledMoveoutDate: '11/21/2026' },
      })
      expect(await mail()).toMatchObject({ value: { result: 'success' } })
    }
    const { moveOuts, notes, jobs } = await rows()
    expect(moveOuts).toMatchObject([{ state: 'scheduled', star_rating: 5, reasons: '[]' }])
    expect([notes.length, jobs.length]).toEqual([0, 1])
    expect(await sendMails()).toMatchObject([{ recipient: 'ada@example.com' }])
    const cancelled = await perform(services, CancelScheduleMoveOut, { ...specified, restore_autopay: '1' }, asAda)
    expect(cancelled).toMatchObject({ value: { SaveSuccessful: 'True', autopay: 'True' } })
    expect(await perform(services, CancelScheduleMoveOut, specified, asAda)).toMatchObject({
      value: { SaveSuccessful: 'False' },
    })
  })

  it('refuses days out of range, invalid feedback, and callers who do not rent the unit', async () => {
    const leaseKey = { location_code: 'GA1', tenant_id: 1001, lease_number: 10001 }
    for (const move_out_date of [today, '11/01/2026', '11/20/2027']) {
      expect(await perform(services, ScheduleMoveOut, { ...leaseKey, move_out_date }, asAda)).toMatchObject({
        value: { SaveSuccessful: 'False', ErrorMessage: 'Choose a date from 11/21/2026 to 02/18/2027.' },
      })
    }
    for (const bad of [{ star_rating: 6 }, { comment: 'x'.repeat(501) }, { reasons: ['Because'] }]) {
      expect(await perform(services, postScheduledMoveOuts, { ...leaseKey, ...bad }, asAda)).toMatchObject({
        status: 400,
      })
    }
    const declarations = [ScheduleMoveOut, CancelScheduleMoveOut, sendScheduleMoveOutEmail, postScheduledMoveOuts]
    for (const operation of declarations as AnyOperation[]) {
      expect(await perform(services, operation, leaseKey, asCy)).toMatchObject({ status: 403 })
      expect(await perform(services, operation, leaseKey, visitor())).toMatchObject({ status: 401 })
    }
    expect((await leaseNow()).scheduled_move_out).toBeNull()
    expect((await rows()).moveOuts).toEqual([])
  })
})
