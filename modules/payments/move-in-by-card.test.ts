import { type KyselyPlugin, UpdateQueryNode } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { cardProcessingFee } from '../../domain/texts/payment.ts'
import { DatabaseUnavailable } from '../../platform/database/open.ts'
import { perform } from '../../platform/operations/operation.ts'
import { MailNotDelivered } from '../../ports/mail/mail.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import type { TestCardName } from '../../sandbox/test-cards.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { contact, today, visitor } from '../../tests/support/small-operator.ts'
import { isGateCode } from '../gate/rules/generate-gate-code.ts'
import { sealedAnswersOf } from '../leases/renter-answers-stored-with-lease.ts'
import { fee24HourAccess } from '../pricing/texts/full-day-access-fee-name.ts'
import { storeQuote } from '../reservations/draft-quote.ts'
import { insertDraft } from '../reservations/insert-draft.ts'
import { SaveReservationDetails_WEB } from '../reservations/operations/reserve-unit-for-new-tenant.ts'
import { unitsNotAvailable } from '../reservations/texts/reserve.ts'
import { setFlag } from '../tenants/flags.ts'
import { decryptIdentity } from '../tenants/identity-data.ts'
import { expireUnpaidHolds } from './expire-unpaid-holds.ts'
import { openMoveInPayment } from './open/open-move-in-payment.ts'
import { processRefunds } from './refund-unposted-payments.ts'
import { settlePayment } from './settle-payment.ts'
import { reconcilePayments } from './settle-pending-payments.ts'
import { openPayingServices, type PayingServices } from './testing.ts'
import { sandboxForTests } from './testing-card-provider.ts'
import { expectInvariants, loadNewLeases, mailsOf, subjects } from './testing-invariants.ts'
import {
  agreeAndOpen,
  openTestCardPage,
  plainAnswers,
  readyToPay,
  reserveTestUnit,
  saveTestAnswers,
  signTestLease,
} from './testing-rent-until-card-page.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

const { till, folder } = sandboxForTests('move-in-by-card')

