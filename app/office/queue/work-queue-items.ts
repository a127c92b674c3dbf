/** Loads the work queue, items of all kinds that the staff member may see, the oldest first, and runs operations on them. */

import { loadTenantNames } from '../../../modules/leases/views/facility-unit-list.ts'
import type { QueueItem, QueueQuery } from '../../../modules/staff/rules/queue-item-and-query.ts'
import { facilitiesFor, grantAt } from '../../../platform/operations/facilities-of-staff.ts'
import { loadFacilitiesInView } from '../facilities-in-view.ts'
import { PAGE_SIZE } from '../list-limits-and-page-slicing.ts'
import { officeAction, readOfficeForm } from '../office-action.ts'
import { hasPermission, type OfficePage } from '../open-office-page.ts'
import { isQueueKind, type QueueKindName, queueKindByName, queueKindNames } from './queue-kinds.ts'

export interface QueueListQuery {
  /** Only items of this kind; null for all kinds. */
  kind: QueueKindName | null
  /** Only the staff member's own items, or those without an owner; null without this filter. */
  owner: 'me' | 'none' | null
  /** Includes tasks that other staff members own. */
  others?: true
  /** `next` of the previous page. */
  after: string | null
}

export interface QueueRow extends QueueItem {
  kind: QueueKindName
  /** Address of the item's page. */
  href: string
  /** Tenant's name; '' when the item is about no tenant or the staff member may not open tenants' pages. */
  tenant: string
  acts: { intent: string; label: string; key: string; quiet: boolean }[]
}

export const parseQueueListQuery = (url: URL): QueueListQuery => {
  const kind = url.searchParams.get('kind') ?? ''
  const owner = url.searchParams.get('owner')
  return {
    kind: isQueueKind(kind) ? kind : null,
    owner: owner === 'me' || owner === 'none' ? owner : null,
    after: url.searchParams.get('after'),
  }
}

const cursorOf = ({ at, kind, id }: QueueRow): string => `${at}~${kind}~${id}`

/**
 * Returns the item after which a kind continues on the next page of the work queue, which merges all kinds, sorted by
 * instant, kind and id. Null for the first page and for an invalid cursor.
 */
function afterFor(kind: QueueKindName, cursor: string | null): QueueQuery['after'] {
  const [, at, lastKind = '', id = ''] = /^(-?\d{1,15})~([a-z]+)~([\w-]{1,80})$/.exec(cursor ?? '') ?? []
  if (at === undefined || !isQueueKind(lastKind)) return null
  // '~' sorts after every id: at the cursor's instant, kinds before the cursor's have no rows left.
  return { at: Number(at), id: kind === lastKind ? id : kind < lastKind ? '~' : '' }
}

/**
 * Lists the kinds of queue items that the staff member may see. All staff members may see approval requests, because
 * they may have made some.
 */
const kindsOf = ({ staff }: OfficePage): QueueKindName[] =>
  queueKindNames.filter((name) => name === 'approval' || hasPermission(staff, queueKindByName(name).permission))

/** Returns the facilities in view whose items of one kind the work queue shows to the staff member. */
function codesFor({ staff }: OfficePage, name: QueueKindName, chosen: readonly string[]): 'all' | string[] {
  const { at, permission } = queueKindByName(name)
  const permitted = facilitiesFor(staff, at ?? permission)
  if (permitted === 'all') return chosen.length > 0 ? [...chosen] : 'all'
  return [...permitted].filter((code) => chosen.length === 0 || chosen.includes(code))
}

const queueItemPath = (kind: QueueKindName, { id }: Pick<QueueItem, 'id'>): string =>
  queueKindByName(kind).href?.(id) ?? (kind === 'approval' ? `/office/queue/${id}` : `/office/queue/${kind}/${id}`)

const rowActsOf = (kind: QueueKindName, row: QueueItem, me: string) =>
  queueKindByName(kind)
    .acts.filter(({ when, field }) => !field && (!when || when(row, me)))
    .map(({ intent, label, key, quiet }) => ({ intent, label, key, quiet: quiet === true }))

/**
 * Loads a page of the work queue, and the kinds by which the staff member may filter.
 * @param most maximum number of rows
 */
