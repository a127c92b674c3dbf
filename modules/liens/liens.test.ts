import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { addDays } from '../../domain/plain-date.ts'
import { type InternalOperation, perform } from '../../platform/operations/operation.ts'
import { folderFiles } from '../../ports/files/folder.ts'
import { describeOnBothEngines, temporaryFolder } from '../../tests/support/databases.ts'
import { addRecord, change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { ReceivePayment } from '../cash-drawers/operations/receive-payment.ts'
import { checkInputForCy, officeCaller, openTestDrawer } from '../cash-drawers/testing.ts'
import { loadFacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import { findBalanceMismatches } from '../ledger/load-and-repair-lease-balance.ts'
import { auctionPayer } from '../payments/payers/post-auction-winner-payment.ts'
import type { Payment } from '../payments/payment.ts'
import { loadNewestEntry } from '../standing/add-staff-ledger-entries.ts'
import { updateStanding } from '../standing/update-standing.ts'
import { SetTenantFlag } from '../tenants/operations/set-tenant-flag.ts'
import { deleteUnattachedProof } from './lien-proof-files.ts'
import { hashRules, shippedRules } from './lien-rules-by-state.ts'
import { loadCase } from './load-lien-cases.ts'
import { OpenLienCase } from './operations/open-lien-case.ts'
import { OpenLienProof } from './operations/open-lien-proof.ts'
import { PaySurplus } from './operations/pay-surplus.ts'
import { RecordLienStep } from './operations/record-lien-step.ts'
import { CloseSale } from './operations/record-sale.ts'
import { SignOffLienRules } from './operations/sign-off-lien-rules.ts'
import { StopLienCase } from './operations/stop-lien-case.ts'
import type { LienStep } from './rules/next-lien-step.ts'
import { decideLienStep, formOfCase, lienStepForms, saleForm, workCase } from './testing-cases.ts'
import { fictionalRules, moveToFictionalState, pdf } from './testing-lien-rules.ts'

const day = 86_400_000
const manager = officeCaller('manager')
const district = officeCaller('district')
const field = officeCaller('field')
const owed = 151_37

describeOnBothEngines('A lien case', (open) => {
  let services: TestServices

  beforeEach(async () => {
    services = await openTestServices(await open())
    services.files = folderFiles(join(temporaryFolder(), services.random.hex(4)))
    await moveToFictionalState(services)
    // 81 days past due: the facility allows a sale after more than 75 (`auction_after_days`).
    await change(services, 'leases', { lease_number: 10002 }, { paid_through: '2026-08-31' })
  })

  // biome-ignore lint/suspicious/noExplicitAny: operations of every input and answer
  const call = async (operation: InternalOperation<any, any>, input: object, callers: object = manager, key?: string) =>
    perform(services, operation, input, callers as typeof manager, key)
  const lease = () => recordOf(services, 'leases', { lease_number: 10002 })
  const leaseForm = async () => {
    const newest = await loadNewestEntry(services.db.read, { location_code: 'GA1', lease_number: 10002 })
    const { balance } = await lease()
    return {
      location_code: 'GA1',
      tenant_id: 1002,
      lease_number: 10002,
      balance,
      newest_entry: newest?.entry_id ?? '',
    }
  }
  const openCase = async (callers = manager, key?: string) => call(OpenLienCase, await leaseForm(), callers, key)
  const openNewCase = async (): Promise<string> => {
    const answer = await openCase()
    if (!answer.ok) throw new Error(answer.message)
    return answer.value.case_id
  }
  const formFields = (case_id: string) => formOfCase(services, case_id)
  const recordStep = async (case_id: string, step: object, callers = manager, key?: string) =>
    call(RecordLienStep, { ...(await formFields(case_id)), ...step }, callers, key)
  const next = async (case_id: string) => (await loadCase(services, case_id))?.next
  const caseRow = (case_id: string) => recordOf(services, 'lien_cases', { case_id })
  const payByCheck = async (cents = owed) => {
    const drawer = await openTestDrawer(services, officeCaller('agent', { id: `agent ${services.random.hex(2)}` }))
    return call(ReceivePayment, await checkInputForCy(services, drawer, cents), officeCaller('agent'))
  }

  const steps = lienStepForms
  const sale = saleForm
  const decideStep = (case_id: string, decision: 'confirm' | 'refuse', callers = district) =>
    decideLienStep(services, case_id, decision, callers)
  /** Sets the clock to noon of a day. */
  const on = (date: string) => services.clock.set(Date.parse(`${date}T17:00:00Z`))
  /** Opens a case and records the steps before `step`, each on its earliest day. */
  async function workTo(step: LienStep): Promise<string> {
    const id = await openNewCase()
    await workCase(services, id, step, { manager, field, goTo: on })
    return id
  }

  it('opens once, under rules that are signed off, and not before its day', async () => {
    await change(services, 'settings', { name: `lien_sign_off:${fictionalRules.version}` }, { value: '' })
    expect(await openCase()).toMatchObject({ status: 409, code: 'not_signed_off' })
    const signOff = (digest: string, on_: string, callers = officeCaller('owner')) =>
      call(SignOffLienRules, { version: fictionalRules.version, digest, on: on_, reason: 'Counsel' }, callers)
    expect(await signOff('another', '1')).toMatchObject({ status: 409, code: 'changed' })
    expect(await signOff(hashRules(fictionalRules), '1', district)).toMatchObject({ status: 403 })
    const signOffs = await Promise.all(Array.from({ length: 6 }, () => signOff(hashRules(fictionalRules), '1')))
    expect(signOffs.filter((result) => result.ok)).toHaveLength(1)
    expect(await signOff(hashRules(fictionalRules), '1')).toMatchObject({ status: 409, code: 'signed' })
    // Rules changed without a new version lose their sign-off.
    services.lienRules = [{ ...fictionalRules, saleAfterDays: 1 }]
    expect(await openCase()).toMatchObject({ status: 409, code: 'not_signed_off' })
    services.lienRules = shippedRules
    expect(await openCase()).toMatchObject({ status: 409, code: 'no_rules' })
    services.lienRules = [fictionalRules]

    await change(services, 'leases', { lease_number: 10002 }, { paid_through: '2026-10-31' })
    const early = await openCase()
    expect(early).toMatchObject({ status: 409, code: 'too_early', message: expect.stringContaining('11/21/2026') })
    on('2026-11-21')
    const results = await Promise.all([openCase(), openCase(district)])
    expect(results.map((result) => (result.ok ? 200 : result.status)).sort()).toEqual([200, 409])
    const { lien_case } = await lease()
    expect(await caseRow(lien_case ?? '')).toMatchObject({ state: 'open', rules_version: 'ZZ-2026-01', owed })
    expect(await recordsOf(services, 'audit_events', { kind: 'lien.opened' })).toHaveLength(1)
    expect(await openCase(officeCaller('agent'))).toMatchObject({ status: 403 })
    expect(await openCase(officeCaller('manager', { at: ['HI1'] }))).toMatchObject({ status: 404 })
  })

  it('does not open for Georgia under the shipped rules, which are not signed off', async () => {
    await change(services, 'locations', { location_code: 'GA1' }, { state: 'GA' })
    services.lienRules = shippedRules
    expect(await openCase()).toMatchObject({ status: 409, code: 'not_signed_off' })
  })

  it('does not open without a balance, during a payment or transfer, or with a blocking flag', async () => {
    const expectRefusal = async (code: string) => expect(await openCase(), code).toMatchObject({ status: 409, code })
    await addRecord(services, 'payments', {
      order_id: 'LKONITSWAY01',
      location_code: 'GA1',
      payer: 'tenant',
      tenant_id: 1002,
      lease_number: 10002,
      state: 'presented',
      amount: owed,
      plan: '{}',
      autopay: 0,
      method: 'CC',
      created_at: 0,
      updated_at: 0,
    })
    await expectRefusal('money_on_its_way')
    await change(services, 'payments', { order_id: 'LKONITSWAY01' }, { state: 'declined' })
    for (const flag of ['military', 'bankruptcy']) {
      const flagInput = { location_code: 'GA1', tenant_id: 1002, flag, reason: 'Told us' }
      await call(SetTenantFlag, { ...flagInput, on: '1' })
      await expectRefusal('blocked')
      await call(SetTenantFlag, { ...flagInput, on: '0' })
    }
    const moving = { transfer_id: 'moving' }
    await addRecord(services, 'transfers', {
      ...moving,
      location_code: 'GA1',
      tenant_id: 1002,
      lease_number: 10002,
      unit_number: '302',
      reservation_code: 'RES00002',
      to_unit_number: '101',
      to_lease: null,
      starts_on: '2026-11-25',
      overlap_days: 0,
      ends_on: '2026-11-25',
      state: 'moving',
      moved_cents: 0,
      opened_by: null,
      opened_at: 0,
      ended_at: null,
    })
    await expectRefusal('transfer')
    await change(services, 'transfers', moving, { state: 'cancelled' })
    expect(await payByCheck()).toMatchObject({ ok: true })
    await expectRefusal('paid')
    // A form that was opened before the payment is stale.
    const stale = { ...(await leaseForm()), balance: owed }
    expect(await call(OpenLienCase, stale)).toMatchObject({ status: 409, code: 'changed' })
  })

  it('deletes, after an hour, a proof whose step was never recorded, and no other', async () => {
    await recordStep(await openNewCase(), steps.military)
    const { step_id: stepId, file_key } = await recordOf(services, 'lien_steps', { step: 'military' })
    const fileKey = file_key ?? ''
    const [cleanupJob] = await recordsOf(services, 'jobs', { kind: 'lien_proof_kept' })
    expect(cleanupJob).toMatchObject({ state: 'waiting', run_at: services.clock.now() + 3_600_000 })
    expect(JSON.parse(cleanupJob?.payload ?? '')).toEqual({ stepId, fileKey })
    const runCleanup = (payload: object) => deleteUnattachedProof(services)({ payload } as never)
    await runCleanup({ stepId, fileKey })
    expect(await services.files.get(fileKey)).not.toBe(null)
    for (const _ of ['once', 'again']) await runCleanup({ stepId: services.random.uuid(), fileKey })
    expect(await services.files.get(fileKey)).toBe(null)
  })

  it('takes each step in its order, not before its earliest day, with its proof', async () => {
    const id = await openNewCase()
    expect(await next(id)).toMatchObject({ step: 'military', earliest: '2026-11-20' })
    expect(await recordStep(id, steps.notice)).toMatchObject({ status: 409, code: 'out_of_turn' })
    expect(await recordStep(id, { ...steps.military, file: null })).toMatchObject({
      status: 400,
      fields: { file: /Attach/ },
    })
    expect(await recordStep(id, { ...steps.military, file: new Uint8Array([1, 2]) })).toMatchObject({ status: 400 })
    expect(await recordStep(id, { ...steps.military, done_on: '11/21/2026' })).toMatchObject({ status: 400 })
    expect(await recordStep(id, { ...steps.military, done_on: '11/19/2026' })).toMatchObject({ code: 'too_early' })
    expect(await recordStep(id, steps.military, field)).toMatchObject({ status: 403 })
    const key = services.random.uuid()
    const once = { ...(await formFields(id)), ...steps.military }
    const first = await call(RecordLienStep, once, manager, key)
    const again = await call(RecordLienStep, once, manager, key)
    expect([first, again]).toMatchObject([{ ok: true }, { ok: true, replayed: true }])
    // The form displayed an older state.
    expect(await call(RecordLienStep, once)).toMatchObject({ status: 409, code: 'changed' })

    await change(services, 'leases', { lease_number: 10002 }, { details: '{"lienHolder":{"name":"Credit Union"}}' })
    expect(await recordStep(id, steps.notice)).toMatchObject({ status: 400, fields: { copies: /lien holder/ } })
    expect(await recordStep(id, { ...steps.notice, way: 'carrier pigeon' })).toMatchObject({
      fields: { way: /Choose/ },
    })
    const mail = { ...steps.notice, way: 'e-mail', copies: ['lien holder'] }
    expect(await recordStep(id, mail)).toMatchObject({ ok: true })
    expect(await next(id)).toMatchObject({ step: 'notice', missing: 'not answered: verified mail too' })
    expect(await recordStep(id, { ...steps.notice, copies: ['lien holder'] })).toMatchObject({ ok: true })
    expect(await next(id)).toMatchObject({ step: 'advertisement', earliest: '2026-12-01' })
    const tooEarly = await recordStep(id, steps.advertisement)
    expect(tooEarly).toMatchObject({ status: 409, code: 'too_early', message: expect.stringContaining('12/01/2026') })
    const [step] = await recordsOf(services, 'lien_steps', { step: 'notice' })
    const proof = { location_code: 'GA1', case_id: id, step_id: step?.step_id }
    expect(await call(OpenLienProof, proof)).toMatchObject({ value: { name: /^notice-.*\.pdf$/, content: pdf() } })
    expect(await call(OpenLienProof, { ...proof, location_code: 'HI1' })).toMatchObject({ status: 404 })
    // Field staff see the door's photographs but no letters.
    expect(await call(OpenLienProof, proof, field)).toMatchObject({ status: 404 })
    const storedFile = await services.files.get(step?.file_key ?? '')
    expect(new TextDecoder().decode(storedFile?.content)).not.toContain('PDF')
    expect(await recordsOf(services, 'audit_events', { kind: 'document.opened' })).toHaveLength(1)
  })

  it('is stopped by a full payment on the day of the sale, and refuses a partial one', async () => {
    const id = await workTo('sale')
    expect(await payByCheck(owed - 1)).toMatchObject({ status: 409, code: 'full_sum' })
    const { earliest } = (await next(id)) ?? { earliest: '' }
    on(earliest)
    const [paid, sold] = await Promise.all([
      payByCheck(),
      call(CloseSale, { ...(await formFields(id)), ...sale }, district),
    ])
    expect(paid).toMatchObject({ ok: true })
    expect([true, false]).toContain(sold.ok)
    expect(await caseRow(id)).toMatchObject({ state: 'stopped', ended_by: null })
    expect(await lease()).toMatchObject({ lien_case: null, balance: 0 })
    expect(await recordsOf(services, 'lien_steps', { case_id: id, state: 'waiting' })).toEqual([])
    expect(await decideStep(id, 'confirm')).toMatchObject({ ok: false })
    expect(await recordsOf(services, 'auction_winners')).toEqual([])
    expect(await recordsOf(services, 'audit_events', { kind: 'lien.stopped' })).toHaveLength(1)
    expect(await findBalanceMismatches(services.db)).toEqual([])
  })

  it('needs two people for the check, on the day before the sale', async () => {
    const id = await workTo('check')
    on((await next(id))?.earliest ?? '')
    const results = await Promise.all([recordStep(id, steps.check, field), recordStep(id, steps.check, manager)])
    expect(results.filter((result) => result.ok)).toHaveLength(1)
    const by = (await recordOf(services, 'lien_steps', { state: 'waiting' })).staff_id
    expect(await decideStep(id, 'confirm', officeCaller('manager', { id: by }))).toMatchObject({ status: 403 })
    expect(await decideStep(id, 'refuse')).toMatchObject({ ok: true })
    expect(await next(id)).toMatchObject({ step: 'check' })
    expect(await recordStep(id, { ...steps.check, ticks: ['door'] }, field)).toMatchObject({
      fields: { ticks: /Tick/ },
    })
    expect(await recordStep(id, steps.check, field)).toMatchObject({ ok: true })
    services.clock.set(services.clock.now() + day)
    expect(await decideStep(id, 'confirm')).toMatchObject({ status: 409, code: 'too_old' })
    expect(await decideStep(id, 'refuse')).toMatchObject({ ok: true })
    expect(await recordStep(id, steps.check, field)).toMatchObject({ ok: true })
    const flagInput = { location_code: 'GA1', tenant_id: 1002, flag: 'bankruptcy', on: '1', reason: 'A court wrote' }
    await call(SetTenantFlag, flagInput)
    expect(await decideStep(id, 'confirm')).toMatchObject({ status: 409, code: 'blocked' })
    await call(SetTenantFlag, { ...flagInput, on: '0' })
    expect(await decideStep(id, 'confirm')).toMatchObject({ ok: true })
    expect(await call(CloseSale, { ...(await formFields(id)), ...sale }, district)).toMatchObject({ code: 'too_early' })
    services.clock.set(services.clock.now() + 2 * day)
    expect(await call(CloseSale, { ...(await formFields(id)), ...sale }, district)).toMatchObject({
      code: 'out_of_turn',
    })
  })

  it('leads from the sale to the winner’s payment, and to a surplus that is paid out once', async () => {
    const id = await workTo('sale')
    on((await next(id))?.earliest ?? '')
    const recordSale = async (callers = district) => call(CloseSale, { ...(await formFields(id)), ...sale }, callers)
    expect(await recordSale(manager)).toMatchObject({ status: 403 })
    expect(await recordSale()).toMatchObject({ ok: true })
    expect(await recordsOf(services, 'auction_winners')).toEqual([])
    expect(await decideStep(id, 'confirm', district)).toMatchObject({ status: 403 })
    expect(await decideStep(id, 'confirm', manager)).toMatchObject({ ok: true })
    const [winner] = await recordsOf(services, 'auction_winners')
    expect(winner).toMatchObject({ name: 'Otis Brandt', facility_balance: 200_00, state: 'open' })
    expect(await caseRow(id)).toMatchObject({ state: 'sold', winner_uuid: winner?.uuid })

    const facts = (await loadFacilityFacts(services, ['GA1'])).get('GA1')
    const payment = {
      order_id: 'LKWINNER001',
      link_uuid: winner?.uuid,
      approved_amount: 200_00,
      amount: 200_00,
      method: 'CC',
    } as unknown as Payment
    await services.db.transaction((tx) => auctionPayer.post(tx, services, payment, facts as never, undefined as never))
    expect(await caseRow(id)).toMatchObject({ state: 'surplus', surplus: 200_00 - owed })
    expect(await lease()).toMatchObject({ balance: owed - 200_00, lien_case: null })
    const { surplus_until, ended_on } = await caseRow(id)
    expect(surplus_until).toBe(addDays(ended_on ?? '', 365))
    const payOut = async (callers: object) =>
      call(PaySurplus, { ...(await formFields(id)), to: 'tenant', how: 'check 1042' }, callers)
    expect(await payOut(officeCaller('agent'))).toMatchObject({ value: { result: 'asked' } })
    const results = await Promise.all([payOut(district), payOut(officeCaller('finance'))])
    expect(results.filter((result) => result.ok)).toHaveLength(1)
    expect(await caseRow(id)).toMatchObject({ state: 'closed' })
    expect(await lease()).toMatchObject({ balance: 0 })
    expect(await recordsOf(services, 'ledger_entries', { kind: 'refund' })).toMatchObject([{ cents: 200_00 - owed }])
    expect(await findBalanceMismatches(services.db)).toEqual([])
  })

  it('is stopped if the tenant pays after the sale, which withdraws the winner’s link', async () => {
    const id = await workTo('sale')
    on((await next(id))?.earliest ?? '')
    await call(CloseSale, { ...(await formFields(id)), ...sale }, district)
    await decideStep(id, 'confirm', manager)
    expect(await payByCheck()).toMatchObject({ ok: true })
    expect(await caseRow(id)).toMatchObject({ state: 'stopped' })
    expect(await recordsOf(services, 'auction_winners')).toMatchObject([{ state: 'withdrawn' }])
  })

  it('stays open while a balance is due, until a staff member gives a reason or records active duty', async () => {
    const id = await openNewCase()
    expect(await call(StopLienCase, { ...(await formFields(id)), reason: '' })).toMatchObject({ status: 400 })
    await services.db.transaction((tx) => updateStanding(tx, services, { location_code: 'GA1', lease_number: 10002 }))
    expect(await caseRow(id)).toMatchObject({ state: 'open' })
    expect(await call(StopLienCase, { ...(await formFields(id)), reason: 'Pays by plan' })).toMatchObject({ ok: true })
    expect(await caseRow(id)).toMatchObject({ state: 'stopped', ended_by: 'manager', ended_because: 'Pays by plan' })
    const other = await openNewCase()
    expect(await recordStep(other, { ...steps.military, way: 'serving' })).toMatchObject({ ok: true })
    expect(await recordsOf(services, 'audit_events', { kind: 'lien.stopped' })).toHaveLength(2)
    expect(await caseRow(other)).toMatchObject({ state: 'stopped' })
    expect(await recordOf(services, 'tenants', { tenant_id: 1002 })).toMatchObject({ active_military: 1 })
    expect(await openCase()).toMatchObject({ status: 409, code: 'blocked' })
  })
})
