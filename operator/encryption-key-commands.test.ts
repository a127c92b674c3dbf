/** Key rotation while servers run: every encrypted value is re-encrypted, and none is missed. */
import { randomBytes } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { emailTokenContext } from '../modules/accounts/email-change.ts'
import { resetContext } from '../modules/accounts/password-reset.ts'
import { tokenContext } from '../modules/appointments/appointment-links.ts'
import { gateSettingsContext } from '../modules/gate/gate-settings-encryption-context.ts'
import { setGate } from '../modules/gate/set-gate-kind-and-hours.ts'
import { autopayPartyOf, setAutopay, suspendedAutopay } from '../modules/leases/autopay-mandate.ts'
import { detailsContext } from '../modules/leases/lease.ts'
import { readProof, storeProof } from '../modules/liens/lien-proof-files.ts'
import { scheduleMoveOut } from '../modules/move-outs/schedule-and-cancel-move-out.ts'
import { decryptPlan } from '../modules/payments/order-terms-encryption.ts'
import { paymentAliasContext } from '../modules/payments/payment.ts'
import { newPayment } from '../modules/payments/payment-orders.ts'
import { insertDraft } from '../modules/reservations/insert-draft.ts'
import { approvalContext } from '../modules/staff/approvals.ts'
import { totpContext } from '../modules/staff/mfa.ts'
import { storeFormForSecondFactor } from '../modules/staff/operations/store-form-for-second-factor.ts'
import { invitationContext } from '../modules/staff/send-invitation.ts'
import { changeIdentity, decryptIdentity } from '../modules/tenants/identity-data.ts'
import { saveResealedHash, sealDays } from '../platform/audit/encrypted-day-hashes.ts'
import type { Database } from '../platform/database/open.ts'
import { countValuesByKey, qualifiedColumnName, reencryptColumns } from '../platform/encryption/rotate-keys.ts'
import { Sealer, type SealingKey } from '../platform/encryption/sealer.ts'
import { sealForTenant } from '../platform/encryption/tenant-keys.ts'
import { enqueue } from '../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { withIdempotencyKey } from '../platform/operations/idempotency.ts'
import type { Services } from '../platform/operations/services.ts'
import { checkKeys, keyCheck, shortFingerprint } from '../platform/server-registry/key-checks.ts'
import { registerServer } from '../platform/server-registry/running-servers-and-heartbeats.ts'
import { configFrom } from '../server/config/config.ts'
import { loadEncryptionKeys } from '../server/services.ts'
import { describeOnBothEngines, placeOf } from '../tests/support/databases.ts'
import { memoryFiles } from '../tests/support/memory-files.ts'
import { addRecord, change, recordOf } from '../tests/support/rows.ts'
import { asAda, noon, openTestServices } from '../tests/support/small-operator.ts'
import { addStaffCaller } from '../tests/support/staff.ts'
import { run } from './commands.ts'
import { sealedColumns } from './encrypted-columns.ts'

const oldKey = randomBytes(32).toString('hex')
const newKey = randomBytes(32).toString('hex')
const both = `${newKey},${oldKey}`

const keysIn = (text: string): SealingKey[] => {
  const parsed = configFrom({ KEYS: text })
  if (!parsed.ok) throw new Error(parsed.problems.join())
  return loadEncryptionKeys(parsed.config).sealing
}
const printOf = (key: string) => shortFingerprint(keyCheck(keysIn(key)[0]!))
const withKeys = (services: Services, text: string): Services => ({
  ...services,
  sealer: new Sealer({ keys: keysIn(text) }),
})

const ada = { location_code: 'GA1', lease_number: 10001 }
const call = (services: Services) =>
  withIdempotencyKey(
    services,
    { key: 'a-key-of-a-kiosk-1', callers: asAda, operation: 'Any', input: { password: 'x' } },
    async () => ({ ok: true as const, value: { token: 'secret' } }),
  )

const notice = new TextEncoder().encode('%PDF-1.7')

