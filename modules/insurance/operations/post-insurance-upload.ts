import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import * as v from 'valibot'
import { formatUs } from '../../../domain/plain-date.ts'
import { invalidTenantId } from '../../../domain/texts/payment.ts'
import { someFieldsInvalid } from '../../../domain/texts/some-fields-invalid.ts'
import {
  readUpload,
  UPLOAD_MAX_BYTES,
  UPLOAD_MAX_MB,
  uploadFaultMessages,
} from '../../../domain/upload-size-and-file-types.ts'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { namedTenants, ownTenantNamed } from '../../../platform/operations/callers.ts'
import {
  integer,
  locationCode,
  optionalText,
  requiredText,
  unmodifiedText,
} from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import {
  fieldComparisons,
  refuseDifferingFields,
} from '../../../platform/operations/refuse-fields-that-differ-from-record.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { InsuranceProofsTable } from '../../../platform/schema/tables.ts'
import { loadToday } from '../../facilities/facility-facts-for-pricing.ts'
import { policyExpired } from '../../move-in/texts/move-in.ts'
import { addNote } from '../../tenants/add-note.ts'
import { loadTenant } from '../../tenants/tenant.ts'
import { proofOfInsurance } from '../rules/proof-form.ts'

/** Input schema of the file of an insurance proof: bytes from a form, or text in base64. */
const fileField = v.union(
  [
    v.instance(Uint8Array),
    v.pipe(
      unmodifiedText,
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
      v.array(requiredText(20)),
      v.pipe(
        requiredText(20),
        v.transform((unit) => [unit]),
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
  summary: `Takes proof of a tenant’s own insurance: a JPEG, GIF, PNG, PDF or EPS of at most ${UPLOAD_MAX_MB} MB as a multipart form, or of 700 kB in base64. Name and e-mail are those on file; others are 409.`,
  access: { tenant: ownTenantNamed },
  multipart: true,
  input: v.object({
    location_code: locationCode(),
    /** Tenant id; when omitted, the account's tenant who rents the units. */
    tenant_id: v.optional(integer(invalidTenantId)),
    unit_numbers: unitNumbers,
    policy_number,
    insurance_carrier,
    expiration_date,
    file: fileField,
    tenant_name: optionalText(200),
    tenant_email: optionalText(254),
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
  async run(services, { tenant_id: namedTenantId, ...input }, callers) {
    const refuseField = (field: string, message: string) =>
      refuse(400, 'invalid_input', someFieldsInvalid, { fields: { [field]: message } })
    const upload = readUpload(input.file)
    if (!upload.ok) return refuseField('file', uploadFaultMessages[upload.fault])
    const today = await loadToday(services.db.read, services, input.location_code)
    // An expired policy is refused, as in a move-in.
    if (today === undefined || input.expiration_date < today) return refuseField('expiration_date', policyExpired)
    const units = [...new Set(input.unit_numbers)].sort()
    const candidates = namedTenants(callers.tenant ?? { tenants: [] }, { ...input, tenant_id: namedTenantId })
    const rented = await findRentedUnits(services, input.location_code, candidates, units)
    const tenant = rented && (await loadTenant(services.db.read, input.location_code, rented.tenant_id))
    // An unknown unit and another tenant's get the same refusal.
    if (!rented || !tenant) return refuseField('unit_numbers', 'Choose units that you rent here.')
    const refusal = refuseDifferingFields(input, {
      tenant_name: fieldComparisons.name(`${tenant.first} ${tenant.last}`),
      tenant_email: fieldComparisons.email(tenant.email),
    })
    if (refusal) return refusal
    const { policy_number, insurance_carrier, expiration_date, file } = input
    const { location_code, tenant_id } = tenant
    const values = [location_code, tenant_id, policy_number, insurance_carrier, expiration_date, units, today]
    const proof_id = proofIdOf(values, file)
    const { extension, contentType } = upload.type
    const file_key = `insurance/${location_code.toLowerCase()}/${proof_id}.${extension}`
    // The file is stored first, so that a row never names a missing file.
    await services.files.put(file_key, file, contentType)
    const proof = {
      proof_id,
      location_code,
      tenant_id,
      policy_number,
      insurance_carrier,
      expiration_date,
      file_key,
      unit_numbers: JSON.stringify(units),
      tenant_name: `${tenant.first} ${tenant.last}`,
      tenant_email: tenant.email,
      file_name: `proof-of-insurance-${units[0]?.replace(/[^A-Za-z0-9-]/g, '') ?? ''}.${extension}`,
      content_type: contentType,
      bytes: file.byteLength,
      created_at: services.clock.now(),
    }
    await recordProof(services, proof, rented.leases)
    return succeed({ result: 'success', proof_id })
  },
})

/**
 * Finds, among tenants with the given ids, one who rents all of these units at the facility.
 * @returns the tenant's id and the leases of the units; undefined when no tenant rents all of them
 */
async function findRentedUnits(
  services: Services,
  locationCode: string,
  tenants: { tenantId: number }[],
  units: string[],
) {
  const leases = await services.db.read
    .selectFrom('leases')
    .select(['tenant_id', 'unit_number', 'lease_number'])
    .where('location_code', '=', locationCode)
    // -1 is no tenant; it keeps the list from being empty, which SQL does not accept.
    .where('tenant_id', 'in', [-1, ...tenants.map((tenant) => tenant.tenantId)])
    .where('status', '!=', 'Closed')
    .where('unit_number', 'in', units)
    .execute()
  const match = [...Map.groupBy(leases, (lease) => lease.tenant_id)].find(([, group]) => group.length === units.length)
  return match && { tenant_id: match[0], leases: match[1] }
}

/**
 * Stores a proof of insurance that a tenant has uploaded, at most once, with a note for each lease, and enqueues the
 * mails about it.
 */
async function recordProof(
  services: Services,
  proof: Insertable<InsuranceProofsTable>,
  leases: { lease_number: number; unit_number: string }[],
): Promise<void> {
  const { proof_id, location_code: locationCode, tenant_id: tenantId, created_at: runAt } = proof
  const policy = `${proof.insurance_carrier}, policy ${proof.policy_number}, until ${formatUs(proof.expiration_date)}`
  await services.db.transaction(async (tx) => {
    const first = await tx
      .insertInto('insurance_proofs')
      .values(proof)
      .onConflict((conflict) => conflict.doNothing())
      .returning('proof_id')
      .executeTakeFirst()
    if (!first) return
    for (const { lease_number: leaseNumber, unit_number } of leases)
      await addNote(tx, services, {
        locationCode,
        tenantId,
        leaseNumber,
        note: `Sent proof of insurance for unit ${unit_number}: ${policy}.`,
      })
    for (const kind of ['insurance_proof', 'insurance_proof_office'] as const)
      await enqueue(tx, { kind, once: proof_id, payload: { proofId: proof_id }, runAt })
  })
}

/**
 * Returns the id of an uploaded proof of insurance: a hash of its fields, file and day, written as a UUID of version 8.
 * The same proof sent twice in a day therefore gets the same id and is stored once.
 */
function proofIdOf(values: unknown[], file: Uint8Array): string {
  const hex = createHash('sha256').update(JSON.stringify(values)).update('\n').update(file).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
