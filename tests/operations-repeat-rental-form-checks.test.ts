/** Tests that operations refuse the forms that rental pages refuse. */
import { beforeEach, describe, expect, it } from 'vitest'
import { contactFormValues, designatedAgentForm, reservationLookupForm } from '../app/reserve/testing.ts'
import { Browser, change } from '../app/testing.ts'
import { LeasePdf } from '../modules/move-in/operations/preview-or-sign-lease-pdf.ts'
import { ProcessACHMoveIn } from '../modules/move-in/operations/process-ach-move-in.ts'
import { loadDraft, saveAnswers } from '../modules/reservations/draft.ts'
import { GetActiveReservation } from '../modules/reservations/operations/find-active-reservation-by-name-and-phone.ts'
import { FindReservation } from '../modules/reservations/operations/find-reservation.ts'
import { SaveReservationDetails_WEB } from '../modules/reservations/operations/reserve-unit-for-new-tenant.ts'
import type { Answers } from '../modules/reservations/rules/journey/journey-answers.ts'
import { postTenants } from '../modules/tenants/operations/save-tenant-birthday.ts'
import { perform } from '../platform/operations/operation.ts'
import { folderFiles } from '../ports/files/folder.ts'
import {
  callOperation,
  checkingPages,
  expectBothRefuse,
  type Form,
  type FormCase,
} from './expect-page-and-operation-refuse-values.ts'
import { openerForTests, temporaryFolder } from './support/databases.ts'
import { contact, openTestServices, type TestServices, visitor } from './support/small-operator.ts'

const files: string[] = []
/** Registers the files of the pages whose forms the running test covers. */
const registerPages = (...paths: string[]) => void files.push(...paths)

const at = { location_code: 'GA1' }
const open = openerForTests()

const insurance = { carrier: 'Acme Mutual', policy_number: 'A-1', expiration_date: '2027-05-14' }
const license = { drivers_license: '048213377', issued_state: 'GA', birth_date: '1987-05-14' }
const allAnswers: Answers = {
  vehicle: false,
  hasLienHolder: true,
  brochureSeen: true,
  fullDayAccess: false,
  activeMilitary: true,
  insurance: { status: 2 },
  ownInsurance: insurance,
  lienHolder: { lien_name: 'First Bank', phone_number: '4045550133', address: '', description: 'A piano' },
  customerInfo: { ...license, expiration_date: '2030-01-31', brief_description: 'Furniture' },
  military: { military_branch: 'Army', military_base: 'Moore', commanding_officer: 'Col. Ray' },
  wantsAgent: true,
  designatedAgent: designatedAgentForm,
}

let services: TestServices
beforeEach(async () => {
  services = await openTestServices(await open())
  services.files = folderFiles(temporaryFolder())
})

/** Returns a visitor with a reserved unit and all answers up to the lease. */
async function renter(answers: Answers = allAnswers): Promise<Browser> {
  const browser = new Browser(services)
  const reserved = await perform(
    services,
    SaveReservationDetails_WEB,
    { ...at, unit_type_id: 1, rent_now: 1, ...contact },
    visitor(),
  )
  if (!reserved.ok || !reserved.grants?.draftId) throw new Error('There is no reservation')
  browser.ids = { draftId: reserved.grants.draftId }
  const draft = await loadDraft(services, reserved.grants.draftId)
  if (!draft) throw new Error('There is no draft')
  await saveAnswers(services, draft, answers)
  return browser
}

async function sign(browser: Browser, form: Form): Promise<number> {
  const { quoteId } = (await browser.get('/lease')).data
  const signing = { intent: 'sign', quote: quoteId, consent: '1', method: 'typed', typed: "Rae O'Neill", ...form }
  return (await browser.post('/lease', signing)).status
}