/** Writes a value to each encrypted column, with the product's functions where these need little preparation. */
async function fill(services: Services): Promise<void> {
  const { db, sealer } = services
  await changeIdentity(db.write, services, 'GA1', 1001, { drivers_license: '012345678' })
  const tenant = { locationCode: 'GA1', tenantId: 1001 }
  await sealForTenant(db.write, services, tenant, { text: '{}', context: 'any' })
  const day = { day: '2026-11-20', hash: 'ab' }
  await sealDays(db.write, services, [day])
  await saveResealedHash(db.write, services, day)
  const autopay = {
    method: 'CC',
    party: { alias: 'ALIAS-1' },
    label: 'VI',
    consentText: 'Yes',
    consentAt: noon,
  } as const
  await setAutopay(db.write, services, ada, autopay)
  await setAutopay(db.write, services, { ...ada, lease_number: 10002 }, autopay)
  await scheduleMoveOut(services, {
    locationCode: 'GA1',
    leaseNumber: 10001,
    date: '2026-11-30',
    vacateReasonId: 1,
    customNote: '',
    feedback: null,
    note: '',
    mail: false,
  })
  const details = { unit: '301', sealed: sealer.seal('{"defaultNotice":"Bo"}', detailsContext('GA1', 10001)) }
  await change(services, 'leases', ada, { details: JSON.stringify(details) })
  const bank = {
    account: { name: 'Ada', routing: '061000104', account: '1', type: 'checking' },
    label: 'Bank',
  } as const
  await addRecord(services, 'payments', {
    ...newPayment(services, 'order-1', {
      payer: 'tenant',
      locationCode: 'GA1',
      tenantId: 1001,
      leaseNumber: 10001,
      amount: 100,
      quoteId: null,
      plan: '{"periods":1}',
      autopay: false,
      subject: { draftId: null },
      bank,
    } as never),
    alias_sealed: sealer.seal('ALIAS-2', paymentAliasContext('order-1')),
  })
  await insertDraft(db.write, services, {
    locationCode: 'GA1',
    unitTypeId: 1,
    tenantId: 1001,
    reservationCode: 'R1',
    existingTenant: false,
    answers: { defaultNotice: { first: 'Bo' } },
  } as never)
  await db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'push', week: null }))
  const gate = { settings_sealed: sealer.seal('{}', gateSettingsContext('GA1')) }
  await change(services, 'gates', { location_code: 'GA1' }, gate)
  const { staff } = await addStaffCaller(services, 'owner')
  await addRecord(services, 'staff_factors', {
    factor_id: 'f1',
    staff_id: staff.staffId,
    kind: 'totp',
    name: '',
    counter: 0,
    transports: '[]',
    created_at: 0,
    secret_sealed: sealer.seal('BASE32', totpContext(staff.staffId)),
  })
  await addRecord(services, 'approvals', {
    approval_id: 'a1',
    operation: 'X',
    permission: 'p',
    summary: '',
    location_code: 'GA1',
    cents: 1,
    reason: 'r',
    asked_by: staff.staffId,
    asked_at: 0,
    state: 'open',
    decided_because: '',
    input_sealed: sealer.seal('{}', approvalContext('a1')),
  })
  await storeFormForSecondFactor(services, staff, '/office/staff', [['name', 'Ina']])
  await addRecord(services, 'lien_cases', {
    case_id: 'l1',
    location_code: 'GA1',
    tenant_id: 1001,
    lease_number: 10001,
    unit_number: '301',
    state: 'open',
    rules_version: 'v',
    default_from: '2026-09-01',
    owed: 1,
    opened_on: '2026-11-01',
    opened_at: 0,
    opened_by: '',
    ended_because: '',
  })
  await addRecord(services, 'lien_steps', {
    step_id: 's1',
    case_id: 'l1',
    location_code: 'GA1',
    step: 'notice',
    state: 'done',
    done_on: '2026-11-02',
    way: '',
    note: '',
    details: '{}',
    staff_id: staff.staffId,
    recorded_at: 0,
    ...(await storeProof(services, {
      stepId: 's1',
      locationCode: 'GA1',
      name: 'notice',
      bytes: notice,
      type: { extension: 'pdf', contentType: 'application/pdf' },
    })),
  })
  await addRecord(services, 'reset_codes', {
    reset_id: 'r1',
    account_id: 'ada',
    tries: 0,
    created_at: 0,
    expires_at: 1,
    code_sealed: sealer.seal('1234', resetContext('r1')),
  })
  await addRecord(services, 'email_changes', {
    change_id: 'c1',
    account_id: 'ada',
    location_code: 'GA1',
    tenant_id: 1001,
    old_email: 'a',
    new_email: 'b',
    state: 'open',
    created_at: 0,
    expires_at: 1,
    token_sealed: sealer.seal('t', emailTokenContext('c1')),
  })
  await call(services)
  const link = sealer.seal('https://rent.example/join', invitationContext(staff.staffId))
  await enqueue(db.write, { kind: 'staff_invited', once: '1', payload: { staffId: staff.staffId, link }, runAt: noon })
  const token = sealer.seal('token', tokenContext(1001))
  await enqueue(db.write, {
    kind: 'appointment_proposed',
    once: '1',
    payload: { appointmentId: 1001, link: token },
    runAt: noon,
  })
}

