import { emailKey, nameKey } from '../../domain/name-and-email-keys.ts'
import { addDays } from '../../domain/plain-date.ts'
import { slugOf } from '../../modules/facilities/rules/facility-slug.ts'
import { VACATE_REASON_ID } from '../../modules/move-outs/schedule-and-cancel-move-out.ts'
import { PERIOD_DAYS } from '../../modules/pricing/rules/fixed-billing-period-length.ts'
import { leaseStatus } from '../../modules/standing/rules/lease-status.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { FileName, ImportTable, Values } from './import-file-definition.ts'

export type ImportServices = Pick<Services, 'clock' | 'random'>

export const gateCodeColumns = ['location_code', 'gate_code', 'tenant_id', 'lease_number', 'time_zone_name']

export const leaseFeeColumns = ['location_code', 'lease_number', 'fee_id', 'amount']

const leaseColumns = [
  'location_code',
  'lease_number',
  'tenant_id',
  'unit_number',
  'move_in_date',
  'paid_through',
  'rent',
  'insurance_scheme_id',
  'insurance_premium',
  'insurance_notes',
  'discount_id',
  'gate_code',
  'combo_code',
  'auction_prepped',
  'terms_required',
  'closed_on',
  'scheduled_move_out',
  'details',
]

/** Returns the columns of an import file's staging table, in the order of `stagedRow`. */
export function stagedColumns(table: ImportTable): string[] {
  const names = Object.keys(table.columns)
  switch (table.file) {
    case 'facilities':
      return [...names, 'slug', 'city_slug']
    case 'tenants':
      return [...names, 'first_key', 'last_key', 'email_key']
    case 'leases':
      return [...leaseColumns, 'status', 'insurance_status', 'imported', 'move_out_reason']
    case 'balances':
      return [
        'entry_id',
        'location_code',
        'lease_number',
        'kind',
        'cents',
        'posted_on',
        'once',
        'period_start',
        'period_end',
      ]
    default:
      return names
  }
}

/** Returns the columns that an import sets to the same value in all rows of a file. @param now epoch milliseconds */
export function constantColumns(file: FileName, now: number): Readonly<Record<string, string | number | null>> {
  switch (file) {
    case 'settings':
      return { updated_at: now }
    case 'facilities':
      return { changed_at: now }
    case 'units':
      return { held_by: null, held_until: null }
    case 'tenants':
      return { account_id: null, identity_sealed: null, grant_online_access: 0, created_at: now }
    case 'leases':
      return {
        reservation_code: null,
        terms_accepted_at: null,
        overlocked: null,
        document_id: null,
        order_id: null,
        autopay: 0,
        autopay_method: '',
        autopay_sealed: null,
        autopay_label: '',
        autopay_consent_at: null,
        autopay_consent_text: null,
        created_at: now,
      }
    case 'balances':
      return { description: openingDescription, order_id: null, created_at: now }
    default:
      return {}
  }
}

/**
 * Returns an imported row in the order of `stagedColumns`, with computed values such as search keys.
 * @param fileValues values in the order of the file's columns
 * @param values the same values by column
 */
export function stagedRow(
  file: FileName,
  fileValues: unknown[],
  values: Values,
  { today, random }: { today: string; random: Services['random'] },
): unknown[] {
  switch (file) {
    case 'facilities':
      return [...fileValues, slugOf(String(values.address)), slugOf(String(values.city))]
    case 'tenants':
      return [
        ...fileValues,
        nameKey(String(values.first)),
        nameKey(String(values.last)),
        emailKey(String(values.email)),
      ]
    case 'leases':
      return leaseRow(values, today)
    case 'balances':
      return balanceRow(random.uuid(), values, today)
    default:
      return fileValues
  }
}

/** Returns a lease's row without unit id and type, which are joined by unit number when the row is loaded. */
function leaseRow(values: Values, today: string): unknown[] {
  const status = leaseStatus(
    { auctionPrepped: values.auction_prepped === 1, balance: 0, paidThrough: String(values.paid_through) },
    today,
  )
  return [
    ...leaseColumns.map((column) => values[column]),
    values.closed_on === null ? status : 'Closed',
    values.insurance_status ?? (values.insurance_scheme_id === 0 ? 0 : 1),
    JSON.stringify({ from: values.imported_from, on: today, signed_on: values.signed_on ?? values.move_in_date }),
    // Files name no reason, so a move-out gets the only one that spec 2 names.
    values.scheduled_move_out === null ? null : VACATE_REASON_ID,
  ]
}

/** Returns a balance's ledger entry. An unpaid period is entered as rent, so that billing does not charge it again. */
function balanceRow(id: string, values: Values, today: string): unknown[] {
  const start = values.period_start === null ? null : String(values.period_start)
  const kind = start !== null ? 'rent' : Number(values.amount) < 0 ? 'credit' : 'fee'
  const once = start === null ? openingBalance : `${openingBalance}:${start}`
  const end = start === null ? null : addDays(start, PERIOD_DAYS - 1)
  return [
    id,
    values.location_code,
    values.lease_number,
    kind,
    values.amount,
    values.posted_on ?? start ?? today,
    once,
    start,
    end,
  ]
}

export const openingBalance = 'imported:balance'

export const openingDescription = 'Opening balance'
