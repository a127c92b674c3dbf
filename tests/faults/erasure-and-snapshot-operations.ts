/** Erasures, exports, nightly snapshots and photographs, which office.test.ts kills before they finish. */
import sharp from 'sharp'
import { addDays } from '../../domain/plain-date.ts'
import { runBilling } from '../../modules/billing/run-billing.ts'
import { performOrThrow } from '../../modules/cash-drawers/testing.ts'
import { SavePhotographs } from '../../modules/facilities/operations/reorder-describe-or-remove-photographs.ts'
import { photoWidths } from '../../modules/facilities/rules/photograph.ts'
import { hashPhotos, loadPhotos } from '../../modules/facilities/store-photographs.ts'
import { loadPhotographFile } from '../../modules/facilities/views/photograph-file.ts'
import {
  chargeNextPeriod,
  leaseOf,
  type PayingServices,
  payAtCounter,
  recordOf,
  recordsOf,
} from '../../modules/payments/testing.ts'
import { finishErasures } from '../../modules/privacy/finish-erasure.ts'
import { EraseTenant } from '../../modules/privacy/operations/erase-tenant.ts'
import { loadTenantKeys, tenantVersionOf } from '../../modules/privacy/tenant-record-ids.ts'
import { loadStoredRoll } from '../../modules/reports/load-stored-rent-roll.ts'
import { saveDailySnapshots } from '../../modules/reports/save-daily-snapshots.ts'
import { DecideApproval } from '../../modules/staff/operations/decide-approval.ts'
import { addNote } from '../../modules/tenants/add-note.ts'
import { addRecord, lease, tenant } from '../support/rows.ts'
import type { OfficeAct, People } from './killed-operation-interfaces.ts'

const DAY = 86_400_000
const proofOf = (number: number) => `proofs/${number}.pdf`

/**
 * Adds a former tenant with a closed lease, a note and an insurance proof.
 * @returns tenant id, which is also the lease's number
 */
async function addFormerTenant(services: PayingServices): Promise<number> {
  const number = 30_001 + (await recordsOf(services, 'tenants')).filter((row) => row.tenant_id > 30_000).length
  const tenantKey = { location_code: 'GA1', tenant_id: number }
  const email = `gus.${number}@example.com`
  await addRecord(
    services,
    'tenants',
    tenant({ ...tenantKey, first: 'Gus', last: `Gone${number}`, email, email_key: email }),
  )
  const closing = { status: 'Closed' as const, closed_on: '2018-05-04', paid_through: '2018-05-03' }
  await addRecord(
    services,
    'leases',
    lease({ ...tenantKey, ...closing, lease_number: number, unit_id: 1, unit_number: '101', gate_code: '' }),
  )
  await services.files.put(proofOf(number), new Uint8Array([1]), 'application/pdf')
  await addRecord(services, 'insurance_proofs', {
    ...tenantKey,
    proof_id: `proof-${number}`,
    unit_numbers: '101',
    tenant_name: 'Gus',
    tenant_email: email,
    policy_number: 'P1',
    insurance_carrier: 'Gus & Co',
    expiration_date: '2018-12-31',
    file_name: 'proof.pdf',
    file_key: proofOf(number),
    content_type: 'application/pdf',
    bytes: 1,
    created_at: 0,
  })
  await services.db.transaction((tx) =>
    addNote(tx, services, { locationCode: 'GA1', tenantId: number, note: 'Gus called', staffId: 'a' }),
  )
  return number
}

/**
 * Adds a former tenant and requests their erasure.
 * @returns tenant id, and the input that approves the request
 */
async function requestErasure(services: PayingServices, { manager }: People) {
  const number = await addFormerTenant(services)
  const keys = await loadTenantKeys(services.db.read, { locationCode: 'GA1', tenantId: number })
  const input = {
    location_code: 'GA1',
    tenant_id: number,
    reason: 'In writing',
    made_from: keys ? tenantVersionOf(keys) : '',
  }
  const { approval_id } = await performOrThrow(services, EraseTenant, input, manager)
  return { number, input: { approval_id, location_code: 'GA1', decision: 'approve', because: '' } }
}

/**
 * Finishes an erasure and finds violations: the tenant's name, proof, notes or file are left, the lease is gone, or
 * there is not exactly one finished erasure and audit event, or no approval.
 */
async function findErasureViolations(services: PayingServices, number: number, approval_id: string): Promise<string[]> {
  await finishErasures(services)
  const tenantKey = { location_code: 'GA1', tenant_id: number }
  const row = await recordOf(services, 'tenants', tenantKey)
  const erased = await recordsOf(services, 'erasures', tenantKey)
  const events = await recordsOf(services, 'audit_events', { tenant_id: number })
  const times = (kind: string) => events.filter((event) => event.kind === kind).length
  const remaining = [
    ...(await recordsOf(services, 'insurance_proofs', tenantKey)),
    ...(await recordsOf(services, 'tenant_notes', tenantKey)).filter(({ note }) => note.includes('Gus')),
  ]
  const state = (await recordOf(services, 'approvals', { approval_id })).state
  return [
    ...(row.first === 'Erased' && row.email === '' && row.erased_at !== null ? [] : [`${row.first} is on file`]),
    ...(remaining.length === 0 ? [] : [`${remaining.length} rows are left`]),
    ...((await services.files.get(proofOf(number))) === null ? [] : ['the file is left']),
    ...(erased.length === 1 && erased[0]?.files === '[]' && erased[0].finished_at !== null
      ? []
      : [`erasures: ${JSON.stringify(erased)}`]),
    ...(times('tenant.erased') === 1 && state === 'approved' ? [] : [`${state}, told ${times('tenant.erased')} times`]),
    ...((await leaseOf(services, number)).status === 'Closed' ? [] : ['the lease is gone']),
  ]
}