/** Reads values of several columns with the product's functions that decrypt them. */
async function readAll(services: Services): Promise<void> {
  const adaTenant = await recordOf(services, 'tenants', { location_code: 'GA1', tenant_id: 1001 })
  expect(decryptIdentity(services, adaTenant)).toEqual({ drivers_license: '012345678' })
  const cyLease = await recordOf(services, 'leases', { ...ada, lease_number: 10002 })
  expect(autopayPartyOf(services, cyLease)).toEqual({ alias: 'ALIAS-1' })
  const moveOut = await recordOf(services, 'move_outs', ada)
  expect(suspendedAutopay(services, ada, moveOut.autopay_before!)).toMatchObject({ party: { alias: 'ALIAS-1' } })
  expect(decryptPlan(services, await recordOf(services, 'payments', { order_id: 'order-1' }))).toEqual({ periods: 1 })
  const details = JSON.parse((await recordOf(services, 'leases', ada)).details)
  expect(details.unit).toBe('301')
  expect(services.sealer.open(details.sealed, detailsContext('GA1', 10001))).toBe('{"defaultNotice":"Bo"}')
  const step = await recordOf(services, 'lien_steps', { step_id: 's1' })
  expect((await readProof(services, step))?.content).toEqual(notice)
  expect(await call(services)).toMatchObject({ replayed: true, value: { token: 'secret' } })
}

