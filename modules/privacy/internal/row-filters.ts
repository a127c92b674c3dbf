/** Filters that find the rows about a tenant. An empty list of keys finds no rows, and neither does a null key. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { TenantRowKey } from '../../../platform/schema/table-privacy-card-type.ts'
import type { TenantKeys } from '../tenant-record-ids.ts'

// biome-ignore lint/suspicious/noExplicitAny: the columns are those of the table that uses the filter
type Builder = ExpressionBuilder<any, any>

/** Returns the condition that a column has one of the values; false for none, since SQL accepts no empty list. */
const matchAny = (eb: Builder, column: string, values: readonly (string | number)[]) =>
  values.length === 0 ? eb.lit(false) : eb(column, 'in', [...values])

/** Conditions that find a tenant's rows, by the kind of key that a table has. */
export const rowFilters: Readonly<Record<TenantRowKey, (keys: TenantKeys) => (eb: Builder) => Expression<SqlBool>>> = {
  tenant:
    ({ locationCode, tenantId }) =>
    (eb) =>
      eb.and({ location_code: locationCode, tenant_id: tenantId }),

  // Leaves out the gate codes of auction winners of the tenant's units, which are recorded under the tenant.
  'gate codes':
    ({ locationCode, tenantId, leaseNumbers }) =>
    (eb) =>
      eb.and([
        eb.and({ location_code: locationCode, tenant_id: tenantId }),
        eb(
          'gate_code',
          'not in',
          eb
            .selectFrom('auction_winners')
            .select('auction_winners.gate_code')
            .where('auction_winners.location_code', '=', locationCode)
            .where('auction_winners.state', '=', 'paid')
            .where((inner: Builder) => matchAny(inner, 'auction_winners.lease_number', leaseNumbers)),
        ),
      ]),

  leases:
    ({ locationCode, leaseNumbers }) =>
    (eb) =>
      eb.and([eb('location_code', '=', locationCode), matchAny(eb, 'lease_number', leaseNumbers)]),

  'lien cases':
    ({ locationCode, leaseNumbers }) =>
    (eb) =>
      eb(
        'case_id',
        'in',
        eb
          .selectFrom('lien_cases')
          .select('lien_cases.case_id')
          .where('lien_cases.location_code', '=', locationCode)
          .where((inner: Builder) => matchAny(inner, 'lien_cases.lease_number', leaseNumbers)),
      ),

  account:
    ({ accountId }) =>
    (eb) =>
      matchAny(eb, 'account_id', accountId === null ? [] : [accountId]),

  'account or tenant':
    ({ accountId, locationCode, tenantId }) =>
    (eb) =>
      eb.or([
        matchAny(eb, 'account_id', accountId === null ? [] : [accountId]),
        eb.and({ location_code: locationCode, tenant_id: tenantId }),
      ]),

  drafts:
    ({ draftIds }) =>
    (eb) =>
      matchAny(eb, 'draft_id', draftIds),

  'leases or drafts':
    ({ locationCode, leaseNumbers, draftIds }) =>
    (eb) =>
      eb.and([
        eb('location_code', '=', locationCode),
        eb.or([matchAny(eb, 'lease_number', leaseNumbers), matchAny(eb, 'draft_id', draftIds)]),
      ]),

  orders:
    ({ orderIds }) =>
    (eb) =>
      matchAny(eb, 'order_id', orderIds),

  entries:
    ({ locationCode, leaseNumbers }) =>
    (eb) =>
      eb(
        'entry_id',
        'in',
        eb
          .selectFrom('ledger_entries')
          .select('ledger_entries.entry_id')
          .where('ledger_entries.location_code', '=', locationCode)
          .where((inner: Builder) => matchAny(inner, 'ledger_entries.lease_number', leaseNumbers)),
      ),

  // Finds nothing if another tenant of the facility has the same address, since `ownEmail` is then ''.
  email:
    ({ locationCode, ownEmail }) =>
    (eb) =>
      eb.and([eb('location_code', '=', locationCode), eb(eb.fn('lower', ['email']), '=', ownEmail || null)]),

  'cell phone':
    ({ tenant }) =>
    (eb) =>
      eb('phone', '=', tenant.cell_phone || null),

  // Finds captured messages to the tenant's own e-mail address or phone.
  recipient:
    ({ ownEmail, tenant }) =>
    (eb) =>
      eb.or([
        eb(eb.fn('lower', ['recipient']), '=', ownEmail || null),
        eb.and([eb('channel', '=', 'sms'), eb('recipient', '=', tenant.cell_phone || null)]),
      ]),
}
