import { beforeEach, expect, it } from 'vitest'
import { reverseRun } from '../../modules/billing/reverse-billing-run.ts'
import { runBilling } from '../../modules/billing/run-billing.ts'
import { postCharge } from '../../modules/standing/post-entries.ts'
import { loadFlags } from '../../modules/tenants/flags.ts'
import { changeIdentity } from '../../modules/tenants/identity-data.ts'
import { runDueMessageJobs } from '../../tests/actors/run-due-message-jobs.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { memoryFiles } from '../../tests/support/memory-files.ts'
import { addRecord, change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { type StaffBrowser, signedInStaff } from './testing.ts'

describeOnBothEngines("A tenant's file", (open) => {
  let services: TestServices
  let manager: StaffBrowser

  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true }
    manager = await signedInStaff(services, 'manager', { scope: { facility: 'GA1' } })
  })

  const file = (person: StaffBrowser, tenant = '1001', location = 'GA1') =>
    person.get(`/office/tenants/${location}/${tenant}`)
  const leaseOf = (person: StaffBrowser, lease = '10001', query = '', tenant = '1001') =>
    person.get(`/office/tenants/GA1/${tenant}/leases/${lease}${query}`)
  const charge = (of: { leaseNumber: number; cents: number; once: string }) =>
    services.db.transaction((tx) =>
      postCharge(tx, services, { locationCode: 'GA1', kind: 'fee', description: `Fee ${of.once}`, ...of }),
    )

  it('shows the tenant, the leases and the ledger with its balance', async () => {
    await charge({ leaseNumber: 10001, cents: 2_000, once: 'first' })
    services.clock.advance(1000)
    await charge({ leaseNumber: 10001, cents: 500, once: 'second' })
    const { status, data } = await file(manager)
    expect(status).toBe(200)
    expect(data).toMatchObject({
      who: { name: 'Ada Byrne' },
      portal: { account: true },
      leases: [{ unit: '301', balance: 2_500, owed: [{ end: null, owed: 2_500 }], autopay: { on: false } }],
    })
    expect(data.ledger.rows.map((row: { balance: number }) => row.balance).slice(0, 2)).toEqual([2_500, 2_000])
  })

  it('shows the ledger in pages of 50', async () => {
    for (let index = 1; index <= 53; index++) {
      services.clock.advance(1000)
      await charge({ leaseNumber: 10001, cents: 100, once: `${index}` })
    }
    const first = await leaseOf(manager)
    expect(first.data.rows).toHaveLength(50)
    const next = await leaseOf(manager, '10001', `?after=${encodeURIComponent(first.data.older)}`)
    expect(next.data.rows[0]).toMatchObject({ what: 'Fee 3', balance: 300 })
    expect(next.data.older).toBeNull()
    expect((await leaseOf(manager, '10001', "?after='; drop table leases")).data.rows).toHaveLength(50)
  })

  it('responds alike to staff without access, whether the tenant exists or not', async () => {
    const other = await signedInStaff(services, 'manager', { scope: { facility: 'HI1' }, name: 'other' })
    const field = await signedInStaff(services, 'field', { scope: { facility: 'GA1' } })
    for (const answer of [
      await file(other),
      await file(field),
      await file(manager, '9999'),
      await file(manager, '1001', 'ZZ9'),
      await file(manager, '1001x'),
      await leaseOf(manager, '10002'),
      await leaseOf(other),
    ])
      expect(answer.status).toBe(404)
  })

  it('opens at once when a search finds a single tenant', async () => {
    expect(await manager.get('/office/find?q=byrne')).toMatchObject({ status: 302, to: '/office/tenants/GA1/1001' })
    expect(await manager.get('/office/find?q=byrne&at=GA1')).toMatchObject({
      status: 302,
      to: '/office/tenants/GA1/1001?at=GA1',
    })
    const both = await manager.get('/office/find?q=404')
    expect(both.status).toBe(200)
    expect((await manager.get('/office/find?q=x')).status).toBe(400)
    expect((await manager.get('/office/find')).status).toBe(400)
    const none = await manager.get(`/office/find?q=${encodeURIComponent('<b>nobody</b>')}`)
    expect(none.html()).toContain('&lt;b&gt;nobody&lt;/b&gt;')
    expect(none.html()).toContain('Nothing found for')
    const vacant = (await manager.get('/office/find?q=101')).html()
    expect(vacant).toContain('<h1>1 found for “101”</h1>')
    expect(vacant).toContain('101 at GA1')
  })

  const audited = async (kind: string) => (await recordsOf(services, 'audit_events', { kind })).length

  it('records its opening as an audit event, at most once in ten minutes', async () => {
    await file(manager)
    await file(manager)
    expect(await audited('file.opened')).toBe(1)
    services.clock.advance(11 * 60_000)
    await file(manager)
    expect(await audited('file.opened')).toBe(2)
  })

  it('explains why the gate refuses the code', async () => {
    const gate = async () => (await file(manager)).data.leases[0].gate
    await change(services, 'leases', { lease_number: 10001 }, { gate_code: '482913', overlocked: 0 })
    expect(await gate()).toMatchObject({ opens: false, sentence: 'The gate refuses the code: it is not active.' })
    await addRecord(services, 'gate_codes', {
      location_code: 'GA1',
      gate_code: '482913',
      tenant_id: 1001,
      lease_number: 10001,
      active: 1,
      created_at: 0,
      time_zone_name: 'standard',
    })
    expect(await gate()).toEqual({ code: '482913', opens: true, sentence: 'The gate opens, 5 AM to 9 PM.' })
    // Only roles that give out gate codes see the code.
    for (const role of ['finance', 'auditor'] as const) {
      const reader = await signedInStaff(services, role)
      for (const path of ['/office/tenants/GA1/1001', '/office/tenants/GA1/1001/leases/10001']) {
        const page = await reader.get(path)
        expect(page.html()).toContain('The gate opens, 5\u00a0AM to 9\u00a0PM.')
        expect(JSON.stringify(page.data)).not.toContain('482913')
      }
    }
    await change(services, 'leases', { lease_number: 10001 }, { overlocked: 1, paid_through: '2026-10-31' })
    expect(await gate()).toMatchObject({
      opens: false,
      sentence: 'The gate refuses the code: overlocked, paid through Oct 31.',
    })
    await change(services, 'leases', { lease_number: 10001 }, { status: 'Closed' })
    expect(await gate()).toMatchObject({ code: '', opens: false })
  })

  it('saves notes as text, with a follow-up as a task of the author', async () => {
    const path = '/office/tenants/GA1/1001'
    const { data } = await file(manager)
    const note = {
      intent: 'note',
      key: data.noteKey,
      note: '<script>alert(1)</script> pays\r\nFriday https://bank.example',
    }
    expect(await manager.post(path, { ...note, note: ' ' })).toMatchObject({
      status: 400,
      data: { fields: { note: 'Write something first.' } },
    })
    for (const follow_up of ['11/19/2026', 'soon', '12/20/2027', '13/45/2026'])
      expect((await manager.post(path, { ...note, key: `k${follow_up}`, follow_up })).data.fields.follow_up).toMatch(
        /day/,
      )
    expect(await manager.post(path, { ...note, follow_up: '11/24/2026' })).toMatchObject({
      to: `${path}?done=AddStaffNote`,
    })
    // Submitting twice writes one note.
    await manager.post(path, { ...note, follow_up: '11/24/2026' })
    const shown = await file(manager)
    const notes = shown.data.timeline.filter(({ kind }: { kind: string }) => kind === 'note')
    expect(notes).toMatchObject([
      { text: '<script>alert(1)</script> pays\nFriday https://bank.example', by: 'manager' },
    ])
    expect(shown.html()).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(shown.html()).not.toContain('<script>alert')
    const [task] = shown.data.tasks
    expect(task).toMatchObject({ kind: 'follow-up', due: '2026-11-24', mine: true })
    expect(await manager.post(path, { intent: 'done', task: task.id })).toMatchObject({ to: `${path}?done=task` })
    expect(await manager.post(path, { intent: 'done', task: task.id })).toMatchObject({ status: 409 })
    expect((await file(manager)).data.tasks).toEqual([])
  })

  it('reveals encrypted values one at a time and records each view', async () => {
    const path = '/office/tenants/GA1/1001'
    await services.db.transaction((tx) =>
      changeIdentity(tx, services, 'GA1', 1001, {
        drivers_license: 'GA-0099',
        issued_state: 'GA',
        birth_date: '1984-05-17',
      }),
    )
    const before = await file(manager)
    expect(JSON.stringify(before.data)).not.toMatch(/GA-0099|1984/)
    expect(before.data.sensitive.map(({ what }: { what: string }) => what)).toEqual(['licence', 'birth date'])
    const { data } = await manager.post(path, { intent: 'show', what: 'licence' })
    expect(data.shown).toEqual([
      ["Driver's license", 'GA-0099'],
      ['State', 'GA'],
    ])
    expect(await audited('sensitive.shown')).toBe(1)
    expect((await manager.post(path, { intent: 'show', what: 'bank account' })).status).toBe(404)
    expect((await manager.post(path, { intent: 'show', what: 'password' })).status).toBe(400)
    const agent = await signedInStaff(services, 'agent', { name: 'agent' })
    expect((await file(agent)).data.sensitive).toEqual([])
    expect((await agent.post(path, { intent: 'show', what: 'licence' })).status).toBe(403)
    expect(await audited('sensitive.shown')).toBe(1)
  })

  it('sets flags with a reason, and the military flag on the tenant record too', async () => {
    const path = '/office/tenants/GA1/1001/flags'
    expect(await manager.post(path, { flag: 'no_checks', on: '1', reason: '' })).toMatchObject({ status: 400 })
    for (const flag of ['no_checks', 'military'])
      expect(await manager.post(path, { flag, on: '1', reason: 'Check 1042 came back' })).toMatchObject({ status: 302 })
    const tenantKey = { locationCode: 'GA1', tenantId: 1001 }
    expect((await loadFlags(services.db.read, tenantKey)).map(({ flag }) => flag)).toEqual(['military', 'no_checks'])
    expect((await recordOf(services, 'tenants', { tenant_id: 1001 })).active_military).toBe(1)
    await manager.post(path, { flag: 'military', on: '0', reason: 'Discharged' })
    expect((await loadFlags(services.db.read, tenantKey)).map(({ flag }) => flag)).toEqual(['no_checks'])
    // A flag that another staff member has cleared meanwhile is cleared without a second event.
    expect(await manager.post(path, { flag: 'military', on: '0', reason: 'Discharged' })).toMatchObject({ status: 302 })
    const cleared = services.db.read.selectFrom('audit_events').select('event_id').where('kind', '=', 'flag.cleared')
    expect(await cleared.execute()).toHaveLength(1)
    expect((await manager.post(path, { flag: 'tall', on: '1', reason: 'x' })).status).toBe(400)
    const agent = await signedInStaff(services, 'agent', { name: 'agent' })
    expect((await agent.get(path)).status).toBe(404)
  })

  it('changes contact data and refuses a stale form', async () => {
    const path = '/office/tenants/GA1/1001/contact'
    const { data } = await manager.get(path)
    const form = {
      ...data.values,
      before: data.before,
      state: 'GA',
      address: '9 New Road',
      city: 'Athens',
      zip: '30601',
    }
    expect(await manager.post(path, { ...data.values, before: data.before })).toMatchObject({ status: 302 })
    expect(await recordsOf(services, 'audit_events', { kind: 'tenant.updated' })).toEqual([])
    expect(await manager.post(path, { ...form, zip: '1' })).toMatchObject({
      status: 400,
      data: { fields: { zip: expect.any(String) } },
    })
    expect(await manager.post(path, { ...form, cell_phone: '(706) 555-0177' })).toMatchObject({
      to: expect.stringMatching(/done=contact$/),
    })
    expect(await recordOf(services, 'tenants', { tenant_id: 1001 })).toMatchObject({
      address: '9 New Road',
      cell_phone: '7065550177',
    })
    // The form was made from data that have changed since.
    expect(await manager.post(path, { ...form, address: '10 Other Road' })).toMatchObject({
      status: 409,
      data: { code: 'changed' },
    })
    expect((await recordOf(services, 'audit_events', { kind: 'tenant.updated' })).changes).not.toContain('9 New Road')
    const auditor = await signedInStaff(services, 'auditor', { name: 'auditor' })
    expect((await auditor.get('/office/audit')).html()).toContain(' → 9 New Road</div>')
    // The account's address changes once its mailbox has confirmed it.
    const again = await manager.get(path)
    const answer = await manager.post(path, {
      ...again.data.values,
      before: again.data.before,
      email: 'new@example.com',
    })
    expect(answer.to).toMatch(/done=contact-mailed$/)
    expect((await recordOf(services, 'tenants', { tenant_id: 1001 })).email).not.toBe('new@example.com')
    expect((await file(manager)).data.portal.emailToConfirm).toBe('new@example.com')
    const auditLog = (await auditor.get('/office/audit')).html()
    expect(auditLog).toContain('changed email (unconfirmed)')
    expect(auditLog).toContain('email (unconfirmed): ada@example.com → new@example.com')
  })

  it('shows a dead mail of the tenant in the timeline, and none of a lease whose number begins alike', async () => {
    await addRecord(services, 'jobs', {
      job_id: 'j1',
      kind: 'past_due',
      once: 'GA1:10001:2026-11-01',
      payload: '{}',
      state: 'dead',
      run_at: 1,
      attempts: 10,
      created_at: Date.parse('2026-11-12T17:00:00Z'),
      claimed_until: null,
      last_error: null,
      done_at: 2,
    })
    await addRecord(services, 'jobs', {
      job_id: 'j2',
      kind: 'past_due',
      once: 'GA1:100012:2026-11-01',
      payload: '{}',
      state: 'done',
      run_at: 1,
      attempts: 1,
      created_at: 3,
      claimed_until: null,
      last_error: null,
      done_at: 2,
    })
    const { data } = await file(manager)
    expect(data.timeline).toMatchObject([{ kind: 'mail', text: 'Mail: Past due', more: 'not delivered', bad: true }])
    await change(services, 'jobs', { state: 'dead' }, { state: 'ended' })
    expect((await file(manager)).data.timeline).toMatchObject([{ more: 'not sent', bad: false }])
  })

  it('shows a mail as not sent whose tenant had no address when its job ran', async () => {
    await runBilling(services, { date: '2027-01-19', locationCode: 'GA1' })
    await services.db.write.updateTable('tenants').set({ email: '' }).where('tenant_id', '=', 1001).execute()
    services.clock.advance(1000)
    await runDueMessageJobs(services)
    const { data } = await file(manager)
    expect(data.timeline).toMatchObject([{ kind: 'mail', text: 'Mail: Payment due', more: 'not sent', bad: false }])
  })

  it('shows in the timeline the mail that the charges of a reversed billing run were taken back', async () => {
    const date = '2027-01-19'
    await runBilling(services, { date, locationCode: 'GA1' })
    await services.db.write.updateTable('jobs').set({ state: 'done' }).where('kind', '=', 'payment_due').execute()
    const { run_number } = await recordOf(services, 'billing_runs', { run_date: date })
    services.clock.advance(1000)
    expect(await reverseRun(services, { location_code: 'GA1', run_number: Number(run_number) })).toMatchObject({
      notified: expect.any(Number),
    })
    const { data } = await file(manager)
    expect(data.timeline[0]).toMatchObject({ kind: 'mail', text: 'Mail: Charges taken back' })
  })

  it('serves the tenant’s documents with an audit event, and nothing else', async () => {
    const id = '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15'
    const files = memoryFiles()
    services.files = files
    files.kept.set('leases/1', new Uint8Array([37, 80, 1]))
    files.kept.set('proofs/1', new Uint8Array([37, 80, 2]))
    await addRecord(services, 'lease_documents', {
      document_id: id,
      location_code: 'GA1',
      draft_id: id,
      lease_number: 10001,
      file_key: 'leases/1',
      hash_before: '',
      hash_after: '',
      evidence: '{}',
      void: 0,
      created_at: 1,
    })
    await addRecord(services, 'insurance_proofs', {
      proof_id: id,
      location_code: 'GA1',
      tenant_id: 1001,
      tenant_name: 'Ada Byrne',
      tenant_email: 'ada@mail.example',
      unit_numbers: '["301"]',
      insurance_carrier: 'Acme',
      policy_number: 'P1',
      expiration_date: '2027-11-20',
      file_key: 'proofs/1',
      file_name: 'proof.pdf',
      content_type: 'application/pdf',
      bytes: 3,
      decision: null,
      decided_at: null,
      decided_because: null,
      created_at: 5,
    })
    const contentOf = async (kind: string) => {
      const { response } = await manager.get(`/office/tenants/GA1/1001/documents/${kind}/${id}`)
      return [response?.headers.get('content-disposition'), ...new Uint8Array((await response?.arrayBuffer()) ?? [])]
    }
    expect(await contentOf('lease')).toEqual(['inline; filename="lease-GA1-10001.pdf"', 37, 80, 1])
    expect(await contentOf('proof')).toEqual(['attachment; filename="proof.pdf"', 37, 80, 2])
    const events = await recordsOf(services, 'audit_events', { kind: 'document.opened', subject: id, tenant_id: 1001 })
    expect(events.map(({ details }) => details).sort()).toEqual([
      '{"what":"lease of 301"}',
      '{"what":"proof of insurance"}',
    ])
    const unknownId = id.replace('5', '6')
    const other = await signedInStaff(services, 'manager', { scope: { facility: 'HI1' }, name: 'other' })
    for (const path of [`lease/${unknownId}`, `proof/${unknownId}`, `proof/1`, `secret/${id}`])
      expect((await manager.get(`/office/tenants/GA1/1001/documents/${path}`)).status, path).toBe(404)
    for (const path of [`1001/documents/lease/${id}`, `1001/documents/proof/${id}`])
      expect((await other.get(`/office/tenants/GA1/${path}`)).status, path).toBe(404)
    for (const path of [`1002/documents/lease/${id}`, `1002/documents/proof/${id}`])
      expect((await manager.get(`/office/tenants/GA1/${path}`)).status, path).toBe(404)
  })

  it('says the same of everything that the office does not show', async () => {
    const id = '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15'
    const owner = await signedInStaff(services, 'owner')
    const field = await signedInStaff(services, 'field', { scope: { facility: 'GA1' } })
    const answers = [
      await owner.get(`/office/tenants/GA1/1001/documents/proof/${id}`),
      await owner.get('/office/tenants/GA1/9999'),
      await owner.get(`/office/proofs/GA1/${id}`),
      await owner.get(`/office/staff/${id}`),
      await field.get('/office/staff'),
      await field.get('/office/receipts'),
    ]
    for (const { status, response } of answers)
      expect([status, await response?.text()]).toEqual([404, 'There is nothing like that at your facilities.'])
  })
})
