/**
 * Proof of a tenant's own insurance (spec 2 §2 /proof-of-insurance, §7): the file is told by its content, kept under a name
 * of ours, and served to its tenant as an attachment only.
 */
import { createHash } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import * as v from 'valibot'
import { todayIn } from '../domain/dates.ts'
import type { OwnInsurance } from '../domain/forms/move-in.ts'
import { proofOfInsurance } from '../domain/forms/portal.ts'
import { compare, formatUs } from '../domain/plain-date.ts'
import { policyExpired } from '../domain/texts/move-in.ts'
import { invalidTenantId } from '../domain/texts/payment.ts'
import { readUpload, UPLOAD_MAX_BYTES, uploadFaultMessages } from '../domain/upload.ts'
import { enqueue } from '../platform/jobs/queue.ts'
import type { InsuredLease } from '../platform/schema/job-kinds.ts'
import type { InsuranceProofsTable, Tables } from '../platform/schema/tables.ts'
import { refusedDiffering, same } from '../storage-system/agreed.ts'
import { type OwnPolicy, ownPolicyOf } from '../storage-system/lease-record.ts'
import { todayAt } from '../storage-system/ledger.ts'
import {
  done,
  type House,
  namedTenants,
  operation,
  ownTenant,
  ownTenantNamed,
  refuse,
  type TenantCaller,
} from '../storage-system/operation.ts'
import { chargedThrough } from '../storage-system/postings.ts'
import { tenantRow } from '../storage-system/tenants.ts'
import { locationCode, optional, required, whole } from '../storage-system/wire.ts'

/** The bytes of a form's file, or base64 from a caller without forms. */
const fileField = v.union(
  [
    v.instance(Uint8Array),
    v.pipe(
      v.string(),
      v.maxLength(Math.ceil((UPLOAD_MAX_BYTES * 4) / 3) + 4, uploadFaultMessages.too_large),
      v.base64('must be base64'),
      v.transform((text) => new Uint8Array(Buffer.from(text, 'base64'))),
    ),
  ],
  uploadFaultMessages.missing,
)

const unitNumbers = v.pipe(
  v.union(
    [
      v.array(required(20)),
      v.pipe(
        required(20),
        v.transform((one) => [one]),
      ),
    ],
    'Choose at least one unit.',
  ),
  v.minLength(1, 'Choose at least one unit.'),
  v.maxLength(100, 'has too many units'),
)

const { policy_number, insurance_carrier, expiration_date } = proofOfInsurance.entries