describeOnBothEngines('Rotating a key', (open) => {
  async function openServices() {
    const db = await open()
    const { publicUrl: _, ...parts } = await openTestServices(db)
    return { db, services: { ...parts, publicUrl: 'http://localhost:3000', files: memoryFiles() } as Services }
  }

  async function operator(db: Database, KEYS: string, ...words: string[]) {
    const said: string[] = []
    for (const out of ['log', 'error'] as const)
      vi.spyOn(console, out).mockImplementation((line: string) => void said.push(line))
    const { dataDir, url } = placeOf(db)
    const code = await run(words, { DATA_DIR: dataDir, ...(url && { DATABASE_URL: url }), KEYS })
    vi.restoreAllMocks()
    return { code, said: said.join('\n') }
  }

  const server = (services: Services, KEYS: string, instance: string) =>
    registerServer(services.db, {
      instance,
      version: '1',
      mode: 'demo',
      publicUrl: services.publicUrl,
      keyCheck: keyCheck(keysIn(KEYS)[0]!),
      // The command uses the system clock, so the server has to use it too.
      clock: { now: () => Date.now() },
      onError: () => {},
    })

  it('re-encrypts every value, refuses steps that come too early, and ends with only the new key', async () => {
    const { db, services } = await openServices()
    await checkKeys(db, keysIn(oldKey), noon)
    const first = await server(services, oldKey, 'one')
    await fill(withKeys(services, oldKey))
    expect(Object.keys(await countValuesByKey(db, keysIn(oldKey)[0]!.id, sealedColumns)).sort()).toEqual(
      sealedColumns.map(qualifiedColumnName).sort(),
    )
    await operator(db, both, 'keys', 'add')

    const second = await server(services, both, 'two')
    const tooEarlyReseal = await operator(db, both, 'keys', 'reseal')
    expect(tooEarlyReseal).toMatchObject({
      code: 1,
      said: expect.stringContaining(`one still seals with ${printOf(oldKey)}`),
    })
    await first.leave()
    const tooEarlyRetirement = await operator(db, both, 'keys', 'retire', printOf(oldKey))
    expect(tooEarlyRetirement.code).toBe(1)
    expect(tooEarlyRetirement.said).toMatch(/tenants\.identity_sealed +1\n/)
    expect((await operator(db, both, 'keys', 'retire', printOf(newKey))).said).toContain('is the newest key')

    const done = await operator(db, both, 'keys', 'reseal')
    expect(done).toMatchObject({
      code: 0,
      said: expect.stringContaining(`All that is sealed is under ${printOf(newKey)}`),
    })
    for (const column of sealedColumns) expect(done.said).toContain(qualifiedColumnName(column))
    expect((await operator(db, both, 'keys', 'reseal')).said.split('\n')).toHaveLength(1)
    expect(await operator(db, both, 'keys', 'retire', printOf(oldKey))).toMatchObject({ code: 0 })
    expect((await operator(db, both, 'keys')).said).toBe(printOf(newKey))

    await checkKeys(db, keysIn(newKey), noon)
    await expect(checkKeys(db, keysIn(`${oldKey},${newKey}`), noon)).rejects.toThrow('newest key')
    await readAll(withKeys(services, newKey))
    await second.leave()
  })

  it('continues after an interruption, and leaves values that a server writes meanwhile', async () => {
    const { db, services } = await openServices()
    const before = withKeys(services, oldKey)
    const after = withKeys(services, both)
    await checkKeys(db, keysIn(both), noon)
    const ids = Array.from({ length: 620 }, (_, at) => 2000 + at)
    const { ...template } = await recordOf(services, 'tenants', { location_code: 'GA1', tenant_id: 1001 })
    for (let at = 0; at < ids.length; at += 200)
      await db.write
        .insertInto('tenants')
        .values(ids.slice(at, at + 200).map((tenant_id) => ({ ...template, tenant_id, account_id: null })))
        .execute()
    await db.transaction(async (tx) => {
      for (const id of ids) await changeIdentity(tx, before, 'GA1', id, { brief_description: `of ${id}` })
    })
    const parts = { columns: sealedColumns, newest: keysIn(both)[0]!.id }
    const rotation = reencryptColumns(db, after.sealer, {
      ...parts,
      progress: (_, count) => {
        if (count >= 300) throw new Error('killed')
      },
    })
    await expect(rotation).rejects.toThrow('killed')
    const left = (await countValuesByKey(db, keysIn(oldKey)[0]!.id, sealedColumns))['tenants.identity_sealed']
    expect(left).toBe(320)

    const changedIds = ids.filter((id) => id % 3 === 0)
    const [result] = await Promise.all([
      reencryptColumns(db, after.sealer, parts),
      ...changedIds.map((id) =>
        db.transaction((tx) => changeIdentity(tx, after, 'GA1', id, { brief_description: `new ${id}` })),
      ),
    ])
    expect(result).toMatchObject({ broken: [], left: 0 })
    const alone = withKeys(services, newKey)
    for (const id of ids) {
      const row = await recordOf(services, 'tenants', { location_code: 'GA1', tenant_id: id })
      expect(decryptIdentity(alone, row).brief_description).toBe(id % 3 === 0 ? `new ${id}` : `of ${id}`)
    }
  })

  it('reports values that no key decrypts, and leaves them unchanged', async () => {
    const { db, services } = await openServices()
    await checkKeys(db, keysIn(oldKey), noon)
    await fill(withKeys(services, oldKey))
    const lost = new Sealer({ keys: [{ id: 'lost', key: randomBytes(32) }] }).seal('x', 'y')
    await change(services, 'tenants', { location_code: 'GA1', tenant_id: 1002 }, { identity_sealed: lost })
    await operator(db, both, 'keys', 'add')
    const result = await operator(db, both, 'keys', 'reseal')
    expect(result.code).toBe(1)
    expect(result.said).toContain('tenants.identity_sealed of GA1 1002: The key "lost"')
    expect(result.said).toContain('1 value is not under the newest key')
    expect((await recordOf(services, 'tenants', { location_code: 'GA1', tenant_id: 1002 })).identity_sealed).toBe(lost)
    await readAll(withKeys(services, newKey))
  })
})
