import type { Cents } from '../../domain/money.ts'
import type { Permission } from '../../domain/office/roles-and-permissions.ts'
import { officeNotFound } from '../../domain/texts/office-refusals.ts'
import { type EntryNote, loadEntryNotes } from '../../modules/ledger/views/fees-and-periods-to-correct.ts'
import { type LedgerPage, loadLedgerPage } from '../../modules/ledger/views/ledger-page.ts'
import { loadTenantForStaff, type OpenedTenant } from '../../modules/tenant-view/views/permitted-tenant-and-leases.ts'
import type { InternalOperation } from '../../platform/operations/operation.ts'
import type { Services } from '../../platform/operations/services.ts'
import { type OfficePage, openOfficePage } from './open-office-page.ts'
import { parseRecordNumber } from './parse-record-number.ts'

type Args = Parameters<typeof openOfficePage>[0] & { params: { location?: string; tenant?: string; lease?: string } }

type Lease = OpenedTenant['leases'][number]

export interface OpenedTenantPage extends OpenedTenant {
  page: OfficePage
  services: Services
  location: OpenedTenant['facts']['location']
}

export interface OpenedLeasePage extends OpenedTenantPage {
  lease: Lease
  /** Ledger entries, newest first, at most 50; older ones with `?after=`. */
  entries: LedgerPage['entries']
  older: LedgerPage['older']
  /** Notes by entry id. */
  notes: Map<string, EntryNote>
  balance: Cents
  /** Id of the newest entry, '' for none. With the balance, the ledger state that forms send back. */
  newest: string
}

const notFound = () => new Response(officeNotFound, { status: 404 })

/** Office operation with a page of its own, which requires the operation's permission. */
type PageOperation = Pick<InternalOperation, 'name' | 'permission'>

function permissionOf({ name, permission }: PageOperation): Permission {
  if (permission === undefined) throw new Error(`${name} does not name the permission for its page`)
  return permission
}

/**
 * Opens the tenant in the address, for a loader or action of the office.
 * @param operation the page's operation, whose permission is required at the tenant's facility; by default `file.read`
 *   is required
 * @throws a redirect to sign-in; 404 when the tenant does not exist, when the staff member lacks the permission, or when
 *   the tenant was erased and an operation other than the export is given
 */
export async function openTenantPage(args: Args, operation?: PageOperation): Promise<OpenedTenantPage> {
  const page = await openOfficePage(args)
  const { services } = page.site
  const tenantId = parseRecordNumber(args.params.tenant)
  if (tenantId === undefined) throw notFound()
  const tenantKey = { locationCode: args.params.location ?? '', tenantId }
  const file = await loadTenantForStaff(
    services,
    page.staff,
    tenantKey,
    operation ? permissionOf(operation) : 'file.read',
  )
  if (!file) throw notFound()
  return { ...file, page, services, location: file.facts.location }
}

/**
 * Opens the lease in the address, with its tenant and a page of its ledger.
 * @throws as `openTenantPage`; 404 when the tenant has no such lease
 */
export async function openLeasePage(args: Args, operation?: PageOperation): Promise<OpenedLeasePage> {
  const file = await openTenantPage(args, operation)
  const lease = file.leases.find(({ lease_number }) => lease_number === parseRecordNumber(args.params.lease))
  if (!lease) throw notFound()
  return { ...file, lease, ...(await loadLedger(file, lease)) }
}

/** Loads a page of a lease's ledger, older entries with `?after=`. */
export async function loadLedger({ services, page }: Pick<OpenedTenantPage, 'services' | 'page'>, lease: Lease) {
  const after = page.url.searchParams.get('after')
  const [ledgerPage, newest] = await Promise.all([
    loadLedgerPage(services.db.read, lease, after),
    after === null ? undefined : loadLedgerPage(services.db.read, lease),
  ])
  return {
    ...ledgerPage,
    balance: lease.balance,
    newest: (newest ?? ledgerPage).entries[0]?.entry_id ?? '',
    notes: await loadEntryNotes(services.db.read, lease, ledgerPage.entries),
  }
}