describe('A form that its page refuses is refused by the operation', () => {
  const lease = { ...at, format: 'url' }
  const toLease = (browser: Browser, path: string, formCase: FormCase) =>
    expectBothRefuse(browser, path, LeasePdf, { ...formCase, input: { ...lease, ...formCase.input } })

  it('about the stored vehicle and insurance', async () => {
    registerPages('app/move-in/vehicle-lien-insurance-military-step.tsx', 'app/move-in/insurance-schemes.tsx')
    const names = { make: 'vehicle_make', model: 'vehicle_model', color: 'vehicle_color', confirmValid: null }
    const truck = { make: 'Ford', model: 'Transit', color: 'White', confirmValid: 'on' }
    const vehicle = await renter({
      ...allAnswers,
      vehicle: true,
      vehicleDetails: { ...truck, description: '', confirmValid: true },
    })
    await toLease(vehicle, '/vehicle-info', {
      form: truck,
      input: { insurance_status_id: '3' },
      names,
      refusedValues: { make: [''], model: [' '], color: ['x'.repeat(61)] },
    })
    expect((await vehicle.post('/vehicle-info', { ...truck, confirmValid: '' })).data.fields).toHaveProperty(
      'confirmValid',
    )
    const unconfirmed = { ...lease, vehicle_make: 'Ford', vehicle_model: 'Transit', vehicle_color: 'White' }
    expect(await callOperation(vehicle, LeasePdf, unconfirmed)).toMatchObject({
      status: 400,
      fields: { insurance_status_id: expect.any(String) },
    })
    const browser = await renter()
    await toLease(browser, '/lien-holder-details', {
      form: { lien_name: 'First Bank', phone_number: '4045550133', address: '', description: 'A piano' },
      names: { phone_number: 'lien_phone_number', address: 'lien_address', description: 'lien_description' },
      refusedValues: { lien_name: [''], phone_number: ['', '555'], description: [''] },
    })
    await toLease(browser, '/home-owner-insurance', {
      form: { ...insurance, expiration_date: '05/14/2027' },
      refusedValues: { carrier: [''], policy_number: [''], expiration_date: ['', '13/45/2027', '11/19/2026'] },
    })
    await toLease(browser, '/insurance-schemes', {
      form: { coverage: '1' },
      names: { coverage: 'insurance_id' },
      refusedValues: { coverage: ['99', 'all of them'] },
    })
  })

  it('about the renter', async () => {
    registerPages(
      'app/move-in/customer-info.tsx',
      'app/reserve/designated-agent.tsx',
      'app/move-in/full-day-access-step.tsx',
      'app/move-in/yes-no-step.tsx',
    )
    const browser = await renter()
    await toLease(browser, '/customer-info', {
      form: { ...license, expiration_date: '01/31/2030', brief_description: 'Furniture' },
      names: { expiration_date: 'license_expiration_date' },
      refusedValues: {
        drivers_license: ['', 'A1'],
        issued_state: ['ZZ'],
        birth_date: ['', '02/30/1990', '11/21/2008', '11/21/2030'],
        expiration_date: ['soon'],
        brief_description: [''],
      },
    })
    const draft = await loadDraft(services, browser.ids.draftId ?? '')
    const whose = { ...at, tenant_id: draft?.tenantId ?? 0, first_name: contact.first, last_name: contact.last }
    await expectBothRefuse(browser, '/customer-info', postTenants, {
      form: { ...license, expiration_date: '01/31/2030', brief_description: 'Furniture' },
      input: whose,
      names: { birth_date: 'birthday' },
      refusedValues: { birth_date: ['', '02/30/1990', '11/21/2008', '11/21/2030'] },
    })
    await toLease(browser, '/military-details', {
      form: { military_branch: 'Army', military_base: 'Moore', commanding_officer: 'Col. Ray' },
      refusedValues: { military_branch: [''], military_base: [''], commanding_officer: ['x'.repeat(121)] },
    })
    await toLease(browser, '/designated-agent', {
      form: designatedAgentForm,
      refusedValues: {
        agent_name: [''],
        agent_email: ['bo'],
        agent_address: [''],
        agent_state: ['ZZ'],
        agent_city: [''],
        agent_zip: ['312'],
      },
    })
    await toLease(browser, '/full-day-access', {
      form: { answer: 'yes' },
      names: { answer: 'full_day_access' },
      refusedValues: { answer: ['perhaps'] },
    })
  })

  it('about the default notice of South Carolina', async () => {
    registerPages('app/reserve/delivery-of-notices-of-default.tsx')
    await change(services, 'locations', { location_code: 'GA1' }, { state: 'SC' })
    const { wantsAgent: _, designatedAgent: __, ...answers } = allAnswers
    await toLease(await renter({ ...answers, defaultNotice: 'mail' }), '/default-notice', {
      form: { default_notice: 'mail' },
      refusedValues: { default_notice: ['fax'] },
    })
  })

  it('about the signature', async () => {
    registerPages('app/move-in/lease.tsx')
    const browser = await renter()
    const signature = { ...at, format: 'file', accepted_timestamp: '2026-11-20T17:00:00Z' }
    for (const [form, input, status] of [
      [{ typed: '' }, { tenant_signature_name: '' }, 400],
      [{ typed: 'Donald Duck' }, { tenant_signature_name: 'Donald Duck' }, 409],
      [{ method: 'drawn', image: 'data:image/png;base64,AAAA' }, { tenant_signature: 'AAAA' }, 400],
    ] as const) {
      expect(await sign(browser, form)).toBe(400)
      expect(await callOperation(browser, LeasePdf, { ...signature, ...input })).toMatchObject({ ok: false, status })
    }
  })

  it('about the move-in day and the contact', async () => {
    registerPages('app/reserve/reservation-date.tsx', 'app/reserve/renter-contact.tsx')
    const started = new Browser(services)
    await started.get('/rent/GA1/1')
    const reserve = { ...at, unit_type_id: 1 }
    await expectBothRefuse(started, '/reservation-date', SaveReservationDetails_WEB, {
      form: { move_in_date: '11/22/2026' },
      input: { ...reserve, ...contact },
      refusedValues: { move_in_date: ['11/19/2026', '02/30/2027', '11/22/2028'] },
    })
    const now = new Browser(services)
    await now.get('/rent/GA1/1?rentNow=1')
    await expectBothRefuse(now, '/add-contact', SaveReservationDetails_WEB, {
      form: contactFormValues,
      input: { ...reserve, rent_now: 1 },
      refusedValues: {
        first: [''],
        last: [''],
        email: ['', 'rae@'],
        cell_phone: ['555'],
        address: [''],
        city: [''],
        state: ['ZZ'],
        zip: ['303'],
        company: ['x'.repeat(101)],
      },
    })
  })

  it('about looking up a reservation', async () => {
    registerPages('app/reserve/find-reservation.tsx', 'app/reserve/reservation-by-code.tsx')
    await renter()
    const refusedValues = { last_name: [''], phone_last_four: ['12', 'abcd'] }
    const found = new Browser(services)
    await expectBothRefuse(found, '/find-reservation?state=GA&location=GA1', GetActiveReservation, {
      form: reservationLookupForm,
      refusedValues,
    })
    const { location_code: _, ...proof } = reservationLookupForm
    const code = { reservation_code: '100234' }
    await services.db.write.updateTable('reservations').set(code).execute()
    const path = `/reservation?rescode=100234&site=${encodeURIComponent('Storage GA1')}`
    await expectBothRefuse(new Browser(services), path, FindReservation, {
      form: proof,
      input: { ...at, ...code },
      refusedValues,
    })
  })

  it('about a bank account', async () => {
    registerPages('app/move-in/process-payment-ach.tsx')
    const browser = await renter()
    await sign(browser, {})
    await browser.post('/payment-method', { method: 'ACH' })
    const right = { routing_number: '061000104', account_number: '000123450000', account_type: 'Checking' }
    for (const invalid of [{ routing_number: '061000105' }, { account_number: '12' }, { account_type: 'Gold' }]) {
      const values = { ...right, ...invalid }
      const form = { ...values, confirm_account: values.account_number, account_name: "Rae O'Neill" }
      expect((await browser.post('/process-payment-ach', form)).data.fields, JSON.stringify(invalid)).toEqual({
        [Object.keys(invalid)[0] ?? '']: expect.any(String),
      })
      const account = {
        ACHRoutingNumber: values.routing_number,
        ACHAccountNumber: values.account_number,
        ACHAccountType: values.account_type,
      }
      const outcome = await callOperation(browser, ProcessACHMoveIn, { ...at, PaymentAmount: '0.01', ...account })
      expect(outcome, JSON.stringify(invalid)).toMatchObject({ ok: false, status: 400 })
    }
  })

  it('about a bank account where bank payments are not accepted', async () => {
    await change(services, 'locations', { location_code: 'GA1' }, { allow_ach: 0 })
    registerPages('app/move-in/payment-method.tsx')
    const browser = await renter()
    await sign(browser, {})
    expect(await browser.post('/payment-method', { method: 'ACH' })).toMatchObject({
      status: 400,
      data: { fields: {} },
    })
    const account = { ACHRoutingNumber: '061000104', ACHAccountNumber: '000123450000', PaymentAmount: '0.01' }
    const refused = { ok: false, code: 'ach_not_offered' }
    expect(await callOperation(browser, ProcessACHMoveIn, { ...at, ...account })).toMatchObject(refused)
  })
})

it('Every page of a rental whose action checks a form is tested above', () => {
  expect(checkingPages(/^app\/(move-in|reserve)\//, true)).toEqual([...files].sort())
})
