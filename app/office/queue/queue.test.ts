import { beforeEach, expect, it } from 'vitest'
import { officeCaller, openTestDrawer, receiveTestCheck } from '../../../modules/cash-drawers/testing.ts'
import { makeSettlementLink } from '../../../modules/links/auction-and-settlement-link-records.ts'
import { encryptPlan } from '../../../modules/payments/order-terms-encryption.ts'
import { AssignTask } from '../../../modules/staff/operations/assign-task.ts'
import { postPayment } from '../../../modules/standing/post-entries.ts'
import { requeueDeadJob } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { perform } from '../../../platform/operations/operation.ts'
import { describeOnBothEngines } from '../../../tests/support/databases.ts'
import { openTestServices, type TestServices, visitor } from '../../../tests/support/small-operator.ts'
import { withApprovals } from '../../../tests/support/staff.ts'
import { add, change, row, rows } from '../../testing.ts'
import { type StaffBrowser, signedInStaff } from '../testing.ts'

const ORDER = 'LK0000000000000000000000AA'
const PROOF = '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15'
const JOB = '0123456789abcdef0123456789abcdef'
const lease = '/office/tenants/GA1/1002/leases/10002'

describeOnBothEngines('The queue', (open) => {
  let services: TestServices
  let finance: StaffBrowser

  beforeEach(async () => {
    services = withApprovals({ ...(await openTestServices(await open())), allowsAnyFactor: true as const })
    finance = await signedInStaff(services, 'finance')
    await posted(ORDER, 100_00)
  })

  const payment = (order_id: string, amount: number, more: object = {}) =>
    add(services, 'payments', {
      order_id,
      location_code: 'GA1',
      payer: 'tenant',
      tenant_id: 1002,
      lease_number: 10002,
      amount,
      state: 'posted',
      plan: '{}',
      autopay: 0,
      method: 'CC',
      approved_amount: amount,
      transaction_id: 't',
      card_brand: 'Visa',
      masked_card: '************1111',
      created_at: 1,
      updated_at: 1,
      ...more,
    })
  async function posted(order: string, cents: number) {
    await payment(order, cents, {
      posted_at: services.clock.now(),
      plan: encryptPlan(services, order, '{"pays":"dues"}'),
    })
    await services.db.transaction((tx) =>
      postPayment(tx, services, {
        locationCode: 'GA1',
        leaseNumber: 10002,
        cents,
        orderId: order,
        description: 'Payment by VI **** 1111',
      }),
    )
  }
  const proof = () =>
    add(services, 'insurance_proofs', {
      proof_id: PROOF,
      location_code: 'GA1',
      tenant_id: 1002,
      tenant_name: 'Cy Dorn',
      tenant_email: 'cy@mail.example',
      unit_numbers: '["302"]',
      insurance_carrier: 'Acme',
      policy_number: 'P1',
      expiration_date: '2027-11-20',
      file_key: 'proofs/1',
      file_name: 'proof.pdf',
      content_type: 'application/pdf',
      bytes: 2,
      decision: null,
      decided_at: null,
      decided_because: null,
      created_at: 5,
    })
  const deadJob = (job_id: string, payload: object, kind = 'receipt') =>
    add(services, 'jobs', {
      job_id,
      kind,
      once: job_id,
      payload: JSON.stringify(payload),
      state: 'dead',
      run_at: 1,
      attempts: 10,
      last_error: '550 no such mailbox',
      created_at: 7,
      claimed_until: null,
      done_at: 8,
    })
  const task = (task_id: string, more: object = {}) =>
    add(services, 'tasks', {
      task_id,
      kind: 'follow-up',
      once: task_id,
      location_code: 'GA1',
      tenant_id: 1002,
      lease_number: null,
      subject: null,
      note: 'Call back',
      cents: null,
      assigned_to: null,
      due_on: '2026-11-20',
      created_by: null,
      created_at: 1,
      state: 'open',
      ended_by: null,
      ended_at: null,
      ...more,
    })
  const kindsOf = async (by: StaffBrowser, query = '') =>
    (await by.get(`/office/queue${query}`)).data.rows.map((row: { kind: string }) => row.kind)
  const press = (by: StaffBrowser, kind: string, id: string, intent: string, more: Record<string, string> = {}) =>
    by.post('/office/queue', { kind, id, location: 'GA1', task: '', intent, ...more })

  /** Requests or makes a refund through its page. */
  async function refund(by: StaffBrowser, given: Record<string, string> = {}, query = '') {
    const { data, status } = await by.get(`${lease}/refund${query}`)
    if (status !== 200 || !data.form) return { status, data, to: '' }
    const { form } = data
    const why = { reason: 'charged-twice', note: '', intent: 'act' }
    const fields = { ...form.madeFrom, ...form.values, ...given, ...why, key: form.key, previewed: form.previewed }
    const answer = await by.post(`${lease}/refund`, fields)
    // Typed values must be previewed first.
    if (!answer.data?.fields?.look) return answer
    return by.post(`${lease}/refund`, { ...fields, key: answer.data.key, previewed: answer.data.previewed })
  }

  it('opens every listed request, however many are waiting, and none of another facility', async () => {
    const agent = await signedInStaff(services, 'agent')
    const { staffId } = await agent.caller()
    for (let index = 0; index <= 200; index += 1)
      await add(services, 'approvals', {
        approval_id: services.random.uuid(),
        operation: 'CreditLease',
        permission: 'lease.credit',
        input_sealed: '',
        summary: `Credit ${index}`,
        location_code: index === 0 ? 'HI1' : 'GA1',
        cents: 5_00,
        reason: 'x',
        asked_by: staffId,
        asked_at: index,
        state: 'open',
        decided_because: '',
        tenant_id: 1002,
        lease_number: 10002,
      })
    const all = (await rows(services, 'approvals')).sort((a, b) => a.asked_at - b.asked_at)
    const opens = async (by: StaffBrowser, index: number) =>
      (await by.get(`/office/queue/${all.at(index)?.approval_id}`)).status
    expect([await opens(agent, 0), await opens(agent, -1)]).toEqual([200, 200])
    const manager = await signedInStaff(services, 'manager', { scope: { facility: 'HI1' } })
    expect(await opens(manager, -1)).toBe(404)
  })

  it('requests a refund on its page and approves it in one press', async () => {
    const agent = await signedInStaff(services, 'agent', { scope: { facility: 'GA1' } })
    const page = await agent.get(`${lease}/refund`)
    const { madeFrom, values, key } = page.data.form
    const seen = await agent.post(`${lease}/refund`, { ...madeFrom, ...values, key, intent: 'preview' })
    expect(seen.data.preview).toMatchObject({
      alone: false,
      leases: [{ entries: [{ kind: 'refund', cents: 100_00 }] }],
    })
    const html = page.html(seen.data)
    for (const text of ['Visa ending 1111', 'Ask for it', 'The charge stays owed', 'Refund to VI'])
      expect(html).toContain(text)
    expect(await refund(agent)).toMatchObject({ status: 302, to: expect.stringContaining('done=asked') })
    const { approval_id } = await row(services, 'approvals')
    expect((await agent.get('/office/queue')).data.rows).toMatchObject([{ kind: 'approval', acts: [] }])
    const waits = await finance.get('/office/queue')
    expect(waits.data.rows).toMatchObject([{ what: 'Refund $100.00 to Visa ending 1111, 302', cents: 100_00 }])
    expect(waits.html()).toMatch(/data-key="a"[^>]*>Approve/)
    expect((await finance.get(`/office/queue/${approval_id}`)).html()).toContain('This will write')
    expect(await press(finance, 'approval', approval_id, 'approve')).toMatchObject({
      status: 302,
      to: '/office/queue?done=approved',
    })
    expect(await rows(services, 'refunds')).toMatchObject([{ state: 'open', cents: 100_00 }])
    expect(await press(finance, 'approval', approval_id, 'approve')).toMatchObject({ status: 409 })
    expect(await kindsOf(finance)).toEqual([])
    const done = await agent.get(`${lease}/refund`)
    expect(done.html()).toContain('Nothing can be refunded')
  })

  it('offers the rest of a partly refunded payment by check alone', async () => {
    const offersCard = async () => (await finance.get(`${lease}/refund`)).html().includes('value="provider"')
    expect(await offersCard()).toBe(true)
    expect(await refund(finance, { amount: '40', way: 'check' })).toMatchObject({ status: 302 })
    expect(await offersCard()).toBe(false)
  })

  it('explains an invalid amount, too large a refund or a partial card refund', async () => {
    for (const [amount, words] of [
      ['0', /amount|above/i],
      ['-5', /./],
      ['12.345', /./],
      ['1,', /./],
      ['1000000000', /./],
      ['100.01', /At most \$100\.00/],
      ['50', /A part goes by check/],
    ] as const) {
      const answer = await refund(finance, { amount })
      expect(answer.status, amount).toBeGreaterThanOrEqual(400)
      expect(answer.status, amount).toBeLessThan(500)
      expect(JSON.stringify(answer.data.fields), amount).toMatch(words)
    }
    expect(await rows(services, 'refunds')).toEqual([])
    // For an auditor the page does not open.
    await change(services, 'staff_roles', { staff_id: (await finance.caller()).staffId }, { role: 'auditor' })
    expect((await refund(finance)).status).toBe(404)
  })

  it('keeps a partial refund by check in the queue until its payment is recorded', async () => {
    expect(await refund(finance, { amount: '40', way: 'check' })).toMatchObject({ status: 302 })
    const [waiting] = (await finance.get('/office/queue')).data.rows
    expect(waiting).toMatchObject({ kind: 'refund', cents: 40_00, unit: '302', owner: '' })
    expect(waiting.acts.map((act: { intent: string }) => act.intent)).toEqual(['take'])
    expect(await press(finance, 'refund', waiting.id, 'take', { task: waiting.taskId })).toMatchObject({ status: 302 })
    expect(await kindsOf(finance, '?owner=me')).toEqual(['refund'])
    expect(await kindsOf(finance, '?owner=none')).toEqual([])
    const path = `/office/queue/refund/${waiting.id}`
    expect((await finance.get(path)).html()).toContain('How it was paid')
    const fields = { kind: 'refund', id: waiting.id, location: 'GA1', task: waiting.taskId, intent: 'by-hand' }
    const unsaid = await finance.post(path, { ...fields, text: '' })
    expect([unsaid.status, Object.keys(unsaid.data.fields)]).toEqual([400, ['text-by-hand']])
    expect((await finance.get(path)).html(unsaid.data)).toContain('href="#text-by-hand"')
    expect(await finance.post(path, { ...fields, text: 'check 1042' })).toMatchObject({ status: 302 })
    expect((await finance.get(path)).status).toBe(404)
    expect(await rows(services, 'refunds')).toMatchObject([{ state: 'done', paid_by: 'check 1042' }])
  })

  it('offers to attempt a refund again once its last attempt has failed', async () => {
    await refund(finance, { amount: '40', way: 'check' })
    await change(services, 'refunds', {}, { state: 'failed', last_error: 'X09 Not now' })
    await payment('LK0000000000000000000000BB', 50_00, { state: 'review' })
    await press(finance, 'review', 'LK0000000000000000000000BB', 'refund')
    await change(services, 'refund_tasks', {}, { state: 'failed' })
    const waiting = (await finance.get('/office/queue?kind=refund')).data.rows
    expect(waiting).toHaveLength(2)
    for (const { acts } of waiting) expect(acts.map((act: { intent: string }) => act.intent)).toContain('retry')
  })

  it('shows items only to staff who may resolve them, at their facilities', async () => {
    await proof()
    await deadJob(JOB, { orderId: ORDER })
    await deadJob('f'.repeat(32), { orderId: ORDER }, 'gate_code_sms')
    await payment('LK0000000000000000000000BB', 50_00, {
      state: 'review',
      approved_amount: 60_00,
      captured_at: 3,
      created_at: 3,
    })
    await task('5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c01')
    await refund(finance, { amount: '10', way: 'check' })
    expect(await kindsOf(finance)).toEqual(['review', 'proof', 'job', 'mail', 'task', 'refund'])
    for (const kind of ['review', 'proof', 'job', 'mail', 'refund', 'task'])
      expect(await kindsOf(finance, `?kind=${kind}`)).toEqual([kind])
    const district = await signedInStaff(services, 'district', { scope: { facility: 'GA1' } })
    expect(new Set(await kindsOf(district))).toEqual(new Set(['proof', 'job', 'mail', 'task']))
    const agent = await signedInStaff(services, 'agent', { scope: { facility: 'GA1' } })
    expect(await kindsOf(agent)).toEqual(['task'])
    const elsewhere = await signedInStaff(services, 'finance', { scope: { facility: 'HI1' }, name: 'elsewhere' })
    expect(await kindsOf(elsewhere)).toEqual([])
    expect((await elsewhere.get(`/office/queue/proof/${PROOF}`)).status).toBe(404)
    expect((await elsewhere.get(`/office/queue/mail/${JOB}`)).status).toBe(404)
    expect(await press(elsewhere, 'mail', JOB, 'retry')).toMatchObject({ status: 404 })
    expect(await press(elsewhere, 'proof', PROOF, 'accept')).toMatchObject({ status: 404 })
    expect(await press(agent, 'review', 'LK0000000000000000000000BB', 'refund')).toMatchObject({ status: 403 })
    // Today shows the same items, and the health rows.
    const { data } = await finance.get('/office')
    expect(data.rows).toHaveLength(6)
    expect(data.health.find(({ label }: { label: string }) => label === 'Mail not delivered')).toMatchObject({
      value: '1',
      bad: true,
    })
  })

  it('shows a waiting request on the tenant’s file too, with facility time', async () => {
    await add(services, 'approvals', {
      approval_id: PROOF,
      operation: 'CreditLease',
      permission: 'lease.credit',
      input_sealed: '',
      summary: 'Credit $90.00, 302',
      location_code: 'GA1',
      tenant_id: 1002,
      lease_number: 10002,
      cents: 90_00,
      reason: 'The door stuck',
      asked_by: (await finance.caller()).staffId,
      asked_at: services.clock.now(),
      state: 'open',
      decided_by: null,
      decided_at: null,
      decided_because: '',
    })
    const agent = await signedInStaff(services, 'agent', { scope: { facility: 'GA1' } })
    const file = await agent.get('/office/tenants/GA1/1002')
    expect(file.html()).toContain('<strong>Credit $90.00, 302</strong>')
    expect(file.data.requests).toMatchObject([{ why: 'The door stuck', byName: 'finance', at: 'Nov 20 12:00 PM' }])
    const asker = await finance.get('/office/tenants/GA1/1002')
    expect(asker.html()).toMatch(new RegExp(`<a href="/office/queue/${PROOF}"[^>]*>Credit \\$90.00, 302</a>`))
    expect((await finance.get(`/office/queue/${PROOF}`)).data.approval.askedAt).toBe('11/20/2026 12:00 PM')
    expect((await agent.get('/office/tenants/GA1/1001')).data.requests).toEqual([])
  })

  it('shows a dead job at the facility of the record that it names', async () => {
    const id = '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c02'
    const ofLease = { location_code: 'GA1', tenant_id: 1002, lease_number: 10002 }
    const drawer = await openTestDrawer(services, officeCaller('agent'))
    const receiptId = await receiveTestCheck(services, officeCaller('agent'), drawer, 10_00)
    await add(services, 'rent_changes', {
      ...ofLease,
      change_id: id,
      batch_id: 'b',
      old_rent: 139_00,
      new_rent: 145_00,
      reason: '',
      state: 'coming',
      proposed_by: 's',
      proposed_at: 1,
      decided_because: '',
    })
    await add(services, 'transfers', {
      ...ofLease,
      transfer_id: id,
      unit_number: '302',
      reservation_code: 'R1',
      to_unit_number: '101',
      starts_on: '2026-11-20',
      overlap_days: 7,
      state: 'moving',
      moved_cents: 0,
      opened_at: 1,
    })
    await add(services, 'move_outs', {
      ...ofLease,
      move_out_id: id,
      move_out_date: '2026-11-30',
      vacate_reason_id: 1,
      custom_note: '',
      comment: '',
      reasons: '[]',
      state: 'scheduled',
      created_at: 1,
    })
    await add(services, 'waitlist', {
      waitlist_id: id,
      location_code: 'GA1',
      unit_type_id: 1,
      email: 'w@example.com',
      created_at: 1,
    })
    await add(services, 'appointments', {
      appointment_id: 7,
      location_code: 'GA1',
      name: 'Rae',
      email: 'rae@example.com',
      phone: '',
      starts_at: 1,
      token_hash: 't',
      state: 'proposed',
      option: '',
      confirmation_source: '',
      created_at: 1,
    })
    await makeSettlementLink(services, { locationCode: 'GA1', unitNumber: '302', cents: 1_00 })
    const [settlement] = await rows(services, 'settlements')
    const payloads = [
      { changeId: id },
      { transferId: id },
      { moveOutId: id },
      { waitlistId: id },
      { appointmentId: 7 },
      { receiptId },
      { uuid: settlement?.uuid },
    ]
    for (const [at, payload] of payloads.entries()) await deadJob(`${at}`.repeat(32), payload)
    await deadJob('a'.repeat(32), { changeId: 'unknown' })
    const district = await signedInStaff(services, 'district', { scope: { facility: 'GA1' } })
    const { data } = await district.get('/office/queue?kind=mail')
    expect(data.rows.map((item: { id: string }) => Number(item.id[0])).sort()).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(await press(district, 'mail', '0'.repeat(32), 'retry')).toMatchObject({ status: 302 })
    expect(await press(district, 'mail', 'a'.repeat(32), 'retry')).toMatchObject({ status: 404 })
  })

  it('names the tenant of a follow-up only to staff who may open the tenant’s page', async () => {
    const id = '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c01'
    await task(id)
    const agent = await signedInStaff(services, 'agent', { scope: { facility: 'GA1' } })
    const { html } = await agent.get(`/office/queue/task/${id}`)
    expect(html()).toMatch(/Due<\/dt>.*11\/20\/2026/)
    expect(html()).not.toContain('Waits since')
    for (const path of ['/office', '/office/queue', `/office/queue/task/${id}`])
      expect((await agent.get(path)).html(), path).toContain('Cy Dorn, <span class="whitespace-nowrap">GA1</span>')
    expect(await rows(services, 'tenants', { tenant_id: 1002 })).toMatchObject([{ first: 'Cy', last: 'Dorn' }])
    // An agent of another facility sees a task assigned to them, without the tenant's name.
    const elsewhere = await signedInStaff(services, 'agent', { scope: { facility: 'HI1' }, name: 'elsewhere' })
    await change(services, 'tasks', { task_id: id }, { assigned_to: (await elsewhere.caller()).staffId })
    expect(await elsewhere.get('/office/tenants/GA1/1002')).toMatchObject({ status: 404 })
    for (const path of ['/office', '/office/queue', `/office/queue/task/${id}`]) {
      const html = (await elsewhere.get(path)).html()
      expect(html, path).toContain('Call back')
      expect(html, path).not.toContain('Dorn')
    }
  })

  it('resolves reviews, proofs, mail and tasks in place, once each and with an audit event', async () => {
    await proof()
    await deadJob(JOB, { orderId: ORDER })
    await deadJob('f'.repeat(32), { orderId: ORDER })
    await payment('LK0000000000000000000000BB', 50_00, { state: 'review', approved_amount: 60_00, captured_at: 3 })
    const id = '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c01'
    await task(id)
    const once = async (kind: string, of: string, intent: string) => {
      expect(await press(finance, kind, of, intent), kind).toMatchObject({ status: 302 })
      expect(await press(finance, kind, of, intent), kind).toMatchObject({ status: 409 })
    }
    await once('review', 'LK0000000000000000000000BB', 'refund')
    await once('proof', PROOF, 'accept')
    await once('mail', JOB, 'retry')
    await once('task', id, 'done')
    expect(await row(services, 'refund_tasks')).toMatchObject({ state: 'open', cents: 60_00 })
    expect(await requeueDeadJob(services.db.write, JOB, 0)).toBe(false)
    const path = `/office/queue/mail/${'f'.repeat(32)}`
    const fields = { kind: 'mail', id: 'f'.repeat(32), location: 'GA1', task: '', intent: 'end' }
    expect(await finance.post(path, { ...fields, text: ' ' })).toMatchObject({ status: 400 })
    expect(await finance.post(path, { ...fields, text: 'Told by phone.' })).toMatchObject({ status: 302 })
    expect(await kindsOf(finance)).toEqual([])
    const kinds = (await rows(services, 'audit_events')).map(({ kind }) => kind)
    expect(kinds).toEqual(
      expect.arrayContaining(['review.decided', 'proof.decided', 'job.retried', 'job.ended', 'task.done']),
    )
  })

  it('shows a person’s own tasks of the chosen facilities, and releases those outside a changed role', async () => {
    const owner = await signedInStaff(services, 'owner')
    const agent = await signedInStaff(services, 'agent')
    const { staffId } = await agent.caller()
    const here = '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c01'
    const there = '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c02'
    await task(here, { assigned_to: staffId })
    await task(there, { assigned_to: staffId, location_code: 'HI1', tenant_id: null })
    const shown = async (query: string) =>
      (await agent.get(`/office/queue?owner=me${query}`)).data.rows.map(({ id }: { id: string }) => id)
    expect(await shown('')).toEqual([here, there])
    expect(await shown('&at=HI1')).toEqual([there])
    const owners = async () => (await rows(services, 'tasks')).map(({ assigned_to }) => assigned_to)
    const change = { role: 'agent', scope: 'facility:GA1', before: 'Agent (all)', reason: 'Moved' }
    await owner.post(`/office/staff/${staffId}`, { intent: 'roles', ...change })
    expect((await owners()).sort()).toEqual([staffId, null].sort())
    const given = { task_id: there, staff_id: staffId }
    const by = { ...visitor(), staff: await owner.caller() }
    expect(await perform(services, AssignTask, given, by)).toMatchObject({ status: 404 })
    expect(await perform(services, AssignTask, { ...given, task_id: here }, by)).toMatchObject({ ok: true })
    await owner.post(`/office/staff/${staffId}`, { intent: 'end', reason: 'Left' })
    expect(await owners()).toEqual([null, null])
  })

  it('opens the file of a proof and records that it was opened', async () => {
    await proof()
    services.files = {
      ...services.files,
      get: async () => ({ content: new Uint8Array([37, 80]), contentType: '' }),
    } as never
    const opened = await finance.get(`/office/proofs/GA1/${PROOF}`)
    expect(opened.response?.headers.get('content-disposition')).toBe('attachment; filename="proof.pdf"')
    expect(await rows(services, 'audit_events', { kind: 'proof.opened' })).toMatchObject([
      { subject: PROOF, tenant_id: 1002 },
    ])
    const agent = await signedInStaff(services, 'agent')
    expect((await agent.get(`/office/proofs/GA1/${PROOF}`)).status).toBe(404)
    expect((await finance.get(`/office/proofs/HI1/${PROOF}`)).status).toBe(404)
  })

  it('shows the mail of a staff member’s facility behind 501 mails of another facility', async () => {
    for (let index = 0; index < 501; index += 1) await deadJob(`other-${index}`, { locationCode: 'HI1', tenantId: 1 })
    await add(services, 'jobs', {
      ...(await row(services, 'jobs', { job_id: 'other-0' })),
      job_id: JOB,
      once: JOB,
      payload: JSON.stringify({ orderId: ORDER }),
      created_at: 9,
    })
    const district = await signedInStaff(services, 'district', { scope: { facility: 'GA1' } })
    expect((await district.get('/office/queue?kind=mail')).data.rows).toMatchObject([
      { id: JOB, locationCode: 'GA1', tenantId: 1002, leaseNumber: 10002 },
    ])
    expect((await finance.get('/office/queue?kind=mail')).data.rows).toHaveLength(50)
  })

  it('lists each entry once in pages of 50', async () => {
    for (let index = 0; index < 60; index += 1)
      await task(`5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c${String(index).padStart(2, '0')}`, {
        due_on: `2026-11-${String(10 + (index % 9)).padStart(2, '0')}`,
      })
    const first = (await finance.get('/office/queue')).data
    expect(first.rows).toHaveLength(50)
    const second = (await finance.get(`/office/queue?after=${encodeURIComponent(first.next)}`)).data
    const ids = [...first.rows, ...second.rows].map(({ id }: { id: string }) => id)
    expect(new Set(ids).size).toBe(60)
    expect(second.next).toBeNull()
    expect((await finance.get("/office/queue?after=';drop")).data.rows).toHaveLength(50)
  })
})
