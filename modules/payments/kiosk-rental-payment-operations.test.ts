import { afterEach, beforeEach, expect, it } from 'vitest'
import { paymentFailed, paymentStillChecked, successful } from '../../domain/texts/payment.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { type Operation, perform } from '../../platform/operations/operation.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { recordsOf } from '../../tests/support/rows.ts'
import { contact, visitor, withDraft } from '../../tests/support/small-operator.ts'
import { postMoveInCompletion } from '../move-in/operations/check-move-in-mail-state.ts'
import { postReceipt } from '../move-in/operations/check-own-payment-receipt-mail-state.ts'
import { ConvertReservationToRental } from '../move-in/operations/convert-own-paid-reservation-to-rental.ts'
import { LeasePdf } from '../move-in/operations/preview-or-sign-lease-pdf.ts'
import { SaveReservationDetails_WEB } from '../reservations/operations/reserve-unit-for-new-tenant.ts'
import { postHostPay } from './operations/open-card-page-by-api.ts'
import { postDirectPay } from './operations/settle-order-of-own-session.ts'
import { openPayingServices, type PayingServices } from './testing.ts'
import { sandboxForTests } from './testing-card-provider.ts'
import { expectInvariants, loadNewLeases } from './testing-invariants.ts'

const { till, folder } = sandboxForTests('payment-operations')

const at = { location_code: 'GA1' }
const accepted = { accepted_timestamp: '2026-11-20T17:00:00Z', tenant_signature_name: "Rae O'Neill" }

const license = {
  drivers_license: '048213377',
  issued_state: 'GA',
  birth_date: '05/14/1987',
  license_expiration_date: '01/31/2030',
  brief_description: 'Household goods',
}