export async function loadQueuePage(
  page: OfficePage,
  { kind, owner, after, others }: QueueListQuery,
  most = PAGE_SIZE,
): Promise<{ rows: QueueRow[]; next: string | null; kinds: { name: QueueKindName; label: string }[]; query: string }> {
  const { chosen, query } = await loadFacilitiesInView(page)
  const { staff, site } = page
  const kinds = kindsOf(page)
  const kindsToRead = kinds.filter(
    (name) => (kind === null || name === kind) && (owner !== 'me' || queueKindByName(name).owned),
  )
  const all = await Promise.all(
    kindsToRead.map(async (name) => {
      const kindQuery = {
        codes: codesFor(page, name, chosen),
        picked: chosen,
        after: afterFor(name, after),
        limit: most + 1,
      }
      const rows = await queueKindByName(name).read(site.services, staff, {
        ...kindQuery,
        ...(owner && { owner }),
        ...(others && { others }),
      })
      return rows
        .filter((row) => owner === null || (row.owner?.id ?? null) === (owner === 'me' ? staff.staffId : null))
        .map(
          (row): QueueRow => ({
            ...row,
            kind: name,
            href: queueItemPath(name, row) + query,
            tenant: '',
            acts: rowActsOf(name, row, staff.staffId),
          }),
        )
    }),
  )
  const rows = all.flat().sort((a, b) => a.at - b.at || compare(a.kind, b.kind) || compare(a.id, b.id))
  const pageRows = rows.slice(0, most)
  const last = pageRows.at(-1)
  return {
    rows: await addTenantNames(page, pageRows),
    next: rows.length > most && last ? cursorOf(last) : null,
    kinds: kinds.map((name) => ({ name, label: queueKindByName(name).label })),
    query,
  }
}

/** Compares texts as `<` does, like the cursor in `afterFor`. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Loads one queue item; null when it no longer waits or the staff member has no access to it. */
export async function loadQueueItem(page: OfficePage, kind: QueueKindName, id: string): Promise<QueueRow | null> {
  if (!kindsOf(page).includes(kind)) return null
  const query = { codes: codesFor(page, kind, []), after: null, limit: 1, only: id, others: true as const }
  const [row] = await queueKindByName(kind).read(page.site.services, page.staff, query)
  if (!row) return null
  const acts = rowActsOf(kind, row, page.staff.staffId)
  const [itemWithTenant] = await addTenantNames(page, [
    { ...row, kind, href: queueItemPath(kind, row), tenant: '', acts },
  ])
  return itemWithTenant ?? null
}

/**
 * Adds tenants' names to the rows of the work queue, where the staff member may read them. Runs one statement per
 * facility.
 */
async function addTenantNames({ site, staff }: OfficePage, rows: readonly QueueRow[]): Promise<QueueRow[]> {
  const mayReadTenant = (row: QueueRow): boolean =>
    row.locationCode !== null && row.tenantId !== null && grantAt(staff, 'file.read', row.locationCode) !== undefined
  const names = new Map<string, ReadonlyMap<number, string>>()
  for (const [code, facilityRows] of Map.groupBy(rows.filter(mayReadTenant), ({ locationCode }) => locationCode ?? ''))
    names.set(
      code,
      await loadTenantNames(
        site.services.db.read,
        code,
        facilityRows.flatMap(({ tenantId }) => tenantId ?? []),
      ),
    )
  return rows.map((row) => ({ ...row, tenant: names.get(row.locationCode ?? '')?.get(row.tenantId ?? 0) ?? '' }))
}

/**
 * Runs the pressed button's operation on a queue item, from the item's row or page.
 * @param back address to return to
 * @throws a redirect to `back` when the operation is done, or to the second factor
 * @returns the refusal and the typed values
 */
export async function runQueueItemOperation(page: OfficePage, request: Request, back: string) {
  const form = await readOfficeForm(page, request)
  const { kind = '', id = '', location = '', tenant = '', lease = '', task = '', text = '' } = form.typed
  const act = isQueueKind(kind) ? queueKindByName(kind).acts.find(({ intent }) => intent === form.intent) : undefined
  // Without operations to choose from, the form is refused.
  if (!act) return officeAction(page, form, {})
  const { operation, done, field } = act
  const me = page.staff.staffId
  return officeAction(page, form, {
    act: {
      operation,
      input: () => act.input({ id, location, tenant, lease, task, text, me }),
      fieldNames: (name) => (name === field?.inputName ? `text-${form.intent}` : 'form'),
      done,
      back,
    },
  })
}
