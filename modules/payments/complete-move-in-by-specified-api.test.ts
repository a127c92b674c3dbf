import { afterEach, beforeEach, expect, it } from 'vitest'
import { apiRoutes } from '../../api/routes.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { perform } from '../../platform/operations/operation.ts'
import { writeXml } from '../../ports/xml.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { addRecord, recordOf } from '../../tests/support/rows.ts'
import { asAda, contact, visitor, withDraft } from '../../tests/support/small-operator.ts'
import { GetActiveReservation } from '../reservations/operations/find-active-reservation-by-name-and-phone.ts'
import { SaveReservationDetails_WEB } from '../reservations/operations/reserve-unit-for-new-tenant.ts'
import { SaveReservationDetailsForExistingTenants } from '../reservations/operations/save-reservation-for-existing-tenant.ts'
import { openPayingServices, type PayingServices } from './testing.ts'
import { sandboxForTests } from './testing-card-provider.ts'
import { expectInvariants, loadNewLeases } from './testing-invariants.ts'

const { till, folder } = sandboxForTests('specified-bodies')

describeOnBothEngines('Request bodies of the specification', (open) => {
  let services: PayingServices
  let callers: Callers
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
    services.bank = till.bank
    const input = { location_code: 'GA1', unit_type_id: 1, rent_now: 1, ...contact }
    const saved = await perform(services, SaveReservationDetails_WEB, input, visitor())
    if (!saved.ok) throw new Error(saved.message)
    callers = await withDraft(services, saved.grants?.draftId)
  })
  afterEach(() => services.db.close())

  const api = () => apiRoutes({ services, callers: async () => callers, grant: async () => {} })
  const json = async (path: string, body: object, method = 'POST') => {
    const headers = { 'Content-Type': 'application/json' }
    const response = await api().request(path, { method, body: JSON.stringify(body), headers })
    const pdf = response.headers.get('content-type')?.includes('pdf')
    return {
      status: response.status,
      // biome-ignore lint/suspicious/noExplicitAny: what a caller sees is JSON
      body: (pdf ? Buffer.from(await response.arrayBuffer()).toString('base64') : await response.json()) as any,
    }
  }
  const xml = async (service: string, body: object) => {
    const headers = { 'Content-Type': 'application/xml' }
    const response = await api().request('/ssm', { method: 'POST', body: writeXml(service, body), headers })
    return { status: response.status, text: await response.text() }
  }
  const sign = (autopay_bit: 0 | 1) =>
    json('/ssm/lease-pdf', {
      location_code: 'GA1',
      format: 'file',
      accepted_timestamp: '2026-11-20T17:00:00Z',
      autopay_bit,
      tenant_signature_name: "Rae O'Neill",
    })
  const documentId = async () => (await recordOf(services, 'lease_documents', { void: 0 })).document_id
  const loadReservation = async () =>
    recordOf(services, 'reservations', { reservation_code: callers.rental?.reservationCode ?? '' })

  it('convert a paid reservation with the card fee and all other agreed answers, and adding the fee again charges nothing', async () => {
    const pdf = await sign(0)
    const page = await json('/paygateway/hostpay/transactions', { location_code: 'GA1' })
    await payAtHostedPage(page.body.paypageurl, 'visa')
    const paid = (await json('/paygateway/directpay/express', { order_id: page.body.order_id })).body
    const { unit_id, tenant_id, reservation_code } = await loadReservation()
    const specified = {
      location_code: 'GA1',
      tenant_id,
      gate_code: '',
      unit_id,
      insurance_id: 2,
      insurance_status_id: 1,
      discount_id: 0,
      start_date: '11/20/2026',
      end_date: '12/19/2026',
      amount: paid.APPROVEDAMOUNT,
      payment_method: 'CC',
      cc_type: 'VI',
      cc_no: paid.MASKEDCARDNUMBER,
      cc_name: paid.CUSTOMERNAME,
      cc_address: paid.ADDRESS1,
      cc_postal_code: paid.BILLINGPOSTALCODE,
      transaction_id: paid.TRANSACTIONID,
      cc_response_code: '000',
      res_code: reservation_code,
      dbl_reservation_paid_fee: '0.00',
      autopay_bit: 0,
      order_id: page.body.order_id,
      doc_ref_number: await documentId(),
      doc_base64_format: pdf.body,
      fee_id: 3,
      fee_amount: '2.00',
    }
    const service = 'ConvertReservationtoRentalAndSendLeaseAgreement'
    const first = await json(`/ssm/${service}`, specified)
    expect(first).toMatchObject({ status: 200, body: { Rental: { RentalMessage: 'Successful' } } })
    const { GateCode: gate_code, RentalLeaseNumber: lease_number } = first.body.Rental
    const again = await xml(service, { ...specified, gate_code })
    expect(again.text).toContain(`<RentalLeaseNumber>${lease_number}</RentalLeaseNumber>`)
    for (const [field, other] of Object.entries({
      gate_code: '100001',
      unit_id: 99,
      end_date: '12/20/2026',
      fee_id: 1,
    })) {
      const refused = await xml(service, { ...specified, [field]: other })
      expect(refused.status, field).toBe(409)
      expect(refused.text).toContain(`<Field name="${field}">`)
    }

    const fee = { location_code: 'GA1', tenant_id, lease_number, fee_id: 3, fee_amount: '2.00' }
    const before = await services.db.read.selectFrom('ledger_entries').select('entry_id').execute()
    expect(await json('/ssm/AddFeesToLease', fee)).toMatchObject({ status: 200, body: { SaveSuccessful: 'True' } })
    expect(await json('/ssm/AddFeesToLease', { ...fee, fee_amount: '0.01' })).toMatchObject({ status: 409 })
    expect(await services.db.read.selectFrom('ledger_entries').select('entry_id').execute()).toEqual(before)
    expect(await loadNewLeases(services)).toHaveLength(1)
    await expectInvariants(services, till)
  })

  it('are refused with a card fee for a lease whose payment had none', async () => {
    await sign(1)
    const page = await json('/paygateway/hostpay/transactions', { location_code: 'GA1' })
    await payAtHostedPage(page.body.paypageurl, 'visa')
    await json('/paygateway/directpay/express', { order_id: page.body.order_id })
    const [lease] = await loadNewLeases(services)
    const fee = { location_code: 'GA1', tenant_id: lease?.tenant_id, lease_number: lease?.lease_number, fee_id: 3 }
    expect(await json('/ssm/AddFeesToLease', fee)).toMatchObject({ status: 200, body: { SaveSuccessful: 'False' } })
    const service = 'ConvertReservationtoRentalAndSendLeaseAgreement'
    const statedFields = { location_code: 'GA1', order_id: page.body.order_id }
    expect(await json(`/ssm/${service}`, { ...statedFields, fee_id: '3' })).toMatchObject({ status: 409 })
    expect(await json(`/ssm/${service}`, { ...statedFields, fee_id: '0', fee_amount: '0.00' })).toMatchObject({
      status: 200,
    })
  })

  it('complete a move-in from a bank account, and are still checked when the move-in is complete', async () => {
    const pdf = await sign(1)
    const { unit_id, tenant_id } = await loadReservation()
    const quote = await xml('ProcessACHMoveIn', {
      location_code: 'GA1',
      PaymentAmount: '0.01',
      ACHAccountNumber: '000123450000',
      ACHRoutingNumber: '061000104',
    })
    const PaymentAmount = /<Field name="PaymentAmount">([\d.]+)</.exec(quote.text)?.[1] ?? ''
    const specified = {
      location_code: 'GA1',
      TenantId: tenant_id,
      AccessCode: '',
      UnitId: unit_id,
      InsuranceId: 2,
      DiscountId: 2,
      StartDate: '11/20/2026',
      EndDate: '12/19/2026',
      PaymentAmount,
      ACHAccountNumber: '000123450000',
      ACHRoutingNumber: '061000104',
      ACHAccountType: 'Checking',
      OverrideUnitStatus: 'False',
      AutopayACH: 'True',
      AutoAchProcessingDay: '1',
      DocRefNumber: await documentId(),
      SignedLease: pdf.body,
    }
    const done = await xml('ProcessACHMoveIn', specified)
    expect(done).toMatchObject({ status: 200, text: expect.stringContaining('<RentalMessage>Successful<') })
    expect(await xml('ProcessACHMoveIn', specified)).toEqual(done)
    for (const [field, other] of Object.entries({
      UnitId: 99,
      DiscountId: 0,
      EndDate: '12/20/2026',
      AutopayACH: '0',
    })) {
      const refused = await xml('ProcessACHMoveIn', { ...specified, [field]: other })
      expect(refused.status, field).toBe(409)
      expect(refused.text).toContain(`<Field name="${field}">`)
    }
  })
  it('may repeat the own gate code of a signed-in tenant with the lease and with the payment', async () => {
    const input = { location_code: 'GA1', unit_type_id: 1, rent_now: 1 }
    const saved = await perform(services, SaveReservationDetailsForExistingTenants, input, asAda)
    if (!saved.ok) throw new Error(saved.message)
    callers = await withDraft(services, saved.grants?.draftId, asAda)
    const signing = {
      location_code: 'GA1',
      format: 'file',
      accepted_timestamp: '1',
      tenant_signature_name: 'Ada Byrne',
    }
    const payment = {
      location_code: 'GA1',
      PaymentAmount: '0.01',
      ACHAccountNumber: '000123450000',
      ACHRoutingNumber: '061000104',
    }
    expect(await json('/ssm/lease-pdf', { ...signing, gate_code: '482918' })).toMatchObject({ status: 409 })
    expect(await json('/ssm/lease-pdf', { ...signing, gate_code: '482917' })).toMatchObject({ status: 200 })
    const quote = await json('/ssm/ProcessACHMoveIn', payment)
    const paying = { ...payment, PaymentAmount: quote.body.error.fields.PaymentAmount }
    expect(await json('/ssm/ProcessACHMoveIn', { ...paying, AccessCode: '482918' })).toMatchObject({ status: 409 })
    for (let n = 0; n < 2; n += 1)
      expect(await json('/ssm/ProcessACHMoveIn', { ...paying, AccessCode: '482917' })).toMatchObject({
        status: 200,
        body: { Rental: { RentalMessage: 'Successful' } },
      })
    expect(await loadNewLeases(services)).toMatchObject([{ tenant_id: 1001, gate_code: '482917' }])
  })

  it('answer nothing about a gate code of the tenant to a session that found the rental by name', async () => {
    const { tenant_id } = await loadReservation()
    const code = { location_code: 'GA1', gate_code: '771100', tenant_id, lease_number: 10001, created_at: 0 }
    await addRecord(services, 'gate_codes', { ...code, time_zone_name: 'standard', active: 1 })
    const compare = () => json('/ssm/lease-pdf', { location_code: 'GA1', format: 'url', gate_code: '771100' })
    expect(await compare()).toMatchObject({ status: 200 })
    const found = await perform(
      services,
      GetActiveReservation,
      { location_code: 'GA1', last_name: "O'Neill", phone_last_four: '0147' },
      visitor(),
    )
    if (!found.ok) throw new Error(found.message)
    callers = await withDraft(services, found.grants?.draftId)
    expect(callers.rental?.proof).toBe('names')
    expect(await compare()).toMatchObject({ status: 409 })
  })
})