/**
 * Checks that each facility has one snapshot of the day with as many units as its stored rent roll, and that GA1's has
 * the sum of its leases' balances.
 * @returns violations
 */
async function findSnapshotViolations(services: PayingServices, day: string): Promise<string[]> {
  const violations: string[] = []
  for (const location_code of ['GA1', 'HI1']) {
    const rows = await recordsOf(services, 'daily_figures', { location_code, day })
    const roll = await loadStoredRoll(services.db.read, location_code, day)
    const [figures] = rows
    if (rows.length !== 1 || figures?.kept !== 1) violations.push(`${location_code}: ${rows.length} rows`)
    else if (roll?.day !== day) violations.push(`${location_code}: the roll is of ${roll?.day}`)
    else if (roll.roll.units.length !== figures.units)
      violations.push(`${location_code}: ${roll.roll.units.length} units in the roll, ${figures.units} in the figures`)
  }
  const sum = (await recordsOf(services, 'leases', { location_code: 'GA1' })).reduce((all, row) => all + row.balance, 0)
  const { balances } = await recordOf(services, 'daily_figures', { location_code: 'GA1', day })
  return [...violations, ...(balances === sum ? [] : [`balances ${balances}, leases ${sum}`])]
}

export const storedDataActs: readonly OfficeAct[] = [
  {
    name: 'the approval of an erasure',
    by: 'district',
    async prepare(services, _, people) {
      const { number, input } = await requestErasure(services, people)
      const findViolations = () => findErasureViolations(services, number, input.approval_id)
      return { operation: 'DecideApproval', input, findViolations }
    },
  },
  {
    name: 'the files of an erasure',
    by: 'district',
    async prepare(services, _, people) {
      const { number, input } = await requestErasure(services, people)
      await performOrThrow(services, DecideApproval, input, people.district)
      const findViolations = () => findErasureViolations(services, number, input.approval_id)
      return { operation: 'finishErasures', input: {}, findViolations }
    },
  },
  {
    name: 'a tenant exported',
    by: 'district',
    async prepare(services) {
      const number = await addFormerTenant(services)
      services.later(DAY)
      return {
        operation: 'ExportTenant',
        input: { location_code: 'GA1', tenant_id: number },
        async findViolations() {
          const events = await recordsOf(services, 'audit_events', { kind: 'tenant.exported', tenant_id: number })
          return events.length > 0 ? [] : ['an archive left untold']
        },
      }
    },
  },
  {
    name: 'the night’s snapshot',
    async prepare(services) {
      await runBilling(services)
      // The balance of lease 10002 changes, so that the balances of an earlier snapshot would not agree.
      if ((await leaseOf(services, 10002)).balance > 0) {
        const { balance } = await leaseOf(services, 10002)
        await payAtCounter(services, 10002, balance, `COUNTER${services.random.hex(6)}`)
      } else await chargeNextPeriod(services, 10002)
      if ((await recordsOf(services, 'daily_figures')).length === 0) {
        services.later(DAY)
        await saveDailySnapshots(services)
        await runBilling(services)
      }
      services.later(DAY)
      const day = addDays(new Date(services.clock.now()).toISOString().slice(0, 10), -1)
      return { operation: 'saveDailySnapshots', input: {}, findViolations: () => findSnapshotViolations(services, day) }
    },
  },
  {
    name: 'a photograph of a facility',
    by: 'district',
    async prepare(services, _, { district }) {
      const earlierPhotos = await loadPhotos(services.db.read, ['GA1'])
      if (earlierPhotos.length > 0)
        await performOrThrow(
          services,
          SavePhotographs,
          { location_code: 'GA1', photos: [], before: hashPhotos(earlierPhotos) },
          district,
        )
      const red = { r: 180, g: services.random.integer(0, 200), b: 40 }
      const picture = sharp({ create: { width: 1200, height: 900, channels: 3, background: red } })
      const files = [new Uint8Array(await picture.jpeg().toBuffer())]
      const events = async () => (await recordsOf(services, 'audit_events', { kind: 'photographs.saved' })).length
      const eventsBefore = await events()
      return {
        operation: 'AddPhotographs',
        input: { location_code: 'GA1', files },
        async findViolations() {
          const photos = await loadPhotos(services.db.read, ['GA1'])
          const added = photos.length
          const newEvents = (await events()) - eventsBefore
          const missing: string[] = []
          for (const { photo_id: photoId } of photos)
            for (const width of photoWidths)
              if (!(await loadPhotographFile(services, { kind: 'facilities', locationCode: 'GA1', photoId, width })))
                missing.push(`${photoId} ${width}`)
          return [...missing, ...(added === newEvents && added > 0 ? [] : [`${added} added by ${newEvents} acts`])]
        },
      }
    },
  },
]
