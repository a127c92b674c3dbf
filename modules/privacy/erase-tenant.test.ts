import { beforeEach, expect, it, vi } from 'vitest'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { perform } from '../../platform/operations/operation.ts'
import { columnOf, type Tables, tables } from '../../platform/schema/tables.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { memoryFiles } from '../../tests/support/memory-files.ts'
import { addRecord, change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { addStaffCaller, type StaffCallers, withApprovals } from '../../tests/support/staff.ts'
import { ReturnCheck } from '../cash-drawers/operations/return-check.ts'
import { type FacilityFacts, loadFacilityFacts } from '../facilities/facility-facts-for-pricing.ts'
import { autopayContext } from '../leases/autopay-mandate.ts'
import { decryptPlan, encryptPlan } from '../payments/order-terms-encryption.ts'
import { paymentBankContext } from '../payments/payment.ts'
import { reserve } from '../reservations/reserve-unit.ts'
import type { Renter } from '../reservations/save-prospect-and-bind-draft.ts'
import { DecideApproval } from '../staff/operations/decide-approval.ts'
import { changeIdentity } from '../tenants/identity-data.ts'
import { columnsOf, exportedColumns } from './data-inventory/derive-export-and-erasure-columns.ts'
import { heldTables } from './data-inventory/index.ts'
import { finishErasures } from './finish-erasure.ts'
import { EraseTenant } from './operations/erase-tenant.ts'
import { loadTenantKeys, tenantVersionOf } from './tenant-record-ids.ts'

const DAY = 86_400_000

/** Words by which the tests find the tenant's data in rows. */
const words = ['Zebedee', 'Quillfeather', 'zeb@quill.example', '4045550177', 'Marmalade', 'LICENCE-9', 'GATE-9']

describeOnBothEngines('The erasure of a tenant', (open) => {
  let services: TestServices & { files: ReturnType<typeof memoryFiles>; errors: { report: ReturnType<typeof vi.fn> } }
  let manager: StaffCallers
  let district: StaffCallers
  let owner: StaffCallers

  const tenantKey = { locationCode: 'GA1', tenantId: 1001 }
  const tenantColumns = { location_code: 'GA1', tenant_id: 1001 }

  beforeEach(async () => {
    services = withApprovals({
      ...(await openTestServices(await open())),
      files: memoryFiles(),
      errors: { report: vi.fn() },
    }) as never
    manager = await addStaffCaller(services, 'manager', ['GA1'])
    district = await addStaffCaller(services, 'district')
    owner = await addStaffCaller(services, 'owner')
    await fill()
  })

  /** Fills tables that may hold a tenant's data with rows of a tenant who has left. */
  async function fill() {
    const now = services.clock.now()
    const { sealer } = services
    await change(services, 'tenants', tenantColumns, {
      first: 'Zebedee',
      last: 'Quillfeather',
      last_key: 'quillfeather',
      email: 'zeb@quill.example',
      email_key: 'zeb@quill.example',
      cell_phone: '4045550177',
      address: '9 Marmalade Street',
      military: '{"branch":"Marmalade"}',
    })
    await change(services, 'accounts', { account_id: 'ada' }, { username: 'Zebedee', email: 'zeb@quill.example' })
    await change(
      services,
      'leases',
      { lease_number: 10001 },
      {
        status: 'Closed',
        closed_on: '2026-05-04',
        gate_code: 'GATE-9',
        insurance_notes: '{"carrier":"Marmalade"}',
        details: '{"designatedAgent":"Marmalade"}',
        autopay_sealed: sealer.seal('Marmalade', autopayContext('GA1', 10001)),
        autopay_label: 'Marmalade',
      },
    )
    await change(services, 'gate_codes', { tenant_id: 1001 }, { active: 0, gate_code: 'GATE-9' })
    await services.db.transaction((tx) => changeIdentity(tx, services, 'GA1', 1001, { drivers_license: 'LICENCE-9' }))
    const [unit] = await recordsOf(services, 'units', { location_code: 'GA1' })
    const texts: Record<string, unknown> = {
      location_code: 'GA1',
      tenant_id: 1001,
      lease_number: 10001,
      account_id: 'ada',
      order_id: 'LKERASED01',
      state: 'done',
      unit_id: unit?.unit_id,
      unit_type_id: unit?.unit_type_id,
      unit_number: unit?.unit_number,
      status: 'completed',
      decision: 'accepted',
      kind: 'lifted',
      way: 'check',
      once: 'x',
      passkey_id: null,
      flag: 'no_calls',
      draft_id: 'draft-1',
      reservation_code: 'R-1',
      res_code: 'R-1',
      entry_id: 'entry-1',
      act: 'waive',
      email: 'zeb@quill.example',
      recipient: 'zeb@quill.example',
      channel: 'mail',
      cents: 0,
      batch_id: 'B1',
      case_id: 'case-1',
    }
    const unheard = {
      kind: 'none',
      settings_sealed: null,
      week: '',
      zone: '',
      epoch: 'e1',
      heard_by: '',
      last_error: '',
    }
    await addRecord(services, 'gates', row('gates', { ...texts, ...unheard }))
    await addRecord(services, 'cash_batches', row('cash_batches', { ...texts, state: 'matched' }))
    await addRecord(services, 'payments', {
      ...row('payments', { ...texts, state: 'posted', payer: 'tenant', posted_at: now - 200 * DAY, method: 'CC' }),
      amount: 100,
      refunded_cents: 0,
      masked_card: '************1111',
      card_name: 'Zebedee Quillfeather',
      plan: encryptPlan(
        services,
        'LKERASED01',
        '{"price":{"total":100},"lease":{"identity":"LICENCE-9"},"name":"Zeb"}',
      ),
      bank_sealed: sealer.seal('Marmalade', paymentBankContext('LKERASED01')),
    })
    await addRecord(services, 'lien_cases', row('lien_cases', texts))
    // `heldTables` has each table before those that it refers to.
    for (const { table, by } of heldTables.toReversed()) {
      if (['tenants', 'accounts', 'leases', 'gate_codes', 'lease_fees', 'payments', 'lien_cases'].includes(table))
        continue
      // A tenant's key is created when a text is first encrypted with it.
      if (table === 'tenant_keys') continue
      await addRecord(services, table, row(table, by && !texts[by] ? { ...texts, [by]: keyOf(table, by) } : texts))
    }
    await change(services, 'mailbox', {}, { attachments: '[{"file_key":"mails/1"}]' })
    await change(services, 'lease_documents', {}, { file_key: 'leases/1.pdf' })
    await change(services, 'insurance_proofs', {}, { file_key: 'proofs/1.pdf' })
    for (const key of ['mails/1', 'leases/1.pdf', 'proofs/1.pdf', 'others/2.pdf'])
      services.files.kept.set(key, new Uint8Array())
  }

  /** Returns a whole row of a table with the given values, and elsewhere a word of the tenant, a day or an empty value. */
  function row(table: keyof Tables, values: Record<string, unknown>): object {
    const card = heldTables.find((heldTable) => heldTable.table === table)
    const columns = card ? columnsOf(card) : Object.keys(tables[table].columns)
    return Object.fromEntries(
      columns.map((column) => [column, values[column] ?? filler(column, columnOf(table, column))]),
    )
  }

  const keyOf = (table: keyof Tables, by: string) => (columnOf(table, by) === 'text' ? `${table}-1` : 77)

  function filler(column: string, type: string): unknown {
    if (type.endsWith('?')) return null
    if (type !== 'text') return 0
    if (/_(on|date|start|end)$/.test(column)) return '2026-01-01'
    return column === 'attachments' ? '[]' : /^evidence$|_key$/.test(column) ? '{}' : 'Marmalade'
  }

  const requestErasure = async (by: StaffCallers, made_from?: string) => {
    const keys = await loadTenantKeys(services.db.read, tenantKey)
    const input = {
      ...tenantColumns,
      reason: 'Asked in writing',
      made_from: made_from ?? (keys ? tenantVersionOf(keys) : ''),
    }
    return perform(services, EraseTenant, input, by)
  }
  const approve = async (by: StaffCallers) => {
    const [request] = await recordsOf(services, 'approvals', { state: 'open' })
    const input = { approval_id: request?.approval_id, location_code: 'GA1', decision: 'approve', because: '' }
    return perform(services, DecideApproval, input, by)
  }
  const erase = async () => {
    expect(await requestErasure(manager)).toMatchObject({ ok: true, value: { result: 'asked' } })
    expect(await approve(district)).toMatchObject({ ok: true })
  }

  /** Returns the columns that still contain a word of the tenant, as table.column. */
  async function findColumns(): Promise<string[]> {
    const places = new Set<string>()
    for (const table of Object.keys(tables))
      for (const record of await recordsOf(services, table as keyof Tables))
        for (const [column, value] of Object.entries(record))
          if (words.some((word) => String(value).includes(word))) places.add(`${table}.${column}`)
    return [...places].sort()
  }

  it('leaves only what law and ledger require, and erases agreements and card digits after the retention term', async () => {
    expect((await findColumns()).length).toBeGreaterThan(40)
    await erase()
    const tenant = await recordOf(services, 'tenants', tenantColumns)
    expect(tenant).toMatchObject({ first: 'Erased', last: 'tenant', last_key: '', email_key: '', account_id: null })
    expect(tenant.erased_at).toBe(services.clock.now())
    expect(await recordOf(services, 'erasures')).toMatchObject({ kept_until: '2033-05-04' })
    const remaining = await findColumns()
    // Agreements and card digits stay for the retention term, the ledger and its reasons for ever.
    expect(remaining.filter((place) => !mayStay(place))).toEqual([])
    expect(remaining).toContain('ledger_entries.description')
    const plan = decryptPlan<object>(services, await recordOf(services, 'payments', { order_id: 'LKERASED01' }))
    expect(plan).toEqual({ price: { total: 100 }, name: '' })
    expect(await recordsOf(services, 'accounts', { account_id: 'ada' })).toEqual([])
    // Other tenants and accounts are unchanged.
    expect(await recordOf(services, 'tenants', { tenant_id: 1002 })).toMatchObject({ first: 'Cy' })
    expect(await recordsOf(services, 'accounts', { account_id: 'cy' })).toHaveLength(1)

    expect([...services.files.kept.keys()].sort()).toEqual(['leases/1.pdf', 'mails/1', 'others/2.pdf', 'proofs/1.pdf'])
    await finishErasures(services)
    expect([...services.files.kept.keys()].sort()).toEqual(['leases/1.pdf', 'others/2.pdf'])
    services.clock.advance(7 * 366 * DAY)
    await finishErasures(services)
    expect([...services.files.kept.keys()]).toEqual(['others/2.pdf'])
    expect(await recordsOf(services, 'lease_documents')).toEqual([])
    expect(await recordOf(services, 'erasures')).toMatchObject({ files: '[]', kept_until: null })
    expect((await recordOf(services, 'erasures')).finished_at).not.toBeNull()
    expect(await recordOf(services, 'payments')).toMatchObject({ masked_card: null, amount: 100 })
    expect(await finishErasures(services)).toBe(0)
  })

  /**
   * Returns whether a column may keep its data. In a table with rows of a tenant its card must show, keep or hide it, and
   * not delete the rows; of the tables that an erasure skips, only those named here may.
   */
  const mayStay = (place: string): boolean => {
    const [table, column] = place.split('.') as [string, string]
    const card = heldTables.find((heldTable) => heldTable.table === table)
    if (!card) return ['approvals', 'audit_events', 'cash_batches'].includes(table)
    if (card.erasure === 'rows') return false
    return [card.shown, card.kept, card.hidden].some((list) =>
      (list as readonly string[] | undefined)?.includes(column),
    )
  }

  it('keeps agreements even if a lease has no day of closing', async () => {
    await change(services, 'leases', { lease_number: 10001 }, { closed_on: null, paid_through: '2026-06-30' })
    await change(services, 'payments', {}, { posted_at: null })
    await erase()
    expect(await recordOf(services, 'erasures')).toMatchObject({ kept_until: '2033-06-30' })
    expect(await recordsOf(services, 'lease_documents')).toHaveLength(1)
  })

  it('is not undone by a check that the bank returns later', async () => {
    await erase()
    await change(services, 'counter_receipts', {}, { receipt_id: 'RC0001', method: 'check', state: 'matched' })
    const returned = { location_code: 'GA1', receipt_id: 'RC0001', bank_reason: 'nsf', fee: false }
    const finance = await addStaffCaller(services, 'finance')
    expect(await perform(services, ReturnCheck, returned, finance)).toMatchObject({ ok: true })
    for (const table of ['tenant_notes', 'tenant_flags'] as const)
      expect(await recordsOf(services, table, tenantColumns), table).toEqual([])
  })

  it('keeps the sums of the ledger', async () => {
    const sum = async () =>
      (await recordsOf(services, 'ledger_entries')).map(({ entry_id, cents }) => `${entry_id} ${cents}`).sort()
    const before = await sum()
    await erase()
    expect(await sum()).toEqual(before)
  })

  it('deletes the jobs of the tenant’s mails, waiting or done, and no others', async () => {
    const job = (once: string, leaseNumber: number, tenantId: number) =>
      services.db.transaction(async (tx) => {
        const runAt = services.clock.now() + DAY
        const lease = { locationCode: 'GA1', leaseNumber, periodStart: '2026-12-01' }
        await enqueue(tx, { kind: 'payment_due', once, payload: lease, runAt })
        await enqueue(tx, { kind: 'gate_code', once, payload: { locationCode: 'GA1', tenantId }, runAt })
        const account = tenantId === 1001 ? 'ada' : 'cy'
        const passkey = { accountId: account, name: 'Marmalade', change: 'added' as const, at: 0 }
        await enqueue(tx, { kind: 'passkey_changed', once, payload: passkey, runAt })
      })
    await job('ours', 10001, 1001)
    await job('theirs', 10002, 1002)
    await change(services, 'jobs', { kind: 'passkey_changed', once: 'ours' }, { state: 'done' })
    await erase()
    expect((await recordsOf(services, 'jobs')).map(({ once }) => once)).toEqual(['theirs', 'theirs', 'theirs'])
  })

  it('requires a second staff member with the permission', async () => {
    expect(await requestErasure(district)).toMatchObject({ ok: true, value: { result: 'asked' } })
    expect(await requestErasure(manager)).toMatchObject({ status: 409, code: 'asked' })
    const finance = await addStaffCaller(services, 'finance')
    for (const by of [district, manager, finance]) expect(await approve(by)).toMatchObject({ status: 403 })
    expect(await approve(await addStaffCaller(services, 'district', ['HI1']))).toMatchObject({ status: 404 })
    expect(await recordOf(services, 'tenants', tenantColumns)).toMatchObject({ first: 'Zebedee' })
    expect(await approve(owner)).toMatchObject({ ok: true })
    const [event] = await recordsOf(services, 'audit_events', { kind: 'tenant.erased' })
    expect(event).toMatchObject({
      outcome: 'approved',
      reason: 'Asked in writing',
      tenant_id: 1001,
      permission: 'tenant.erase',
    })
    expect(await requestErasure(manager)).toMatchObject({ status: 409, code: 'erased' })
  })

  it.each<[string, () => Promise<unknown>, string]>([
    ['an open lease', () => change(services, 'leases', { lease_number: 10001 }, { status: 'Current' }), 'is rented'],
    ['a balance', () => owe(500), 'owes $5.00'],
    ['a credit', () => owe(-500), 'credit of $5.00'],
    ['a reservation', () => change(services, 'reservations', tenantColumns, { status: 'active' }), 'is reserved'],
    ['a payment in progress', () => change(services, 'payments', {}, { state: 'presented' }), 'on its way'],
    [
      'a late approval',
      () => change(services, 'payments', {}, { state: 'expired', closed_at: services.clock.now() }),
      'on its way',
    ],
    ['a payment to be refunded', () => change(services, 'payments', {}, { state: 'refund_due' }), 'on its way'],
    ['a refund', () => change(services, 'refunds', {}, { state: 'open' }), 'on its way'],
    ['a failed refund', () => change(services, 'refund_tasks', {}, { state: 'failed' }), 'on its way'],
    ['a deposited check', () => change(services, 'counter_receipts', {}, { state: 'deposited' }), 'not matched'],
    [
      'a check that may bounce',
      () =>
        change(
          services,
          'counter_receipts',
          {},
          { method: 'check', state: 'matched', received_at: services.clock.now() - 30 * DAY },
        ),
      'disputed until',
    ],
    [
      'a payment of last month',
      () => change(services, 'payments', {}, { posted_at: services.clock.now() - 30 * DAY }),
      'disputed until',
    ],
    ['a settlement', () => change(services, 'settlements', {}, { state: 'open' }), 'settlement'],
    ['a lien case', () => change(services, 'lien_cases', {}, { state: 'surplus' }), 'lien case'],
    ['open work', () => change(services, 'tasks', {}, { state: 'open' }), 'Complete it first'],
    ['a legal hold', () => change(services, 'tenant_flags', {}, { flag: 'legal_hold' }), 'Legal hold'],
  ])('waits for %s, when asked and when approved', async (_, block, says) => {
    expect(await requestErasure(manager)).toMatchObject({ ok: true })
    await block()
    expect(await approve(owner)).toMatchObject({ status: 409, code: 'not_yet', message: expect.stringContaining(says) })
    expect(await recordOf(services, 'tenants', tenantColumns)).toMatchObject({ first: 'Zebedee', erased_at: null })
    expect(await requestErasure(district)).toMatchObject({ status: 409, message: expect.stringContaining(says) })
  })

  const owe = (cents: number) =>
    addRecord(services, 'ledger_entries', {
      entry_id: 'owed',
      location_code: 'GA1',
      lease_number: 10001,
      kind: 'fee',
      cents,
      description: 'Fee',
      once: 'owed',
      posted_on: '2026-05-01',
      created_at: 0,
      order_id: null,
      period_start: null,
      period_end: null,
    })

  it('refuses a stale form', async () => {
    expect(await requestErasure(manager, 'other')).toMatchObject({ status: 409, code: 'changed' })
    expect(await requestErasure(manager)).toMatchObject({ ok: true })
    await change(services, 'tenants', tenantColumns, { cell_phone: '4045550178' })
    expect(await approve(owner)).toMatchObject({ status: 409, code: 'changed' })
  })

  it('erases once when two approvals come at once', async () => {
    await requestErasure(manager)
    const both = await Promise.all([approve(owner), approve(district)])
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await recordsOf(services, 'erasures')).toHaveLength(1)
    expect(await recordsOf(services, 'audit_events', { kind: 'tenant.erased' })).toHaveLength(1)
  })

  it('lets either the erasure or a concurrent reservation happen, not both', async () => {
    await requestErasure(manager)
    const facts = (await loadFacilityFacts(services, ['GA1'])).get('GA1') as FacilityFacts
    const request = { locationCode: 'GA1', unitTypeId: 1, moveInDate: '2026-11-22' as const, rentNow: false }
    const asAda: Renter = { kind: 'on file', tenantId: 1001 }
    const [approved, reserved] = await Promise.all([
      approve(owner),
      reserve(services, facts, request as never, asAda as never, null, visitor()),
    ])
    const reservations = await recordsOf(services, 'reservations', { ...tenantColumns, status: 'active' })
    expect(reservations).toHaveLength(reserved === null ? 0 : 1)
    expect(approved.ok).toBe(reserved === null)
    expect((await recordOf(services, 'tenants', tenantColumns)).erased_at === null).toBe(!approved.ok)
  })

  it('keeps an account and an address that another tenant uses too', async () => {
    await change(services, 'tenants', { tenant_id: 1002 }, { account_id: 'ada', email_key: 'zeb@quill.example' })
    await erase()
    expect(await recordsOf(services, 'accounts', { account_id: 'ada' })).toHaveLength(1)
    expect((await recordsOf(services, 'sign_ins', { account_id: 'ada' })).length).toBe(0)
    expect(await recordsOf(services, 'passkeys')).toHaveLength(1)
    expect(await recordsOf(services, 'appointments')).toHaveLength(1)
  })

  it('continues deleting files after the file store failed', async () => {
    await erase()
    services.files.broken = true
    expect(await finishErasures(services)).toBe(0)
    expect(services.errors.report).toHaveBeenCalled()
    services.files.broken = false
    await Promise.all([finishErasures(services), finishErasures(services)])
    expect(services.files.kept.has('proofs/1.pdf')).toBe(false)
    expect(await recordOf(services, 'erasures')).toMatchObject({ files: '[]', finished_at: null })
  })

  it('continues with other erasures and with files after one could not be finished', async () => {
    await erase()
    services.clock.advance(7 * 366 * DAY)
    const erasure = await recordOf(services, 'erasures')
    const unreadable = { erasure_id: 'a', tenant_id: 1002, files: 'not a list', kept_until: '2026-01-01', erased_at: 1 }
    await addRecord(services, 'erasures', { ...erasure, ...unreadable })
    expect(await finishErasures(services)).toBe(2)
    expect(services.errors.report).toHaveBeenCalledTimes(2)
    expect(await recordOf(services, 'erasures', { erasure_id: erasure.erasure_id })).toMatchObject({
      files: '[]',
      kept_until: null,
      finished_at: services.clock.now(),
    })
  })

  it('finishes an erasure behind fifty that cannot be finished', async () => {
    await erase()
    services.clock.advance(7 * 366 * DAY)
    const erasure = await recordOf(services, 'erasures')
    const tenant = await recordOf(services, 'tenants', { tenant_id: 1002 })
    for (let tenant_id = 5001; tenant_id <= 5050; tenant_id += 1) {
      await addRecord(services, 'tenants', { ...tenant, tenant_id, account_id: null })
      const unreadable = { erasure_id: `0${tenant_id}`, files: 'not a list', kept_until: '2026-01-01', erased_at: 1 }
      await addRecord(services, 'erasures', { ...erasure, ...unreadable, tenant_id })
    }
    expect(await finishErasures(services)).toBe(2)
    expect(await recordOf(services, 'erasures', { erasure_id: erasure.erasure_id })).toMatchObject({
      files: '[]',
      kept_until: null,
    })
  })

  it('ends if another process erases retained rows without files while the first deletes files', async () => {
    await erase()
    await services.db.write.deleteFrom('lease_documents').execute()
    const other = { ...services, files: Object.assign(memoryFiles(), { broken: true }) }
    const { files } = services
    const removeFile = files.delete
    files.delete = async (key) => {
      services.clock.advance(7 * 366 * DAY)
      files.delete = removeFile
      await finishErasures(other)
      return removeFile(key)
    }
    await finishErasures(services)
    const erasure = await recordOf(services, 'erasures')
    expect(erasure).toMatchObject({ files: '[]', kept_until: null, finished_at: services.clock.now() })
  })

  it('exports at least one column of each table', () => {
    for (const card of heldTables) expect(exportedColumns(card).length).toBeGreaterThan(0)
  })
})
