/** Server side of receiving cash, checks and money orders for a tenant and in a stack of checks. */

import { toWire } from '../../domain/money.ts'
import { ReceivePayment } from '../../modules/cash-drawers/operations/receive-payment.ts'
import {
  counterMethods,
  MAX_LEASES_PER_RECEIPT,
} from '../../modules/cash-drawers/rules/counter-receipt-methods-and-states.ts'
import type { ListedDrawer } from '../../modules/cash-drawers/views/drawer-lists.ts'
import {
  type LeaseToReceiveFor,
  loadReceivePaymentForm,
} from '../../modules/cash-drawers/views/receive-payment-form.ts'
import type { FormValues } from '../ui/use-form-checks.ts'
import { amountFieldName, counterPreviewFields } from './amount-field.tsx'
import type { OfficePage } from './open-office-page.ts'
import { parseDollars } from './parse-dollars.ts'
import { loadMoneyForm, type MoneyAct } from './preview-and-run-money-form.ts'

/** Returns the leases that money may be received for: open ones, and closed ones with a balance due. */
export const leasesToReceiveFor = <L extends LeaseToReceiveFor>(leases: readonly L[]): L[] =>
  leases.filter(({ status, balance }) => status !== 'Closed' || balance > 0)

/** Returns the leases that fit on one receipt: the requested one, then those with the highest balance. */
export const limitToOneReceipt = <L extends LeaseToReceiveFor>(
  leases: readonly L[],
  requestedLease: string | null,
): L[] => {
  const requestedRank = (lease: L) => Number(String(lease.lease_number) === requestedLease)
  return leases
    .toSorted((a, b) => requestedRank(b) - requestedRank(a) || b.balance - a.balance)
    .slice(0, MAX_LEASES_PER_RECEIPT)
}

/**
 * Returns the leases whose balances a submitted payment form shows, whatever their state now, so that a repeated
 * submission makes the same call.
 */
export async function leasesOfForm<L extends LeaseToReceiveFor>(request: Request, leases: readonly L[]): Promise<L[]> {
  const form = await request
    .clone()
    .formData()
    .catch(() => new FormData())
  return leases.filter(({ lease_number }) => form.has(`balance-${lease_number}`))
}

/**
 * Returns the operation of the form that receives a payment, with the form's fields for each lease.
 * @param all leases of one tenant, in any order
 */
export function receivePaymentAct(all: readonly LeaseToReceiveFor[]): MoneyAct {
  const leases = [...all].sort((a, b) => a.lease_number - b.lease_number)
  const [first] = leases
  const fieldNames = leases.map(({ lease_number }, index) => [`leases.${index}.cents`, amountFieldName(lease_number)])
  return {
    operation: ReceivePayment,
    previewFields: counterPreviewFields(leases.map(({ lease_number }) => lease_number)),
    input: (fields) => ({
      location_code: first?.location_code ?? '',
      tenant_id: first?.tenant_id ?? 0,
      batch_id: fields.drawer ?? '',
      method: fields.method ?? 'check',
      check_number: fields.check_number ?? '',
      leases: leases.map(({ lease_number }) => ({
        lease_number,
        cents: parseDollars(fields[amountFieldName(lease_number)] || '0'),
        balance: fields[`balance-${lease_number}`] ?? '',
        newest_entry: fields[`newest-${lease_number}`] ?? '',
      })),
    }),
    at: { ...Object.fromEntries(fieldNames), leases: amountFieldName(first?.lease_number ?? 0), batch_id: 'drawer' },
    skipsPreview: true,
  }
}

/**
 * Returns the drawer preselected for a receipt: the staff member's own at one of these facilities, then any own one,
 * then a colleague's at one of them; undefined without any of them.
 */
export function offeredDrawer(
  drawers: readonly ListedDrawer[],
  staffId: string,
  locationCodes: readonly string[],
): ListedDrawer | undefined {
  const own = drawers.filter(({ opened_by }) => opened_by === staffId)
  const isAtFacility = ({ location_code }: ListedDrawer) => locationCodes.includes(location_code)
  return own.find(isAtFacility) ?? own[0] ?? drawers.find(isAtFacility)
}

const drawerLabel = (drawer: ListedDrawer, own: boolean): string =>
  `${drawer.location_code} ${drawer.batch_id.slice(-4)}${own ? '' : `, ${drawer.openedByName}`}`

/**
 * Loads the data of `ReceivePanel`: leases, open drawers and the money form. Each amount starts as the lease's balance,
 * or as 0 for a credit.
 */
export async function loadReceiveForm(
  page: OfficePage,
  leases: readonly LeaseToReceiveFor[],
  { drawer, method }: { drawer?: string | null; method?: string | null } = {},
) {
  const { newestEntryIds, drawers, noChecks } = await loadReceivePaymentForm(
    page.site.services.db.read,
    page.staff,
    leases,
  )
  const ledgerStateFields: FormValues = Object.fromEntries(
    leases.flatMap(({ lease_number, balance }, index) => [
      [`balance-${lease_number}`, String(balance)],
      [`newest-${lease_number}`, newestEntryIds[index] ?? ''],
    ]),
  )
  const chosen =
    drawers.find(({ batch_id }) => batch_id === drawer) ??
    offeredDrawer(
      drawers,
      page.staff.staffId,
      leases.slice(0, 1).map(({ location_code }) => location_code),
    )
  const values: FormValues = {
    ...Object.fromEntries(
      leases.map(({ lease_number, balance }) => [amountFieldName(lease_number), toWire(Math.max(balance, 0))]),
    ),
    method: counterMethods.find((counterMethod) => counterMethod === method) ?? (noChecks ? 'cash' : 'check'),
    drawer: chosen?.batch_id ?? '',
  }
  const form = await loadMoneyForm(page, receivePaymentAct(leases), ledgerStateFields, values)
  return {
    leases: leases.map(({ lease_number, unit_number, balance }) => ({
      number: lease_number,
      unit: unit_number,
      balance,
    })),
    drawers: drawers.map((drawer) => ({
      value: drawer.batch_id,
      label: drawerLabel(drawer, drawer.opened_by === page.staff.staffId),
    })),
    noChecks,
    form,
  }
}