describeOnBothEngines('A move-in by card', (open) => {
  let services: PayingServices
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
  })
  afterEach(() => services.db.close())

  const paid = async (card: TestCardName = 'visa', options?: Parameters<typeof readyToPay>[1]) => {
    const draft = await readyToPay(services, options)
    const page = await openTestCardPage(services, draft)
    await payAtHostedPage(page.payPageUrl, card).catch(() => {
      // Some test cards cut the connection, so that the browser never returns.
    })
    return { draft, ...page }
  }
  const payment = (orderId: string) => recordOf(services, 'payments', { order_id: orderId })
  const unit = (unitId: number) => recordOf(services, 'units', { location_code: 'GA1', unit_id: unitId })

  it('creates a lease with its number, ledger, gate code, document, note and mails', async () => {
    const { draft, orderId, amount } = await paid()
    const settled = await settlePayment(services, orderId)
    const [lease, ...more] = await loadNewLeases(services)
    expect(more).toEqual([])
    expect(settled).toMatchObject({ state: 'posted', leaseNumber: lease?.lease_number })
    expect(lease).toMatchObject({
      status: 'Current',
      move_in_date: today,
      paid_through: '2026-12-19',
      rent: 139_00,
      insurance_status: 1,
      insurance_scheme_id: 2,
      insurance_premium: 12_00,
      discount_id: 2,
      autopay: 1,
      autopay_method: 'CC',
      autopay_label: 'VI **** 1111',
      order_id: orderId,
      reservation_code: draft.reservationCode,
    })
    expect(lease?.autopay_consent_at).not.toBeNull()
    expect(isGateCode(lease?.gate_code ?? '')).toBe(true)
    expect(await unit(lease?.unit_id ?? 0)).toMatchObject({ status: 'rented', held_by: null, held_until: null })
    expect((await payment(orderId)).state).toBe('posted')
    expect(await till.moved(orderId)).toMatchObject({ charged: amount, charges: 1, returns: 0 })
    const reservation = await recordOf(services, 'reservations')
    expect(reservation).toMatchObject({ status: 'completed', lease_number: lease?.lease_number })
    const prospect = await recordOf(services, 'prospects')
    expect(prospect).toMatchObject({ res_status: 'completed', move_in_date: today })
    const note = await recordOf(services, 'tenant_notes')
    expect(note.note).toContain(orderId)
    await services.runDueJobs()
    expect(await subjects(services)).toEqual([
      expect.stringMatching(/^Receipt /),
      expect.stringMatching(/^You're moved in: unit 10\d at /),
    ])
    const tables = ['payments', 'leases', 'tenants', 'jobs'] as const
    const rows = await Promise.all(tables.map((table) => recordsOf(services, table)))
    expect(JSON.stringify(rows)).not.toMatch(/048213377|1987-05-14|4111111111111111|"alias":/)
    await expectInvariants(services, till)
  })

  it('with 24-hour access puts the fee on the lease and opens the gate at all hours', async () => {
    const page = await paid('mastercard', { answers: { fullDayAccess: true } })
    await settlePayment(services, page.orderId)
    const [lease] = await loadNewLeases(services)
    const fees = await recordsOf(services, 'lease_fees')
    expect(fees).toEqual([
      {
        location_code: 'GA1',
        lease_number: lease?.lease_number,
        fee_id: 2,
        description: fee24HourAccess,
        amount: 20_00,
      },
    ])
    const code = await recordOf(services, 'gate_codes', { gate_code: lease?.gate_code ?? '' })
    expect(code).toMatchObject({ time_zone_name: '24-hour', active: 1 })
    await expectInvariants(services, till)
  })

  it('writes military service and identity into the record of the new tenant', async () => {
    const military = { military_branch: 'Navy', military_base: 'Mayport', commanding_officer: 'Cmdr. Ellen Strom' }
    const { draft, ...page } = await paid('visa', { answers: { activeMilitary: true, military } })
    await settlePayment(services, page.orderId)
    const tenant = await recordOf(services, 'tenants', { tenant_id: draft.tenantId ?? 0 })
    expect(tenant.active_military).toBe(1)
    expect(JSON.parse(tenant.military)).toEqual(military)
    expect(tenant.identity_sealed).not.toBeNull()
    // The lease has its own copy of the stored goods, since the tenant's next rental replaces those in the tenant's record.
    const [lease] = await loadNewLeases(services)
    expect(sealedAnswersOf(services, lease!)).toEqual({
      defaultNotice: null,
      identity: { brief_description: decryptIdentity(services, tenant).brief_description },
    })
  })

  it('keeps a military flag that staff set when the renter answers no', async () => {
    const { draft, ...page } = await paid('visa', { answers: { activeMilitary: false } })
    const flag = { locationCode: 'GA1', tenantId: draft.tenantId ?? 0, flag: 'military' as const, note: 'Orders seen' }
    await services.db.transaction((tx) => setFlag(tx, services, { ...flag, staffId: 'manager' }))
    await settlePayment(services, page.orderId)
    expect(await loadNewLeases(services)).toHaveLength(1)
    expect((await recordOf(services, 'tenants', { tenant_id: flag.tenantId })).active_military).toBe(1)
  })

  it('changes no data of the existing tenant it is attached to, and assigns a gate code of its own', async () => {
    const before = await recordOf(services, 'tenants', { tenant_id: 1001 })
    const draft = await readyToPay(services)
    await change(services, 'reservations', { reservation_code: draft.reservationCode ?? '' }, { tenant_id: 1001 })
    await change(services, 'rental_drafts', { draft_id: draft.draftId }, { tenant_id: 1001, existing_tenant: 1 })
    const page = await openTestCardPage(services, await signTestLease(services, draft))
    await payAtHostedPage(page.payPageUrl, 'visa')
    await settlePayment(services, page.orderId)
    const [lease] = await loadNewLeases(services)
    expect(lease?.tenant_id).toBe(1001)
    expect(lease?.gate_code).not.toBe('482917')
    const after = await recordOf(services, 'tenants', { tenant_id: 1001 })
    expect(after).toEqual(before)
  })

  it('stores only the card when nothing is due, and sends no receipt', async () => {
    await services.db.write.deleteFrom('fees').where('charged', '=', 'move_in').execute()
    const ownInsurance = { carrier: 'Acme', policy_number: 'A1', expiration_date: '2028-01-01' }
    const draft = await readyToPay(services, { answers: { insurance: { status: 2 }, ownInsurance } })
    const page = await openTestCardPage(services, draft)
    expect(page.amount).toBe(0)
    await payAtHostedPage(page.payPageUrl, 'visa')
    expect((await settlePayment(services, page.orderId)).state).toBe('posted')
    const [lease] = await loadNewLeases(services)
    expect(lease).toMatchObject({ autopay: 1, insurance_status: 2 })
    expect(lease?.autopay_sealed).not.toBeNull()
    expect((await till.moved(page.orderId)).charged).toBe(0)
    await services.runDueJobs()
    expect(await subjects(services)).toEqual([expect.stringMatching(/^You're moved in/)])
    await expectInvariants(services, till)
  })

  it('gives the last unit to one of many renters, and refuses the others before any charge', async () => {
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, n) =>
        perform(
          services,
          SaveReservationDetails_WEB,
          { location_code: 'GA1', unit_type_id: 2, rent_now: 1, ...contact, email: `renter${n}@example.com` },
          visitor(`203.0.113.${n}`),
        ),
      ),
    )
    const results = answers.map((answer) => (answer.ok ? answer.value.ErrorMessage : answer.code)).sort()
    expect(results).toEqual(['', ...Array.from({ length: 24 }, () => unitsNotAvailable)])
    expect(await recordsOf(services, 'payments')).toEqual([])
    await expectInvariants(services, till)
  })

  it('extends an expired hold once, and then charges no one', async () => {
    const draft = await readyToPay(services, { unitTypeId: 2 })
    services.later(DAY + 1000)
    const first = await agreeAndOpen(services, draft)
    // The move-in day has passed too, so the lease must be signed again; the unit stays held meanwhile.
    expect(first).toMatchObject({ ok: false, why: 'not_signed' })
    expect((await unit(4)).held_by).toBe(draft.reservationCode)
    services.later(2 * HOUR)
    await expireUnpaidHolds(services)
    expect((await unit(4)).status).toBe('free')
    expect(await agreeAndOpen(services, draft)).toMatchObject({ ok: false, why: 'hold_lost' })
    expect(await recordsOf(services, 'payments')).toEqual([])
  })

  it('replaces an expired card page, and only one of the pages charges', async () => {
    const draft = await readyToPay(services)
    const page = await openTestCardPage(services, draft)
    services.later(61 * 60 * 1000)
    const next = await openTestCardPage(services, draft)
    expect(next.orderId).not.toBe(page.orderId)
    await payAtHostedPage(next.payPageUrl, 'visa')
    expect((await settlePayment(services, next.orderId)).state).toBe('posted')
    expect((await till.moved(page.orderId)).charges + (await till.moved(next.orderId)).charges).toBe(1)
  })

  it('keeps a hold that ends after the card was charged, until the payment is settled', async () => {
    const { draft, orderId } = await paid()
    await change(
      services,
      'reservations',
      { reservation_code: draft.reservationCode ?? '' },
      { hold_until: services.clock.now() - 1 },
    )
    await expireUnpaidHolds(services)
    expect((await settlePayment(services, orderId)).state).toBe('posted')
    await expectInvariants(services, till)
  })

  it('mails that the payment is not known yet when the hold ends after the card was charged', async () => {
    const { draft } = await paid()
    // The payment is not settled before the hold, extended once for it, has lapsed.
    await change(
      services,
      'reservations',
      { reservation_code: draft.reservationCode ?? '' },
      { hold_until: services.clock.now() - 1 },
    )
    expect(await expireUnpaidHolds(services)).toBe(0)
    services.later(2 * HOUR)
    expect(await expireUnpaidHolds(services)).toBe(1)
    await services.runDueJobs()
    const [mail, ...more] = await mailsOf(services, /^Your hold on unit/)
    expect(more).toEqual([])
    expect(mail?.text).toContain('We do not know yet whether it went through. Please do not pay a second time.')
    expect(mail?.text).not.toMatch(/not charged|owe nothing/)
  })

  it('mails that nothing was charged when the hold ends without a payment', async () => {
    const { orderId } = await paid('declined')
    await settlePayment(services, orderId)
    services.later(10 * DAY)
    expect(await expireUnpaidHolds(services)).toBe(1)
    await services.runDueJobs()
    const [mail] = await mailsOf(services, /^Your hold on unit/)
    expect(mail?.text).toContain('You were not charged and owe nothing.')
  })

  const loseUnit = async (reservationCode: string | null, taker: string) => {
    await services.db.transaction(async (tx) => {
      const lost = await tx
        .updateTable('reservations')
        .set({ status: 'expired' })
        .where('reservation_code', '=', reservationCode ?? '')
        .returning('unit_id')
        .executeTakeFirstOrThrow()
      await tx
        .updateTable('units')
        .set({ status: 'off', held_by: taker, held_until: null })
        .where('location_code', '=', 'GA1')
        .where('unit_id', '=', lost.unit_id)
        .execute()
    })
  }

  it('assigns another unit of the type when the hold is gone after the capture', async () => {
    const { draft, orderId } = await paid()
    await loseUnit(draft.reservationCode, 'somebody')
    expect((await settlePayment(services, orderId)).state).toBe('posted')
    const [lease] = await loadNewLeases(services)
    expect(['101', '102', '103']).toContain(lease?.unit_number)
    const notes = await recordOf(services, 'tenant_notes')
    expect(notes.note).toMatch(/Unit 10\d was reserved and no longer free/)
    await expectInvariants(services, till)
  })

  it('refunds the payment and notifies the renter when no other unit is available', async () => {
    const { draft, ...page } = await paid('visa', { unitTypeId: 2 })
    await loseUnit(draft.reservationCode, 'somebody')
    expect((await settlePayment(services, page.orderId)).state).toBe('refund')
    expect(await loadNewLeases(services)).toEqual([])
    expect((await payment(page.orderId)).state).toBe('refund_due')
    // The mail says that the money was refunded, so it waits for the refund.
    await services.runDueJobs()
    expect(await subjects(services)).toEqual([])
    await processRefunds(services)
    expect((await payment(page.orderId)).state).toBe('refunded')
    expect(await till.moved(page.orderId)).toMatchObject({ charged: page.amount, returned: page.amount, returns: 1 })
    await services.runDueJobs()
    expect(await subjects(services)).toEqual([expect.stringMatching(/^Your refund of \$/)])
    const mail = await recordOf(services, 'mailbox')
    expect(mail.text).toMatch(/at Storage GA1\. [A-Z][^.]+\./)
    await expectInvariants(services, till)
  })

  it('refunds the second payment when two browsers pay for one reservation', async () => {
    const draft = await readyToPay(services)
    const found = await insertDraft(services.db.write, services, {
      locationCode: 'GA1',
      unitTypeId: 1,
      tenantId: draft.tenantId,
      reservationCode: draft.reservationCode,
      rentNow: true,
      answers: { ...plainAnswers, moveInDate: today },
    })
    const pages = [
      await openTestCardPage(services, draft),
      await openTestCardPage(services, await signTestLease(services, found)),
    ]
    for (const page of pages) await payAtHostedPage(page.payPageUrl, 'visa')
    const states = await Promise.all(pages.map(async (page) => (await settlePayment(services, page.orderId)).state))
    expect(states.sort()).toEqual(['posted', 'refund'])
    expect(await loadNewLeases(services)).toHaveLength(1)
    await processRefunds(services)
    await expectInvariants(services, till)
  })

  it('returns the state “unknown” for an order id that does not exist', async () => {
    for (const orderId of ['LKDEADBEEFDEADBEEF', "' or 1=1 --", '', '../..'])
      expect(await settlePayment(services, orderId)).toEqual({ state: 'unknown' })
  })

  it('stays “checking” after a charge whose response was lost, until the provider confirms it, and charges once', async () => {
    const { orderId } = await paid('late')
    expect(await settlePayment(services, orderId)).toEqual({ state: 'checking' })
    expect(await settlePayment(services, orderId)).toEqual({ state: 'checking' })
    expect((await settlePayment(services, orderId)).state).toBe('posted')
    await expectInvariants(services, till)
  })

  it.each([
    // Two runs at the same time of the test clock: the first closes the order.
    ['down for days, then closed while the provider is behind', [4 * DAY, 0]],
    ['closed, then down for days, and the provider still behind at the first look', [2 * HOUR + 1, 4 * DAY]],
  ])('finds hours later what the provider had charged: %s', async (_, waits) => {
    const { orderId } = await paid('late')
    for (const wait of waits) {
      services.later(wait)
      await reconcilePayments(services)
      expect((await payment(orderId)).state).toBe('expired')
    }
    services.later(2 * HOUR + 1)
    await reconcilePayments(services)
    expect((await payment(orderId)).state).not.toBe('expired')
    await processRefunds(services)
    await expectInvariants(services, till)
  })

  it('asks the provider about a closed, unpaid order for about a day only', async () => {
    const { orderId } = await paid('lost')
    const isQueried = async () => (await payment(orderId)).updated_at === services.clock.now()
    services.later(2 * HOUR + 1)
    await reconcilePayments(services)
    services.later(4 * DAY)
    let looks = 0
    for (; looks < 100; looks += 1) {
      await reconcilePayments(services)
      if (!(await isQueried())) break
      services.later(2 * HOUR + 1)
    }
    expect(looks).toBeGreaterThan(8)
    expect(looks).toBeLessThan(16)
  })

  it('leaves the order unpaid when the connection ends before the charge, and reuses its page', async () => {
    const { draft, orderId } = await paid('lost')
    expect(await settlePayment(services, orderId)).toEqual({ state: 'checking' })
    const again = await openTestCardPage(services, draft)
    expect(again.orderId).toBe(orderId)
    await payAtHostedPage(again.payPageUrl, 'visa')
    expect((await settlePayment(services, orderId)).state).toBe('posted')
    await expectInvariants(services, till)
  })

  it('stays “checking” when the provider fails in any way, and never reports a failed payment', async () => {
    const { orderId } = await paid()
    for (const kind of ['garbage', '500', 'slow', 'down', 'lost'] as const) {
      await till.fault({ kind, on: 'query' })
      expect(await settlePayment(services, orderId), kind).toMatchObject({ state: 'checking' })
    }
    expect((await settlePayment(services, orderId)).state).toBe('posted')
    await expectInvariants(services, till)
  })

  it('charges nothing when the card page cannot be opened, and opens the same order next time', async () => {
    const draft = await readyToPay(services)
    await till.fault({ kind: '500', on: 'create' })
    expect(await agreeAndOpen(services, draft)).toEqual({ ok: false, why: 'unavailable' })
    expect(services.reported).toHaveLength(1)
    const page = await openTestCardPage(services, draft)
    expect(await services.db.read.selectFrom('payments').select('order_id').execute()).toEqual([
      { order_id: page.orderId },
    ])
  })

  it('refuses a duplicate in the provider’s words and charges nothing', async () => {
    const { orderId } = await paid('duplicate')
    expect(await settlePayment(services, orderId)).toMatchObject({
      state: 'declined',
      message: 'Unable to process the Payment: DUPLICATE TRANSACTION',
    })
    expect((await till.moved(orderId)).charges).toBe(0)
  })

  it('signs nothing when the rental was paid in one tab before it is signed again in another', async () => {
    const { draft, orderId } = await paid()
    const changed = await saveTestAnswers(services, draft, { autopay: false })
    await expect(signTestLease(services, changed)).rejects.toThrow('stale')
    expect(await agreeAndOpen(services, changed)).toEqual({ ok: false, why: 'already_rented' })
    expect((await loadNewLeases(services)).map((lease) => lease.order_id)).toEqual([orderId])
    expect(await services.db.read.selectFrom('payments').select('order_id').execute()).toHaveLength(1)
    await expectInvariants(services, till)
  })

  it('opens no second card page while the provider cannot be asked about an open order', async () => {
    const { draft, orderId } = await paid()
    const changed = await saveTestAnswers(services, draft, { autopay: false })
    await till.fault({ kind: 'down', on: 'query', times: 2 })
    const signedDraft = await signTestLease(services, changed)
    expect(await agreeAndOpen(services, signedDraft)).toEqual({ ok: false, why: 'unavailable' })
    // The order was paid for a replaced document, so it is refunded before more is charged.
    expect((await agreeAndOpen(services, signedDraft)).ok).toBe(true)
    expect(await payment(orderId)).toMatchObject({ state: 'refund_due', trouble: 'lease_void' })
    await processRefunds(services)
    await expectInvariants(services, till)
  })

  it('requires a new consent when the price has changed', async () => {
    const draft = await readyToPay(services)
    const quote = await storeQuote(services, draft)
    await change(services, 'fees', { fee_id: 1 }, { amount: 35_00 })
    const result = await openMoveInPayment(services, draft, { quoteId: quote!.quoteId })
    // The lease states the old price and must be signed again; either way nothing is charged.
    expect(result).toMatchObject({ ok: false })
    expect(['price_changed', 'not_signed']).toContain(result.ok ? '' : result.why)
    expect(await recordsOf(services, 'payments')).toEqual([])
  })

  it('voids the signature when autopay is declined under First Month Free, and the old document when signed again', async () => {
    const draft = await readyToPay(services)
    const before = draft.answers.signature?.documentId
    const off = await saveTestAnswers(services, draft, { autopay: false })
    expect(await agreeAndOpen(services, off)).toMatchObject({ ok: false, why: 'not_signed' })
    const signedDraft = await signTestLease(services, off)
    const documents = await services.db.read.selectFrom('lease_documents').select(['document_id', 'void']).execute()
    expect(documents.find((document) => document.document_id === before)?.void).toBe(1)
    expect(documents.find((document) => document.document_id === signedDraft.answers.signature?.documentId)?.void).toBe(
      0,
    )
    const page = await openTestCardPage(services, signedDraft)
    await payAtHostedPage(page.payPageUrl, 'visa')
    await settlePayment(services, page.orderId)
    const [lease] = await loadNewLeases(services)
    expect(lease).toMatchObject({ autopay: 0, discount_id: 0, autopay_sealed: null })
    const charged = await recordsOf(services, 'ledger_entries', { lease_number: lease?.lease_number ?? 0 })
    expect(charged.map((entry) => entry.description)).toContain(cardProcessingFee)
    await expectInvariants(services, till)
  })

  it('completes while the mail server is down, and sends its mail once later', async () => {
    const { orderId } = await paid()
    expect((await settlePayment(services, orderId)).state).toBe('posted')
    await services.runDueJobs({ send: () => Promise.reject(new MailNotDelivered(false, '451 Try again later')) })
    expect(await subjects(services)).toEqual([])
    services.later(DAY)
    await services.runDueJobs()
    await services.runDueJobs()
    expect(await subjects(services)).toHaveLength(2)
    await expectInvariants(services, till)
  })

  it('ends as a dead job a mail that can never be sent, and keeps the lease', async () => {
    const page = await paid()
    await settlePayment(services, page.orderId)
    for (let n = 0; n < 12; n++) {
      await services.runDueJobs({ send: () => Promise.reject(new MailNotDelivered(true, '550 No such mailbox')) })
      services.later(2 * HOUR)
    }
    const jobs = (await recordsOf(services, 'jobs')).filter((job) => job.kind !== 'reservation_confirmed')
    for (const job of jobs) expect(job).toMatchObject({ state: 'dead', last_error: expect.stringContaining('550') })
    expect(await loadNewLeases(services)).toHaveLength(1)
  })

  it('delays the move-in mail while its signed lease cannot be read, and then attaches the lease', async () => {
    const { orderId } = await paid()
    await settlePayment(services, orderId)
    const { files } = services
    services.files = { ...files, get: async () => null }
    await services.runDueJobs()
    expect(await mailsOf(services, /^You're moved in/)).toEqual([])
    services.files = files
    services.later(DAY)
    await services.runDueJobs()
    const mails = await mailsOf(services, /^You're moved in/)
    expect(mails.map((mail) => JSON.parse(mail.attachments))).toEqual([[expect.anything()]])
    await expectInvariants(services, till)
  })

  it('posts all or nothing when the database connection is lost, and a later run completes it', async () => {
    const { orderId } = await paid()
    const whole = services.db
    let cuts = 1
    services.db = new Proxy(whole, {
      get(target, name) {
        if (name !== 'transaction') return Reflect.get(target, name)
        return (work: Parameters<typeof whole.transaction>[0]) =>
          target.transaction((tx) => {
            let updates = 0
            const losing: KyselyPlugin = {
              transformQuery({ node }) {
                // Posting first marks the payment; its lease number is the second update.
                const table = UpdateQueryNode.is(node) ? JSON.stringify(node.table) : ''
                if (table.includes('"payments"') && ++updates === 2 && cuts-- > 0) throw new DatabaseUnavailable('lost')
                return node
              },
              transformResult: async ({ result }) => result,
            }
            return work(tx.withPlugin(losing) as typeof tx)
          })
      },
    })
    await expect(settlePayment(services, orderId)).rejects.toThrow(DatabaseUnavailable)
    expect(cuts).toBe(0)
    expect(await loadNewLeases(services)).toEqual([])
    expect((await payment(orderId)).state).toBe('captured')
    await reconcilePayments(services)
    expect(await loadNewLeases(services)).toHaveLength(1)
    services.db = whole
    await expectInvariants(services, till)
  })

  it('gives concurrent move-ins distinct units, numbers and gate codes', async () => {
    const drafts = []
    for (const n of [1, 2, 3])
      drafts.push(await readyToPay(services, { who: { ...contact, email: `renter${n}@example.com` } }))
    const pages = await Promise.all(drafts.map((draft) => openTestCardPage(services, draft)))
    await Promise.all(pages.map((page) => payAtHostedPage(page.payPageUrl, 'visa')))
    await Promise.all(pages.map((page) => settlePayment(services, page.orderId)))
    const leases = await loadNewLeases(services)
    expect(leases).toHaveLength(3)
    for (const column of ['unit_id', 'lease_number', 'gate_code'] as const)
      expect(new Set(leases.map((lease) => lease[column])).size, column).toBe(3)
    await expect(reserveTestUnit(services)).rejects.toThrow(unitsNotAvailable)
    await expectInvariants(services, till)
  })
})
