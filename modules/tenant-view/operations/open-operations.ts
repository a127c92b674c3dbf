/** Opening a file, and looking at what is sealed in it: both are audit events. */
import * as v from 'valibot'
import { formatUs, isValid } from '../../../domain/plain-date.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { type Callers, may, type StaffCaller } from '../../../platform/operations/callers.ts'
import { integer, locationCode } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { autopayPartyOf } from '../../leases/autopay-mandate.ts'
import type { Lease } from '../../ledger/totals.ts'
import { openTasksAbout } from '../../staff/tasks.ts'
import { flagsOf } from '../../tenants/flags.ts'
import { readIdentity } from '../../tenants/identity.ts'
import { transfersOf } from '../../transfers/transfer.ts'
import { OpenTenantDocument } from '../documents.ts'
import { documentsOf, fileLeases, portalOf, reservationsOf, sensitiveOnFile } from '../file.ts'
import { type FileKey, type OpenedFile, openTenant } from '../open.ts'
import { timelineOf } from '../timeline.ts'

const whose = { location_code: locationCode(), tenant_id: integer() }

/** Opening it again within so long is the same event. */
const SAME_OPENING_MS = 10 * 60_000

/** Keeps that a person has opened a file. */
async function noteOpening(services: Services, callers: Callers, of: FileKey): Promise<void> {
  const { staffId } = callers.staff as StaffCaller
  const known = await services.db.read
    .selectFrom('audit_events')
    .select('event_id')
    .where((eb) => eb.and({ location_code: of.locationCode, tenant_id: of.tenantId, staff_id: staffId }))
    .where('kind', '=', 'file.opened')
    .where('at', '>', services.clock.now() - SAME_OPENING_MS)
    .limit(1)
    .executeTakeFirst()
  if (!known)
    await audit(services.db.write, services, staffActor(callers), {
      kind: 'file.opened',
      details: {},
      permission: 'file.read',
      ...of,
    })
}

/** Of a tenant with many leases, what owes most stands first: the others are a click away. */
const FIRST = 8
const PAGE = 50

const openedBy = async (services: Services, callers: Callers, input: { location_code: string; tenant_id: number }) => {
  const of = { locationCode: input.location_code, tenantId: input.tenant_id }
  const file = await openTenant(services, callers.staff as StaffCaller, of)
  return file && { of, file }
}

export const GetTenantFile = internalOperation({
  name: 'GetTenantFile',
  access: { staff: may('file.read') },
  writes: false,
  input: v.object({
    ...whose,
    /** The one that is looked at; the first where left out. */
    lease_number: v.optional(integer()),
    /** `older` of the timeline's page before. */
    before: v.optional(v.nullable(integer()), null),
    /** All leases, 50 at a time, and not the first few alone. */
    all: v.optional(v.boolean(), false),
    after_lease: v.optional(integer()),
  }),
  example: { input: { location_code: 'ATL01', tenant_id: 1001 } },
  async run(services, { lease_number, before, all, after_lease, ...input }, callers) {
    const opened = await openedBy(services, callers, input)
    if (!opened) return notOnFile
    const { of, file } = opened
    const { read } = services.db
    const looked = file.leases.find((one) => one.lease_number === lease_number) ?? file.leases[0]
    const first = file.leases.filter((one, at) => at < FIRST || one === looked)
    const from = file.leases.findIndex((one) => one.lease_number === after_lease) + 1
    const shown = all ? file.leases.slice(from, from + PAGE) : first
    const [leases, flags, portal, tasks, documents, reservations] = await Promise.all([
      fileLeases(services, { ...file, leases: shown }, callers.staff as StaffCaller),
      flagsOf(read, of, file.tenant),
      portalOf(services, file.tenant),
      openTasksAbout(read, of),
      documentsOf(read, { ...of, leases: first }),
      reservationsOf(read, of),
      noteOpening(services, callers, of),
    ])
    const timeline = await timelineOf(
      services,
      {
        ...of,
        accountId: file.tenant.account_id,
        leaseNumbers: file.leases.map((one) => one.lease_number),
        reservationCodes: reservations.map((one) => one.reservation_code),
      },
      before,
    )
    return succeed({
      facts: file.facts,
      tenant: file.tenant,
      leases,
      flags,
      portal,
      tasks,
      documents,
      reservations,
      timeline,
      looked: looked ?? null,
      sensitive: sensitiveOnFile(services, { ...file, leases: first }),
      /** Of every one what its row need not say. */
      leasesOnFile: file.leases.map((one) => ({
        number: one.lease_number,
        unit: one.unit_number,
        status: one.status,
        movedIn: one.move_in_date,
        lienCase: one.lien_case,
      })),
      first: first.map((one) => one.lease_number),
      nextLease: all && from + PAGE < file.leases.length ? (shown.at(-1)?.lease_number ?? null) : null,
    })
  },
})