export const postInsuranceUpload = operation({
  name: 'POST /api/insurance/upload',
  summary:
    'Takes proof of a tenant’s own insurance: a JPEG, GIF, PNG, PDF or EPS of at most 10 MB as a multipart form, or of 700 kB in base64. Name and e-mail are those on file; others are 409.',
  access: { tenant: ownTenantNamed },
  multipart: true,
  input: v.object({
    location_code: locationCode(),
    /** Left out: the account's tenant who rents the units. */
    tenant_id: v.optional(whole(invalidTenantId)),
    unit_numbers: unitNumbers,
    policy_number,
    insurance_carrier,
    expiration_date,
    file: fileField,
    tenant_name: optional(200),
    tenant_email: optional(254),
  }),
  output: v.object({ result: v.string(), proof_id: v.string() }),
  limit: { points: 30, perSeconds: 3600 },
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      unit_numbers: ['318'],
      policy_number: 'HO-55120',
      insurance_carrier: 'Old Harbor Mutual',
      expiration_date: '06/30/2027',
      file: 'JVBERi0xLjcK',
    },
    output: { result: 'success', proof_id: '15ecdb0b-3901-88d6-a8fc-b753fbcdd9f5' },
  },
  async run(house, { tenant_id: named, ...input }, callers) {
    const refused = (field: string, message: string) =>
      refuse(400, 'invalid_input', 'Some fields are missing or not valid.', { fields: { [field]: message } })
    const read = readUpload(input.file)
    if (!read.ok) return refused('file', uploadFaultMessages[read.fault])
    const today = await todayAt(house.db.read, house, input.location_code)
    // What is no longer covered stands in for nothing, here as in a move-in.
    if (today === undefined || input.expiration_date < today) return refused('expiration_date', policyExpired)
    const wanted = [...new Set(input.unit_numbers)].sort()
    const details = [input.policy_number, input.insurance_carrier, input.expiration_date]
    const own = namedTenants(callers.tenant ?? { tenants: [] }, { ...input, tenant_id: named })
    const leases = await house.db.read
      .selectFrom('leases')
      .select(['tenant_id', 'unit_number', 'lease_number'])
      .where('location_code', '=', input.location_code)
      .where('tenant_id', 'in', [-1, ...own.map((one) => one.tenantId)])
      .where('status', '!=', 'Closed')
      .where('unit_number', 'in', wanted)
      .execute()
    const [tenant_id, rented] =
      [...Map.groupBy(leases, (lease) => lease.tenant_id)].find(([, units]) => units.length === wanted.length) ?? []
    const tenant = tenant_id === undefined ? undefined : await tenantRow(house.db.read, input.location_code, tenant_id)
    // The same whether there is no such unit or it is somebody else's.
    if (tenant_id === undefined || !rented || !tenant)
      return refused('unit_numbers', 'Choose units that you rent here.')
    const wrong = refusedDiffering(input, {
      tenant_name: same.name(`${tenant.first} ${tenant.last}`),
      tenant_email: same.email(tenant.email),
    })
    if (wrong) return wrong
    const proof_id = idOf([input.location_code, tenant_id, ...details, wanted, today], input.file)
    const { extension, contentType } = read.type
    const file_key = `insurance/${input.location_code.toLowerCase()}/${proof_id}.${extension}`
    // The file first: a row never names a file that is not there.
    await house.files.put(file_key, input.file, contentType)
    const now = house.clock.now()
    await house.db.transaction(async (tx) => {
      const first = await tx
        .insertInto('insurance_proofs')
        .values({
          proof_id,
          location_code: input.location_code,
          tenant_id,
          unit_numbers: JSON.stringify(wanted),
          tenant_name: `${tenant.first} ${tenant.last}`,
          tenant_email: tenant.email,
          policy_number: input.policy_number,
          insurance_carrier: input.insurance_carrier,
          expiration_date: input.expiration_date,
          file_key,
          file_name: `proof-of-insurance-${wanted[0]?.replace(/[^A-Za-z0-9-]/g, '') ?? ''}.${extension}`,
          content_type: contentType,
          bytes: input.file.byteLength,
          created_at: now,
        })
        .onConflict((sent) => sent.doNothing())
        .returning('proof_id')
        .executeTakeFirst()
      if (!first) return
      await tx
        .insertInto('tenant_notes')
        .values(
          rented.map((lease) => ({
            note_id: house.random.uuid(),
            location_code: input.location_code,
            tenant_id,
            lease_number: lease.lease_number,
            note: `Sent proof of insurance for unit ${lease.unit_number}: ${input.insurance_carrier}, policy ${input.policy_number}, until ${formatUs(input.expiration_date)}.`,
            created_at: now,
          })),
        )
        .execute()
      for (const kind of ['insurance_proof', 'insurance_proof_office'] as const)
        await enqueue(tx, { kind, once: proof_id, payload: { proofId: proof_id }, runAt: now })
    })
    return done({ result: 'success', proof_id })
  },
})

