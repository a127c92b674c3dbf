/** A kiosk rents over HTTP only: a fresh session for each renter, without earlier cookies or pages of the journey. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { operations } from '../api/catalogue.ts'
import { loader as leaseDocument } from '../app/move-in/lease-pdf.tsx'
import { successful } from '../domain/texts/payment.ts'
import { openPayingServices, type PayingServices } from '../modules/payments/testing.ts'
import { sandboxForTests } from '../modules/payments/testing-card-provider.ts'
import { expectInvariants } from '../modules/payments/testing-invariants.ts'
import { readXml, writeXml } from '../ports/xml.ts'
import { payAtHostedPage } from '../sandbox/submit-card-page-in-tests.ts'
import type { PageRenderer } from '../server/web/web-app-state-and-request-callers.ts'
import { runDueMessageJobs } from './actors/run-due-message-jobs.ts'
import { coerceXmlResponse } from './support/coerce-xml-response.ts'
import { describeOnBothEngines } from './support/databases.ts'
import { createTestSite } from './support/site.ts'
import { contact } from './support/small-operator.ts'

const { till, folder } = sandboxForTests('kiosk')
const at = { location_code: 'GA1' }
const origin = 'http://localhost:3000'

/** Serves the page of a lease document, as the router would. */
const pages: PageRenderer = async (request, context) => {
  const [, which = ''] = /^\/lease-document\/(\w+)$/.exec(new URL(request.url).pathname) ?? []
  try {
    const url = new URL(request.url)
    return await leaseDocument({ request, context, params: { which }, url, pattern: '/lease-document/:which' })
  } catch (thrown) {
    if (thrown instanceof Response) return thrown
    throw thrown
  }
}

/** The client of a renter at a kiosk. Keeps the cookies that it receives. */
class Kiosk {
  readonly #app: ReturnType<typeof createTestSite>
  readonly #notation: 'JSON' | 'XML'
  readonly #cookies = new Map<string, string>()

  constructor(app: ReturnType<typeof createTestSite>, notation: 'JSON' | 'XML') {
    this.#app = app
    this.#notation = notation
  }

  async open(address: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(init.headers as Record<string, string>), ...(cookie !== '' && { Cookie: cookie }) }
    const answer = await this.#app.request(new URL(address, origin).href, { ...init, headers })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, value)
    }
    return answer
  }

  /** Calls an operation of `/api/ssm` in the kiosk's notation. */
  async call(name: string, input: Record<string, unknown>) {
    if (this.#notation === 'JSON') return this.send('POST', `/api/ssm/${name}`, input)
    const headers = { 'Content-Type': 'application/xml' }
    const answer = await this.open('/api/ssm', { method: 'POST', headers, body: writeXml(name, input) })
    const file = await this.#fileOf(answer)
    if (file) return { status: answer.status, value: file }
    const envelope = readXml(await answer.text())
    if (!envelope.ok) throw new Error(envelope.why)
    const declared = operations.get(name)
    const isSuccess = answer.status === 200 && declared !== undefined
    return {
      status: answer.status,
      value: isSuccess ? coerceXmlResponse(declared.output, envelope.body) : envelope.body,
    }
  }

  /** Sends JSON to an operation or to a resource; resources accept no XML. */
  async send(method: string, path: string, input: Record<string, unknown>) {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await this.open(path, { method, headers, body: JSON.stringify(input) })
    const file = await this.#fileOf(answer)
    if (file) return { status: answer.status, value: file }
    const value = await answer.json()
    return { status: answer.status, value: value.Rental ?? value }
  }

  async #fileOf(answer: Response): Promise<{ file: string } | null> {
    const isFile = answer.headers.get('content-type')?.includes('pdf')
    return isFile ? { file: (await answer.text()).slice(0, 5) } : null
  }
}