export const GetLeaseFile = internalOperation({
  name: 'GetLeaseFile',
  access: { staff: may('file.read') },
  writes: false,
  input: v.object({ ...whose, lease_number: integer() }),
  example: { input: { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001 } },
  async run(services, { lease_number, ...input }, callers) {
    const opened = await openedBy(services, callers, input)
    const lease = opened?.file.leases.find((one) => one.lease_number === lease_number)
    if (!opened || !lease) return notOnFile
    const { of, file } = opened
    const { read } = services.db
    const [[shown], documents, transfers] = await Promise.all([
      fileLeases(services, { ...file, leases: [lease] }, callers.staff as StaffCaller),
      documentsOf(read, { ...of, leases: [lease] }),
      transfersOf(read, lease),
      noteOpening(services, callers, of),
    ])
    return shown
      ? succeed({
          facts: file.facts,
          tenant: file.tenant,
          lease,
          shown,
          documents,
          transfers,
          others: file.leases.length - 1,
        })
      : notOnFile
  },
})

export const ShowSensitive = internalOperation({
  name: 'ShowSensitive',
  access: { staff: may('sensitive.show') },
  input: v.object({
    ...whose,
    what: v.picklist(['licence', 'birth date', 'bank account']),
    /** Whose autopay the bank account is. */
    lease_number: v.optional(integer()),
  }),
  example: { input: { location_code: 'ATL01', tenant_id: 1001, what: 'licence' } },
  async run(services, { what, lease_number, ...input }, callers) {
    const opened = await openedBy(services, callers, input)
    const lease = opened?.file.leases.find((one) => one.lease_number === lease_number)
    const lines = opened && linesOf(services, opened.file, what, lease)
    if (!opened || !lines) return notOnFile
    // Written before it is shown.
    await audit(services.db.write, services, staffActor(callers), {
      kind: 'sensitive.shown',
      details: { what },
      permission: 'sensitive.show',
      ...opened.of,
      ...(lease && { leaseNumber: lease.lease_number }),
    })
    return succeed({ what, lines })
  },
})

const day = (text: string): string => (isValid(text) ? formatUs(text) : text)

type Lines = [label: string, value: string][]

/** @returns null where there is nothing of the kind on file */
function linesOf(
  services: Services,
  { tenant }: OpenedFile,
  what: 'licence' | 'birth date' | 'bank account',
  lease: Lease | undefined,
): Lines | null {
  if (what === 'bank account') {
    const party = lease && autopayPartyOf(services, lease)
    if (!party || 'alias' in party) return null
    return [
      ['Routing number', party.routing],
      ['Account number', party.account],
    ]
  }
  const identity = readIdentity(services, tenant)
  if (what === 'birth date') return identity.birth_date ? [['Birth date', day(identity.birth_date)]] : null
  if (!identity.drivers_license) return null
  const lines: Lines = [
    ["Driver's licence", identity.drivers_license],
    ['State', identity.issued_state ?? ''],
    ['Expires', day(identity.expiration_date ?? '')],
  ]
  return lines.filter(([, value]) => value !== '')
}

export const openOperations = [GetTenantFile, GetLeaseFile, ShowSensitive, OpenTenantDocument]