/** The same proof sent twice in a day, by a second press or from a second window, is one: it has the same id. */
function idOf(said: unknown[], file: Uint8Array): string {
  const hex = createHash('sha256').update(JSON.stringify(said)).update('\n').update(file).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

// ── The operator's decision ───────────────────────────────────────────────────────────────────────────────────────────

export type Proof = Selectable<InsuranceProofsTable>

/** Proofs as the operator looks at them, the oldest first: those that wait, or all of them. */
export async function proofsToDecide(
  house: House,
  of: { locationCode?: string; all?: boolean } = {},
): Promise<Proof[]> {
  const { locationCode, all } = of
  return house.db.read
    .selectFrom('insurance_proofs')
    .selectAll()
    .$if(all !== true, (query) => query.where('decision', 'is', null))
    .$if(locationCode !== undefined, (query) => query.where('location_code', '=', locationCode as string))
    .orderBy('created_at')
    .orderBy('proof_id')
    .execute()
}

/** An open lease whose tenant's own policy has ended, and which goes by no other. */
export interface UninsuredLease extends OwnPolicy {
  location_code: string
  lease_number: number
  unit_number: string
  tenant_id: number
}

/** Leases that go by a policy that has ended by the facility's own day, the longest first. */
export async function policiesEnded(house: House, locationCode?: string): Promise<UninsuredLease[]> {
  const rows = await house.db.read
    .selectFrom('leases')
    .innerJoin('locations', 'locations.location_code', 'leases.location_code')
    .select(['leases.location_code', 'lease_number', 'unit_number', 'tenant_id', 'time_zone'])
    .select(['insurance_status', 'insurance_notes'])
    .where('status', '!=', 'Closed')
    .where('insurance_status', '=', 2)
    .$if(locationCode !== undefined, (query) => query.where('leases.location_code', '=', locationCode as string))
    .orderBy('leases.location_code')
    .orderBy('lease_number')
    .execute()
  const ended = rows.flatMap(({ time_zone, insurance_status, insurance_notes, ...lease }) => {
    const policy = ownPolicyOf({ insurance_status, insurance_notes })
    return policy && policy.expires < todayIn(time_zone, house.clock.now()) ? [{ ...lease, ...policy }] : []
  })
  return ended.sort((a, b) => compare(a.expires, b.expires))
}

export type Decided = { ok: true; proof: Proof; leases: InsuredLease[] } | { ok: false; why: string }

/** What must not stay: nothing of a dry run, and no decision about leases that are gone. */
class TakenBack extends Error {
  readonly outcome: Decided
  constructor(outcome: Decided) {
    super()
    this.outcome = outcome
  }
}

/**
 * Accepts or refuses a tenant's proof of their own insurance, once, and tells the tenant by mail. Accepted, the open leases
 * of its units go by that policy: periods that are charged already keep their premium, and the next that billing charges
 * has none. A vehicle's own insurance is left as it is.
 * @param asked `because`: why it is refused, as the tenant reads it; `dryRun`: what would come of it, and nothing is kept
 * @returns not ok for no such proof, one that was decided before, a policy that has expired, and units that the tenant has left
 */
export async function decideProof(
  house: House,
  proofId: string,
  asked: ({ accept: true } | { accept: false; because: string }) & { dryRun?: boolean | undefined },
): Promise<Decided> {
  const before = await house.db.read
    .selectFrom('insurance_proofs')
    .selectAll()
    .where('proof_id', '=', proofId)
    .executeTakeFirst()
  const today = before && (await todayAt(house.db.read, house, before.location_code))
  if (!before || today === undefined) return { ok: false, why: `There is no proof ${proofId}.` }
  if (asked.accept && before.expiration_date < today)
    return { ok: false, why: `The policy ended on ${formatUs(before.expiration_date)}.` }
  try {
    return await house.db.transaction(async (tx) => {
      const now = house.clock.now()
      const proof = await tx
        .updateTable('insurance_proofs')
        .set({
          decision: asked.accept ? 'accepted' : 'refused',
          decided_at: now,
          decided_because: asked.accept ? null : asked.because,
        })
        .where('proof_id', '=', proofId)
        .where('decision', 'is', null)
        .returningAll()
        .executeTakeFirst()
      if (!proof) throw new TakenBack({ ok: false, why: `The proof ${proofId} was decided before.` })
      const leases = asked.accept ? await goByOwnPolicy(tx, proof) : []
      if (asked.accept && leases.length === 0)
        throw new TakenBack({ ok: false, why: `The tenant has left unit ${unitsOf(proof)}.` })
      const { location_code, tenant_id } = proof
      const said = asked.accept ? 'Accepted' : 'Refused'
      await tx
        .insertInto('tenant_notes')
        .values({
          ...{ note_id: house.random.uuid(), location_code, tenant_id, lease_number: null, created_at: now },
          note: `${said} the proof of insurance for unit ${unitsOf(proof)}: ${proof.insurance_carrier}, policy ${proof.policy_number}${asked.accept ? '' : `. ${asked.because}`}`,
        })
        .execute()
      await enqueue(tx, {
        kind: 'insurance_proof_decided',
        once: proofId,
        payload: { proofId, leases },
        runAt: now,
      })
      const outcome: Decided = { ok: true, proof, leases }
      if (asked.dryRun === true) throw new TakenBack(outcome)
      return outcome
    })
  } catch (error) {
    if (error instanceof TakenBack) return error.outcome
    throw error
  }
}

export const unitsOf = (proof: Pick<Proof, 'unit_numbers'>): string =>
  (JSON.parse(proof.unit_numbers) as string[]).join(', ')

async function goByOwnPolicy(tx: Kysely<Tables>, proof: Proof): Promise<InsuredLease[]> {
  const { location_code, tenant_id, insurance_carrier: carrier, policy_number, expiration_date } = proof
  const rented = await tx
    .selectFrom('leases')
    .selectAll()
    .where('location_code', '=', location_code)
    .where('tenant_id', '=', tenant_id)
    .where('status', '!=', 'Closed')
    .where('insurance_status', '!=', 3)
    .where('unit_number', 'in', JSON.parse(proof.unit_numbers) as string[])
    .orderBy('lease_number')
    .execute()
  const insured: InsuredLease[] = []
  for (const lease of rented) {
    const changed = await tx
      .updateTable('leases')
      .set({
        ...{ insurance_status: 2, insurance_scheme_id: 0, insurance_premium: 0 },
        insurance_notes: JSON.stringify({ carrier, policy_number, expiration_date } satisfies OwnInsurance),
      })
      .where('location_code', '=', location_code)
      .where('lease_number', '=', lease.lease_number)
      .where('status', '!=', 'Closed')
      .where('insurance_status', '=', lease.insurance_status)
      .returning('lease_number')
      .executeTakeFirst()
    if (!changed) continue
    const ours = lease.insurance_status === 1
    insured.push({
      ...{ lease_number: lease.lease_number, unit_number: lease.unit_number },
      premium_ended: ours ? lease.insurance_premium : 0,
      // Asked once the lease is ours: billing that was at it has charged by now.
      charged_until: ours ? await chargedThrough(tx, lease) : null,
    })
  }
  return insured
}

export const insuranceResources = [postInsuranceUpload]

/** What a tenant has sent, the newest first. */
export async function proofsOf(
  house: House,
  of: { locationCode: string; tenantId: number },
): Promise<Selectable<InsuranceProofsTable>[]> {
  return house.db.read
    .selectFrom('insurance_proofs')
    .selectAll()
    .where('location_code', '=', of.locationCode)
    .where('tenant_id', '=', of.tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('proof_id')
    .limit(50)
    .execute()
}

/** A kept file for its own tenant; null for anybody else's, and where there is none. */
export async function proofFile(
  house: House,
  account: TenantCaller,
  proofId: string,
): Promise<{ name: string; content: Uint8Array } | null> {
  if (!/^[0-9a-f-]{36}$/.test(proofId)) return null
  const row = await house.db.read
    .selectFrom('insurance_proofs')
    .select(['location_code', 'tenant_id', 'file_key', 'file_name'])
    .where('proof_id', '=', proofId)
    .executeTakeFirst()
  const own = row && ownTenant(account, { location_code: row.location_code, tenant_id: row.tenant_id })
  const file = own ? await house.files.get(row.file_key) : null
  return row && file ? { name: row.file_name, content: file.content } : null
}