describeOnBothEngines('The payment operations', (open) => {
  let services: PayingServices
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
  })
  afterEach(() => services.db.close())

  const kiosk = async (who = contact): Promise<Callers> => {
    const saved = await perform(
      services,
      SaveReservationDetails_WEB,
      { ...at, unit_type_id: 1, rent_now: 1, ...who },
      visitor(),
    )
    if (!saved.ok) throw new Error(saved.message)
    return withDraft(services, saved.grants?.draftId)
  }
  const call = async <I, O>(operation: Operation<I, O>, input: object, callers: Callers): Promise<O> => {
    const outcome = await perform(services, operation, input, callers)
    if (!outcome.ok) throw new Error(`${outcome.status} ${outcome.code}: ${JSON.stringify(outcome.fields ?? {})}`)
    return outcome.value
  }
  const sign = (callers: Callers, answers: object = {}) =>
    call(LeasePdf, { ...at, format: 'file', ...accepted, ...answers }, callers)
  const signedKiosk = async (): Promise<Callers> => {
    const callers = await kiosk()
    await sign(callers)
    return callers
  }
  const openOrder = async (callers: Callers) => call(postHostPay, at, callers)

  it('rent a unit for a kiosk, from the reservation to the lease', async () => {
    const callers = await kiosk()
    expect(await call(LeasePdf, { ...at, format: 'url', insurance_id: 1 }, callers)).toEqual({
      url: '/lease-document/preview',
    })
    const pdf = await sign(callers, {
      lien_name: 'First Bank',
      lien_phone_number: '4045550133',
      lien_description: 'A piano',
      full_day_access: 1,
      ...license,
    })
    expect(
      Buffer.from(pdf as Uint8Array)
        .subarray(0, 4)
        .toString(),
    ).toBe('%PDF')
    const page = await openOrder(callers)
    await payAtHostedPage(page.paypageurl, 'visa')
    const paid = await call(postDirectPay, { order_id: page.order_id }, callers)
    expect(paid).toMatchObject({
      STATE: 'APPROVED',
      RESPONSECODE: '000',
      APPROVEDAMOUNT: page.total_amount,
      CARDBRAND: 'Visa',
    })
    const statedFields = {
      ...at,
      order_id: page.order_id,
      amount: page.total_amount,
      payment_method: 'CC',
      cc_type: 'VI',
      transaction_id: paid.TRANSACTIONID,
      cc_response_code: '000',
      res_code: callers.rental?.reservationCode,
    }
    const first = await call(ConvertReservationToRental, statedFields, callers)
    const [lease, ...more] = await loadNewLeases(services)
    expect(more).toEqual([])
    expect(first).toMatchObject({
      RentalMessage: successful,
      RentalLeaseNumber: String(lease?.lease_number),
      UnitNumber: lease?.unit_number,
    })
    expect(await call(ConvertReservationToRental, statedFields, callers)).toEqual(first)
    expect(lease).toMatchObject({ insurance_status: 1, insurance_scheme_id: 1, insurance_premium: 24_00 })
    expect(JSON.parse(lease?.details ?? '')).toMatchObject({ lienHolder: { lien_name: 'First Bank' } })
    await expectInvariants(services, till)
  })

  it('charge a kiosk that chose no insurance for the insurance that the lease contains', async () => {
    const callers = await signedKiosk()
    const page = await openOrder(callers)
    await payAtHostedPage(page.paypageurl, 'visa')
    await call(postDirectPay, { order_id: page.order_id }, callers)
    const [lease] = await loadNewLeases(services)
    const insurance = { lease_number: lease?.lease_number ?? 0, kind: 'insurance' as const }
    expect((await recordsOf(services, 'ledger_entries', insurance)).map((entry) => entry.cents)).toEqual([12_00])
    expect(lease).toMatchObject({ insurance_status: 1, insurance_scheme_id: 2, insurance_premium: 12_00 })
  })

  it('refuse wrong values, field by field, and sign nothing', async () => {
    const callers = await kiosk()
    const invalid: [object, string][] = [
      [{ insurance_id: 99 }, 'insurance_id'],
      // A lease without coverage is not offered.
      [{ insurance_id: 0 }, 'insurance_id'],
      [{ insurance_id: 0, insurance_status_id: 1 }, 'insurance_id'],
      [{ insurance_status_id: 2, carrier: 'Acme' }, 'policy_number'],
      [{ lien_name: 'First Bank' }, 'lien_phone_number'],
      [{ vehicle_make: 'Ford', vehicle_model: 'Transit', vehicle_color: 'white' }, 'insurance_status_id'],
      [{ drivers_license: 'A1' }, 'drivers_license'],
      // One day short of 18 years.
      [{ ...license, birth_date: '11/21/2008' }, 'birth_date'],
      [{ ...license, birth_date: '11/21/2030' }, 'birth_date'],
      [{ tenant_signature_name: '' }, 'tenant_signature_name'],
    ]
    for (const [answers, field] of invalid) {
      const outcome = await perform(services, LeasePdf, { ...at, format: 'file', ...accepted, ...answers }, callers)
      expect(outcome, field).toMatchObject({ ok: false, status: 400, fields: { [field]: expect.any(String) } })
    }
    const forged = { ...accepted, tenant_signature_name: 'Donald Duck', tenant_name: "Rae O'Neill" }
    expect(await perform(services, LeasePdf, { ...at, format: 'file', ...forged }, callers)).toMatchObject({
      ok: false,
      status: 409,
      fields: { tenant_signature_name: expect.any(String) },
    })
    expect(await recordsOf(services, 'lease_documents')).toEqual([])
    expect(await perform(services, postHostPay, at, callers)).toMatchObject({
      ok: false,
      status: 409,
      code: 'not_signed',
    })
  })

  it('open no card page for an amount that differs from the server’s', async () => {
    const callers = await signedKiosk()
    expect(await perform(services, postHostPay, { ...at, total_amount: '0.01' }, callers)).toMatchObject({
      ok: false,
      status: 409,
      code: 'amount_differs',
    })
    expect(await recordsOf(services, 'payments')).toEqual([])
  })

  it('treat another session’s order as unknown, and record the attempt as a security event', async () => {
    const owner = await kiosk()
    await sign(owner)
    const { order_id, paypageurl } = await openOrder(owner)
    await payAtHostedPage(paypageurl, 'visa')
    const other = await kiosk({ ...contact, email: 'other@example.com' })
    for (const operation of [
      postDirectPay,
      ConvertReservationToRental,
      postReceipt,
      postMoveInCompletion,
    ] as Operation[]) {
      const [theirs, none] = await Promise.all([
        perform(services, operation, { ...at, order_id }, other),
        perform(services, operation, { ...at, order_id: 'LK000000000000000000000000' }, other),
      ])
      expect(theirs, operation.name).toEqual(none)
      expect(theirs).toMatchObject({ ok: false, status: 403 })
    }
    expect(services.reported).toEqual([])
    expect(services.security.recorded.filter(([event]) => event === 'order.foreign')).toHaveLength(8)
    expect(await loadNewLeases(services)).toEqual([])
  })

  it('refuse forged success parameters with 409 and create no lease for the declined payment', async () => {
    const callers = await signedKiosk()
    const page = await openOrder(callers)
    await payAtHostedPage(page.paypageurl, 'declined')
    const forged = { ...at, order_id: page.order_id, amount: page.total_amount }
    const lies: [string, string][] = [
      ['cc_response_code', '000'],
      ['transaction_id', '900000000001'],
      ['cc_no', '************1111'],
      ['token', 'ABCDEF'],
    ]
    for (const [name, value] of lies) {
      expect(await perform(services, ConvertReservationToRental, { ...forged, [name]: value }, callers)).toMatchObject({
        ok: false,
        status: 409,
        fields: { [name]: expect.any(String) },
      })
    }
    expect(await call(ConvertReservationToRental, forged, callers)).toMatchObject({
      RentalMessage: 'Failed',
      RentalLeaseNumber: '',
      ErrorMessage: 'Unable to process the Payment: Declined by Issuer',
    })
    expect(await loadNewLeases(services)).toEqual([])
  })

  it('return STATE PENDING before the card page is used, DECLINED after a refusal, and ERROR in review', async () => {
    const callers = await signedKiosk()
    const first = await openOrder(callers)
    const state = async (order_id: string) => (await call(postDirectPay, { order_id }, callers)).STATE
    expect(await state(first.order_id)).toBe('PENDING')
    await payAtHostedPage(first.paypageurl, 'declined')
    expect(await state(first.order_id)).toBe('DECLINED')
    const second = await openOrder(callers)
    await payAtHostedPage(second.paypageurl, 'differs')
    expect(await call(postDirectPay, { order_id: second.order_id }, callers)).toMatchObject({
      STATE: 'ERROR',
      MESSAGE: paymentFailed,
    })
  })

  it('say that a payment in review is still being checked, so that a kiosk does not charge again', async () => {
    const callers = await signedKiosk()
    const page = await openOrder(callers)
    await payAtHostedPage(page.paypageurl, 'differs')
    expect(await call(ConvertReservationToRental, { ...at, order_id: page.order_id }, callers)).toMatchObject({
      RentalMessage: 'Failed',
      ErrorMessage: paymentStillChecked,
    })
  })

  it('send each mail once, however often it is requested', async () => {
    const callers = await signedKiosk()
    const page = await openOrder(callers)
    const input = { ...at, order_id: page.order_id }
    expect(await perform(services, postReceipt, input, callers)).toMatchObject({ ok: false, status: 409 })
    await payAtHostedPage(page.paypageurl, 'visa')
    await call(postDirectPay, { order_id: page.order_id }, callers)
    expect((await call(postReceipt, input, callers)).result).toBe('waiting')
    for (const [state, result] of [
      ['dead', { value: { result: 'failed', message: 'It could not be sent.' } }],
      ['ended', { status: 409, code: 'nothing_to_send' }],
      ['waiting', { value: { result: 'waiting' } }],
    ] as const) {
      await services.db.write.updateTable('jobs').set({ state }).where('kind', '=', 'receipt').execute()
      expect(await perform(services, postReceipt, input, callers)).toMatchObject(result)
    }
    await services.runDueJobs()
    for (let n = 0; n < 3; n++) {
      expect((await call(postReceipt, input, callers)).result).toBe('sent')
      expect((await call(postMoveInCompletion, input, callers)).result).toBe('sent')
      await services.runDueJobs()
    }
    expect(await services.db.read.selectFrom('mailbox').select('message_id').execute()).toHaveLength(2)
  })
})
