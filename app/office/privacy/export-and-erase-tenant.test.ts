import { unzipSync } from 'fflate'
import { beforeEach, expect, it } from 'vitest'
import { encryptPlan } from '../../../modules/payments/order-terms-encryption.ts'
import { postCharge } from '../../../modules/standing/post-entries.ts'
import { changeIdentity } from '../../../modules/tenants/identity-data.ts'
import { enqueueAll } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { describeOnBothEngines } from '../../../tests/support/databases.ts'
import { memoryFiles } from '../../../tests/support/memory-files.ts'
import { addRecord as add, change, recordOf, recordsOf } from '../../../tests/support/rows.ts'
import { openTestServices, type TestServices } from '../../../tests/support/small-operator.ts'
import { withApprovals } from '../../../tests/support/staff.ts'
import { type StaffBrowser, signedInStaff } from '../testing.ts'

const path = '/office/tenants/GA1/1001/export'

describeOnBothEngines('The export of a tenant', (open) => {
  let services: TestServices & { files: ReturnType<typeof memoryFiles> }
  let owner: StaffBrowser

  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true, files: memoryFiles() } as never
    owner = await signedInStaff(services, 'owner')
    await services.db.transaction((tx) =>
      changeIdentity(tx, services, 'GA1', 1001, { drivers_license: 'GA-777-1', birth_date: '1980-02-03' }),
    )
    await add(services, 'tenant_notes', {
      note_id: 'n1',
      location_code: 'GA1',
      tenant_id: 1001,
      lease_number: null,
      note: '=cmd|"calls" on Fridays',
      created_at: services.clock.now(),
      staff_id: null,
    })
    await services.files.put('leases/ga1/10001.pdf', new TextEncoder().encode('%PDF signed'), 'application/pdf')
    await add(services, 'lease_documents', {
      document_id: 'd1',
      location_code: 'GA1',
      draft_id: null,
      lease_number: 10001,
      void: 0,
      created_at: 0,
      file_key: 'leases/ga1/10001.pdf',
      hash_before: 'a',
      hash_after: 'b',
      evidence: '{"signerName":"Ada"}',
    })
  })

  const archive = async (person: StaffBrowser) => {
    const { response } = await person.post(`${path}/archive`)
    const files = unzipSync(new Uint8Array(await (response as Response).arrayBuffer()))
    return {
      response: response as Response,
      names: Object.keys(files).sort(),
      text: (name: string) => new TextDecoder().decode(files[name]),
    }
  }

  it('contains lists, decrypted values and documents, and is audited', async () => {
    const { response, names, text } = await archive(owner)
    expect(response.headers.get('Content-Disposition')).toContain('tenant-GA1-1001.zip')
    expect(response.headers.get('Cache-Control')).toBe('private, no-store')
    expect(names).toEqual(
      expect.arrayContaining(['read-me.txt', 'contact.csv', 'leases.csv', 'notes.csv', 'agreements/10001-d1.pdf']),
    )
    expect(text('read-me.txt')).toContain('by owner')
    expect(text('read-me.txt').split('Not in here:\r\n')[1]).toMatchInlineSnapshot(`
      "auction winners: The data of another person, who bought the contents.
      auction acknowledgements: What another person, the winner, agreed to.
      staff: The business’s own people.
      staff roles: The business’s own people.
      staff factors: The business’s own people.
      staff sign ins: The business’s own people.
      staff unlocks: The business’s own people.
      approvals: Decisions between the business’s own people.
      audit events: Acts of the business’s own people, kept as evidence.
      jobs: Listed as the mails and texts sent; the row holds keys alone.
      passwords, security answers, sign-in tokens and the card provider’s tokens: secrets, kept as hashes or sealed.
      "
    `)
    expect(text('contact.csv')).toContain('Ada')
    expect(text('contact.csv')).toContain('GA-777-1')
    expect(text('agreements/10001-d1.pdf')).toBe('%PDF signed')
    // Spreadsheets must not run the text as a formula.
    expect(text('notes.csv')).toContain(`'=cmd`)
    expect(text('leases.csv')).toContain('139.00')
    expect(text('account.csv')).not.toContain('hash of')
    for (const name of names) expect(text(name)).not.toContain('Dorn')
    expect(await recordsOf(services, 'audit_events', { kind: 'tenant.exported', tenant_id: 1001 })).toHaveLength(1)
  })

  it('lists every mail and text message, however many', async () => {
    const messages = Array.from({ length: 5_001 }, (_, at) => ({
      kind: 'past_due' as const,
      once: `GA1:10001:${at}`,
      payload: { locationCode: 'GA1', leaseNumber: 10001, periodStart: '2026-11-01' as const },
      runAt: services.clock.now(),
    }))
    const fee = { locationCode: 'GA1', leaseNumber: 10001, kind: 'fee', cents: 100, description: 'Fee' } as const
    await services.db.transaction((tx) => postCharge(tx, services, { ...fee, once: 'fee:1' }))
    const { entry_id } = await recordOf(services, 'ledger_entries', { lease_number: 10001, kind: 'fee' })
    const changed = { locationCode: 'GA1', leaseNumber: 10001, act: 'waive' as const, entryIds: [entry_id] }
    const waiver = { kind: 'ledger_changed' as const, once: entry_id, payload: changed, runAt: services.clock.now() }
    await services.db.transaction((tx) => enqueueAll(tx, [...messages, waiver]))
    const { text } = await archive(owner)
    expect(text('mails-sent.csv').match(/Past due/g)).toHaveLength(5_001)
    expect(text('mails-sent.csv').match(/"Charge, credit or waiver by the office",on its way/g)).toHaveLength(1)
  })

  it('writes the debt and the surplus of a lien case in dollars', async () => {
    await add(services, 'lien_cases', {
      case_id: 'c1',
      location_code: 'GA1',
      tenant_id: 1001,
      lease_number: 10001,
      unit_number: '301',
      state: 'surplus',
      rules_version: 'v1',
      default_from: '2026-08-01',
      owed: 456_78,
      opened_on: '2026-09-01',
      opened_at: 1,
      opened_by: 'owner',
      ended_on: '2026-11-01',
      ended_at: 1,
      ended_by: null,
      ended_because: '',
      winner_uuid: null,
      surplus: 123_45,
      surplus_until: '2028-11-01',
    } as never)
    const cases = (await archive(owner)).text('lien-cases.csv')
    expect(cases).toContain('456.78')
    expect(cases).toContain('123.45,2028-11-01')
  })

  it('contains no more of another payer’s card than the ledger shows', async () => {
    const order = 'LKGUEST00000000000000000000'
    await add(services, 'payments', {
      order_id: order,
      location_code: 'GA1',
      tenant_id: 1001,
      lease_number: 10001,
      payer: 'guest',
      state: 'posted',
      method: 'CC',
      amount: 30_00,
      approved_amount: 30_00,
      autopay: 0,
      card_brand: 'VI',
      plan: encryptPlan(services, order, '{"pays":"dues"}'),
      masked_card: '************9876',
      card_name: 'Guy Payer',
      card_zip: '30399',
      exp_month: '07',
      exp_year: '2031',
      created_at: 1,
      updated_at: 1,
      captured_at: 1,
      posted_at: 2,
    })
    const payments = (await archive(owner)).text('payments.csv')
    expect(payments).toContain(order)
    expect(payments).not.toMatch(/Guy|30399|07|2031/)
  })

  it('reads long ledgers in pages without losing a row', async () => {
    const entry = { location_code: 'GA1', lease_number: 10001, kind: 'fee', cents: 1, description: 'Fee' }
    const rows = Array.from({ length: 1203 }, (_, index) => ({
      ...entry,
      entry_id: `x${index}`,
      once: `x${index}`,
      posted_on: '2026-01-01',
      created_at: 0,
      order_id: null,
      period_start: null,
      period_end: null,
    }))
    await services.db.transaction((tx) =>
      tx
        .insertInto('ledger_entries')
        .values(rows as never)
        .execute()
        .then(() => {}),
    )
    expect((await archive(owner)).text('ledger.csv').match(/\r\n/g)).toHaveLength(1204)
  })

  it('previews its content and responds 404 to other facilities and roles', async () => {
    const page = await owner.get(path)
    expect(page.status).toBe(200)
    expect(page.html()).toContain('Signed leases with their evidence')
    const elsewhere = await signedInStaff(services, 'district', { scope: { facility: 'HI1' }, name: 'elsewhere' })
    const agent = await signedInStaff(services, 'agent', { name: 'agent' })
    for (const person of [elsewhere, agent]) {
      expect((await person.get(path)).status).toBe(404)
      expect((await person.post(`${path}/archive`)).status).toBe(404)
    }
    expect((await owner.post('/office/tenants/GA1/9999/export/archive')).status).toBe(404)
  })

  it('asks for the second factor again and returns to the page', async () => {
    services.clock.advance(11 * 60_000)
    expect(await owner.post(`${path}/archive`)).toMatchObject({
      status: 302,
      to: `/office/second-factor?next=${encodeURIComponent(path)}`,
    })
    expect(await recordsOf(services, 'audit_events', { kind: 'tenant.exported' })).toEqual([])
  })

  it('limits exports per person and 24 hours, even when pressed concurrently', async () => {
    await add(services, 'settings', { name: 'privacy', value: '{"exportsPerDay":2}', updated_at: 0 })
    const answers = await Promise.all([1, 2, 3].map(() => owner.post(`${path}/archive`)))
    expect(answers.filter(({ to }) => to === `${path}?refused=many`)).toHaveLength(1)
    expect((await owner.get(`${path}?refused=many`)).html()).toContain('You have exported 2 tenants')
    const other = await signedInStaff(services, 'district', { name: 'other' })
    expect((await other.post(`${path}/archive`)).response?.status).toBe(200)
  })

  it('stops when the tenant is erased meanwhile', async () => {
    const { response } = await owner.post(`${path}/archive`)
    const reader = (response as Response).body?.getReader()
    await reader?.read()
    await change(services, 'tenants', { tenant_id: 1001 }, { erased_at: 1 })
    const rest = async () => {
      for (;;) if ((await reader?.read())?.done) return
    }
    await expect(rest()).rejects.toThrow('erased meanwhile')
  })
})

