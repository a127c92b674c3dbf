/** Loads the rows of the past-due list and the form that is open below a row. */
import { formatShort, formatUs } from '../../../domain/plain-date.ts'
import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import {
  type LeaseToCall,
  loadCallingList,
  loadRowFormValues,
} from '../../../modules/collections/views/calling-list.ts'
import { MAX_FACILITIES } from '../../../modules/collections/views/past-due-list.ts'
import { grantAt } from '../../../platform/operations/facilities-of-staff.ts'
import { loadFacilitiesInView } from '../facilities-in-view.ts'
import { hasPermission, type OfficePage } from '../open-office-page.ts'
import { tenantPath } from '../tenant-paths.ts'
import { type PastDueQuery, type RowAct, rowActNames, rowActs } from './past-due-row-operations.ts'

/** Permissions of which each opens the past-due list at a facility. Field staff have neither. */
const listPermissions = ['link.send', 'report.read'] as const

/**
 * Loads the facilities of the past-due page, up to the maximum read at once, and whether there are more.
 * @throws 404 for a staff member without access to the list
 */
async function loadPastDueFacilities(page: OfficePage) {
  if (!listPermissions.some((permission) => hasPermission(page.staff, permission)))
    throw new Response(officeNotFound, { status: 404 })
  const view = await loadFacilitiesInView(page, listPermissions)
  const places = view.options.filter(({ code }) => view.codes === 'all' || view.codes.includes(code))
  return { places: places.slice(0, MAX_FACILITIES), more: places.length > MAX_FACILITIES }
}

/** Loads the past-due list, with the operations that each row offers. */
export async function loadPastDuePage(page: OfficePage, listQuery: PastDueQuery) {
  const { places, more } = await loadPastDueFacilities(page)
  const list = await loadCallingList(page.site.services, places, listQuery)
  return { ...list, more, rows: list.rows.map((row) => toCallingRow(page, row)) }
}

function toCallingRow(page: OfficePage, row: LeaseToCall) {
  const acts = rowActNames.filter((act) => {
    const grant = grantAt(page.staff, rowActs[act].permission, row.locationCode)
    return grant !== undefined && grant !== 'reads' && (act !== 'case' || row.mayOpenCase)
  })
  const { key, unit, days, owed, tenant, noCalls, phone, step, next } = row
  return {
    key,
    unit,
    days,
    owed,
    tenant,
    noCalls,
    phone,
    acts,
    place: row.locationCode,
    location: row.locationCode,
    tenantId: row.tenantId,
    lease: row.leaseNumber,
    file: `${tenantPath({ location: row.locationCode, tenant: row.tenantId })}?lease=${row.leaseNumber}`,
    casePath: row.lienCase === null ? null : `/office/liens/${row.lienCase}`,
    lastPaid: row.lastPaid === null ? '' : formatShort(row.lastPaid),
    promise: row.promise && {
      on: formatShort(row.promise.on),
      cents: row.promise.cents,
      state: row.promise.state,
    },
    step,
    next,
  }
}

export type CallingRow = ReturnType<typeof toCallingRow>

/**
 * Prepares the form of an operation below a row of the past-due list; null when no row or operation is chosen, or the
 * row does not offer the operation.
 */
export async function prepareRowForm(page: OfficePage, row: CallingRow | undefined, act: RowAct | null) {
  if (!row || act === null || !row.acts.includes(act)) return null
  const { services } = page.site
  const lease = { locationCode: row.location, leaseNumber: row.lease }
  const formValues = await loadRowFormValues(services, lease)
  return {
    row: row.key,
    act,
    key: services.random.uuid(),
    hidden: { balance: String(row.owed), newest_entry: formValues.newestEntry },
    promiseOn: formatUs(formValues.promiseOn),
  }
}
