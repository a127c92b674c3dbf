import { beforeEach, expect, it } from 'vitest'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import {
  plainAnswers,
  readyToPay,
  reloadDraft,
  saveTestAnswers,
} from '../../modules/payments/testing-rent-until-card-page.ts'
import { TransferUnit } from '../../modules/transfers/operations/start-transfer-by-tenant-or-staff.ts'
import { perform } from '../../platform/operations/operation.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { recordOf } from '../../tests/support/rows.ts'
import { asAda, visitor } from '../../tests/support/small-operator.ts'
import { contactFormValues, Renter } from '../reserve/testing.ts'

const { till, folder } = sandboxForTests('review')

type Rows = Record<string, string>

/** Returns the rows of the agreement's tables as the page shows them, by label. */
function leaseRows(data: { sections: { id: string; paragraphs: unknown[] }[] }): Rows {
  const rowsOf = (id: string) =>
    data.sections
      .filter((section) => section.id === id)
      .flatMap(({ paragraphs }) => paragraphs as { table?: [string, string][] }[])
      .flatMap(({ table }) => table ?? [])
  // In the parties section the tenant's rows come first and must win over the facility's.
  return Object.fromEntries(['access', 'insurance', 'term', 'unit', 'parties'].flatMap((id) => rowsOf(id).reverse()))
}

const reviewRows = (data: { groups: { answers: { label: string; value: string }[] }[] }): Rows =>
  Object.fromEntries(data.groups.flatMap(({ answers }) => answers).map(({ label, value }) => [label, value]))

describeOnBothEngines('The check before paying', (open) => {
  let services: PayingServices
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
  })

  async function compareWithLease(renter: Renter) {
    const lease = leaseRows((await renter.get('/lease')).data)
    const review = reviewRows((await renter.openPaymentMethod()).data)
    expect(Object.keys(lease)).toEqual(expect.arrayContaining(['Tenant', 'Address', 'Unit', 'Next billing date']))
    expect(review).toMatchObject({
      Name: lease.Tenant,
      Address: lease.Address,
      Email: lease['E-mail'],
      Phone: lease.Phone,
    })
    expect(review.Unit).toContain(`Unit ${lease.Unit}`)
    expect(review.Unit).toContain(lease.Kind)
    expect(review['Move-in date']).toContain(lease['Move-in date'])
    expect(review['Paid through']).toContain(lease['Paid through'])
    expect(review['Next billing date']).toContain(lease['Next billing date'])
    expect(review['What you will store']).toBe(lease['To be stored'])
    return { lease, review }
  }

  async function sign(renter: Renter, name: string) {
    const { quoteId: quote } = (await renter.get('/lease')).data
    const form = { intent: 'sign', consent: '1', method: 'typed', typed: name, quote }
    expect((await renter.post('/lease', form)).to).toBe('/payment-method')
  }

  it('describes plan and access as the lease does, with their prices', async () => {
    const answers = { fullDayAccess: true, insurance: { status: 1, schemeId: 1 } } as const
    const renter = new Renter(services, { draftId: (await readyToPay(services, { answers })).draftId })
    const { lease, review } = await compareWithLease(renter)
    expect(lease).toMatchObject({ Premium: '$24.00 per period of 30 days', Coverage: '$5,000.00' })
    expect(lease['24-hour access']).toBe('Yes, $20.00 per period of 30 days')
    expect(review.Insurance).toBe('Cover $5,000, $5,000 of coverage, $24.00 every 30 days')
    expect(review['24-hour access']).toBe('Yes, $20.00 every 30 days')
    const { groups } = (await renter.openPaymentMethod()).data
    expect(groups.map(({ title, brief }: { title: string; brief: string }) => [title, brief])).toEqual([
      ['You', `${review.Name}\u00a0· ${review.Email}`],
      ['Unit and day', expect.stringMatching(/^Unit \w+, \d+ × \d+\u00a0· moves in today$/)],
      ['Insurance and lease', 'Cover $5,000\u00a0· autopay on'],
      ['Vehicle, lien holder, military', 'None of them'],
    ])
  })

  it('shows the tenant on file whom the lease names, not the typed name', async () => {
    const ada = await recordOf(services, 'tenants', { tenant_id: 1001 })
    const renter = new Renter(services)
    await renter.startRental('?rentNow=1')
    const form = { ...contactFormValues, last: 'Byrne', email: 'ada@example.com', cell_phone: ada.cell_phone }
    await renter.post('/add-contact?rentNow=1', { ...form, continue_as: form.email })
    await saveTestAnswers(services, await reloadDraft(services, renter.ids.draftId), plainAnswers)
    await sign(renter, 'Ada Byrne')
    const { review } = await compareWithLease(renter)
    expect(review.Name).toBe('Ada Byrne')
    expect(Object.values(review).join()).not.toMatch(new RegExp(`${contactFormValues.address}|${ada.address}`))
  })

  it('names the date of a scheduled transfer', async () => {
    const renter = new Renter(services, {}, asAda)
    const { balance } = await recordOf(services, 'leases', { lease_number: 10001 })
    const input = { location_code: 'GA1', tenant_id: 1001, lease_number: 10001, unit_type_id: 2, balance }
    const transfer = await perform(services, TransferUnit, { ...input, transfer_date: '2026-11-23' }, asAda)
    if (!transfer.ok) throw new Error(transfer.message)
    const draftId = transfer.grants?.draftId ?? ''
    renter.ids = { draftId }
    const confirmed = (await renter.get('/reservation-confirmed')).html()
    expect(confirmed).toContain('11/23/2026')
    expect(confirmed).not.toContain('start today')
    await saveTestAnswers(services, await reloadDraft(services, draftId), plainAnswers)
    await sign(renter, 'Ada Byrne')
    const { lease, review } = await compareWithLease(renter)
    expect(lease['Move-in date']).toBe('11/23/2026')
    expect(review['Move-in date']).not.toContain('Today')
  })

  it('shows a finder by name and digits only what the lease shows them', async () => {
    await readyToPay(services, {})
    const finder = new Renter(services, {}, visitor('198.51.100.9'))
    await finder.findReservation()
    const { review } = await compareWithLease(finder)
    expect(review.Name).toMatch(/\*\*\*/)
  })
})