describeOnBothEngines('A kiosk', (open) => {
  let services: PayingServices
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
    // As in production, the clock advances between two statements of one call.
    const { now } = services.clock
    services.clock.now = () => {
      services.clock.advance(1)
      return now()
    }
  })
  afterEach(() => services.db.close())

  for (const notation of ['JSON', 'XML'] as const)
    it(`rents from the reservation to gate code and lease in ${notation}`, async () => {
      const kiosk = new Kiosk(createTestSite(services, { pages }), notation)
      const { first, last, email, address } = contact
      const renter = { ...contact, active_military: 0, designated_agent: 0 }
      const request = { ...at, unit_type_id: 1, rent_now: 1 }
      const reserved = await kiosk.call('SaveReservationDetails_WEB', { ...request, ...renter })
      expect(reserved).toMatchObject({ status: 200, value: { ErrorMessage: '' } })
      const [confirmation] = await runDueMessageJobs(services)
      expect(confirmation?.text.replace(/\s+/g, ' ')).toContain(
        'This price is with Cover $2,000 insurance, autopay on, no 24-hour access. What you choose changes it.',
      )
      const { tenantId: tenant_id, reservationCode: res_code, unitNumber } = reserved.value
      const tenant = { ...at, tenant_id }
      expect(await kiosk.call('GetTenantInfo', tenant)).toMatchObject({
        status: 200,
        value: { first, last, email, address },
      })
      const prospect = { status: 200, value: { email_address: email, extra_data: { firstName: first } } }
      expect(await kiosk.send('POST', '/api/prospects', { ...at, res_code, email_address: email })).toMatchObject(
        prospect,
      )
      const identity = { ...tenant, first_name: first, last_name: last, birthday: '05/14/1987' }
      expect(await kiosk.send('POST', '/api/tenants', identity)).toEqual({ status: 200, value: { saved: true } })

      const link = await kiosk.call('lease-pdf', { ...at, format: 'url', insurance_id: 1, full_day_access: 0 })
      expect(link).toMatchObject({ status: 200, value: { url: expect.any(String) } })
      const preview = await kiosk.open(link.value.url)
      expect([preview.status, preview.headers.get('content-type')]).toEqual([200, 'application/pdf'])
      const signed = await kiosk.call('lease-pdf', {
        ...at,
        format: 'file',
        tenant_name: `${first} ${last}`,
        tenant_email: email,
        tenant_address: address,
        tenant_signature_name: `${first} ${last}`,
        accepted_timestamp: '2026-11-20T17:00:00Z',
      })
      expect(signed).toEqual({ status: 200, value: { file: '%PDF-' } })

      const payer = { first, last, email, address, city: 'Atlanta', zip: '30308' }
      const page = await kiosk.send('POST', '/api/paygateway/hostpay/transactions', { ...at, contact: payer })
      expect(page).toMatchObject({ status: 200, value: { paypageurl: expect.any(String) } })
      const { order_id, paypageurl, total_amount: amount } = page.value
      await payAtHostedPage(paypageurl, 'visa')
      expect(await kiosk.send('POST', '/api/paygateway/directpay/express', { order_id })).toMatchObject({
        status: 200,
        value: { STATE: 'APPROVED', APPROVEDAMOUNT: amount },
      })
      const rented = await kiosk.call('ConvertReservationtoRentalAndSendLeaseAgreement', {
        ...tenant,
        order_id,
        res_code,
        amount,
        payment_method: 'CC',
      })
      expect(rented).toMatchObject({
        status: 200,
        value: { RentalMessage: successful, UnitNumber: unitNumber, GateCode: expect.stringMatching(/^\d+$/) },
      })
      const lease_no = rented.value.RentalLeaseNumber
      expect(await kiosk.call('GetTenantUnitLeaseDetails', { ...tenant, lease_no })).toMatchObject({
        status: 200,
        value: { gateCode: rented.value.GateCode, tenantName: `${first} ${last}`, tenantEmail: email },
      })
      const completed = { ...at, order_id, full_name: `${first} ${last}`, cell_email: email }
      expect(await kiosk.send('POST', '/api/notices/movein_completion', completed)).toMatchObject({ status: 200 })
      expect(await kiosk.send('PUT', `/api/prospects/${res_code}`, { res_status: 'completed' })).toMatchObject({
        status: 200,
        value: { res_status: 'completed', lease_status: 'Current', email_address: email },
      })
      expect((await kiosk.open('/lease-document/signed')).headers.get('content-type')).toBe('application/pdf')
      await expectInvariants(services, till)
    }, 60_000)

  it('reads no tenant whom another session has entered', async () => {
    const app = createTestSite(services)
    const own = new Kiosk(app, 'JSON')
    const other = new Kiosk(app, 'JSON')
    const request = { ...at, unit_type_id: 1, rent_now: 1, ...contact }
    const reserved = await own.call('SaveReservationDetails_WEB', request)
    await other.call('SaveReservationDetails_WEB', { ...request, email: 'other@example.com' })
    const tenant = { ...at, tenant_id: reserved.value.tenantId }
    expect((await own.call('GetTenantInfo', tenant)).value.first).toBe('Rae')
    expect((await other.call('GetTenantInfo', tenant)).status).toBe(403)
    expect((await new Kiosk(app, 'JSON').call('GetTenantInfo', tenant)).status).toBe(401)
  })
})