describeOnBothEngines('The erasure of a tenant, from the office', (open) => {
  let services: TestServices & { files: ReturnType<typeof memoryFiles> }
  let owner: StaffBrowser
  let district: StaffBrowser
  const erase = '/office/tenants/GA1/1001/erase'

  beforeEach(async () => {
    const opened = { ...(await openTestServices(await open())), allowsAnyFactor: true, files: memoryFiles() }
    services = withApprovals(opened as never) as never
    owner = await signedInStaff(services, 'owner')
    district = await signedInStaff(services, 'district')
  })

  const leave = () => change(services, 'leases', { lease_number: 10001 }, { status: 'Closed', closed_on: '2026-05-04' })
  const ask = async (by: StaffBrowser, reason = 'Asked in writing') => {
    const { data } = await by.get(erase)
    return by.post(erase, { intent: 'erase', key: data.key, made_from: data.madeFrom, reason })
  }
  const request = async () => {
    const [approval] = await recordsOf(services, 'approvals', { state: 'open' })
    return `/office/queue/${approval?.approval_id}`
  }

  it('lists what prevents the erasure and offers no button', async () => {
    const page = await district.get(erase)
    expect(page.html()).toContain('Unit 301 is rented.')
    expect(page.html()).not.toContain('Ask for the erasure')
    expect(page.html()).toContain('The books need them')
    expect(await ask(district)).toMatchObject({ status: 409 })
  })

  it('is requested by one person, approved by a second, and leaves only the export on the tenant’s file', async () => {
    await leave()
    expect((await ask(district, '')).status).toBe(400)
    expect(await ask(district)).toMatchObject({ status: 302, to: '/office/tenants/GA1/1001?done=asked' })
    expect((await district.get(erase)).html()).toContain('waits for a second person')
    expect((await owner.get(await request())).html()).toContain('What goes, and what stays')
    const form = { intent: 'approve', because: '', location_code: 'GA1' }
    expect((await district.post(await request(), form)).status).toBe(403)
    expect((await owner.post(await request(), form)).status).toBe(302)

    const file = await owner.get('/office/tenants/GA1/1001')
    expect(file.data.who).toMatchObject({ name: 'Erased tenant', email: '', cell: '' })
    expect(file.data.acts.map(({ label }: { label: string }) => label)).toEqual(['Export'])
    expect(file.html()).toContain('Erased on Nov 20')
    expect(file.data.ledger.waive).toBeNull()
    const lease = await owner.get('/office/tenants/GA1/1001/leases/10001')
    expect([lease.data.acts.map(({ label }: { label: string }) => label), lease.data.waive]).toEqual([['Export'], null])
    for (const act of ['erase', 'contact', 'flags', 'link', 'receive'])
      expect((await owner.get(`/office/tenants/GA1/1001/${act}`)).status).toBe(404)
    const note = { intent: 'note', key: 'k', note: 'Ada called' }
    expect((await owner.post('/office/tenants/GA1/1001', note)).status).toBe(404)
    expect((await owner.get('/office/find?q=byrne')).to).toBe('')
    expect((await owner.get('/office/tenants/GA1/1001/export')).status).toBe(200)
  })

  it('is refused where the role was revoked or the factor expired while the form was open', async () => {
    await leave()
    const { data } = await district.get(erase)
    const form = { intent: 'erase', key: data.key, made_from: data.madeFrom, reason: 'Asked' }
    services.clock.advance(11 * 60_000)
    expect((await district.post(erase, form)).to).toContain('/office/second-factor')
    await services.db.transaction((tx) =>
      tx
        .deleteFrom('staff_roles')
        .execute()
        .then(() => {}),
    )
    expect((await district.post(erase, form)).status).toBe(404)
    expect(await recordsOf(services, 'approvals')).toEqual([])
  })
})
