/** How the rows about a tenant are found. An empty list finds none. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Tables } from '../../platform/schema/tables.ts'
import type { TenantKeys } from './keys.ts'

// biome-ignore lint/suspicious/noExplicitAny: the columns are those of the table that uses the finder
type Builder = ExpressionBuilder<any, any>
type Finder = (keys: TenantKeys) => (eb: ExpressionBuilder<Tables, never>) => Expression<SqlBool>

const finder =
  (find: (eb: Builder, keys: TenantKeys) => Expression<SqlBool>) =>
  // biome-ignore lint/suspicious/noExplicitAny: see above
  (keys: TenantKeys): any =>
  (eb: Builder) =>
    find(eb, keys)

const among = (eb: Builder, column: string, values: readonly (string | number)[]) =>
  values.length === 0 ? eb.lit(false) : eb(column, 'in', [...values])

export const ofTenant = finder((eb, { locationCode, tenantId }) =>
  eb.and({ location_code: locationCode, tenant_id: tenantId }),
)

export const ofLeases = finder((eb, { locationCode, leaseNumbers }) =>
  eb.and([eb('location_code', '=', locationCode), among(eb, 'lease_number', leaseNumbers)]),
)

export const ofLienCases = finder((eb, { locationCode, leaseNumbers }) =>
  eb(
    'case_id',
    'in',
    eb
      .selectFrom('lien_cases')
      .select('lien_cases.case_id')
      .where('lien_cases.location_code', '=', locationCode)
      .where((inner: Builder) => among(inner, 'lien_cases.lease_number', leaseNumbers)),
  ),
)

export const ofAccount = finder((eb, { accountId }) => among(eb, 'account_id', accountId === null ? [] : [accountId]))

export const ofAccountOrTenant = finder((eb, keys) =>
  eb.or([
    among(eb, 'account_id', keys.accountId === null ? [] : [keys.accountId]),
    eb.and({ location_code: keys.locationCode, tenant_id: keys.tenantId }),
  ]),
)

export const ofDrafts = finder((eb, { draftIds }) => among(eb, 'draft_id', draftIds))

export const ofLeasesOrDrafts = finder((eb, { locationCode, leaseNumbers, draftIds }) =>
  eb.and([
    eb('location_code', '=', locationCode),
    eb.or([among(eb, 'lease_number', leaseNumbers), among(eb, 'draft_id', draftIds)]),
  ]),
)

export const ofOrders = finder((eb, { orderIds }) => among(eb, 'order_id', orderIds))

export const ofEntries = finder((eb, { locationCode, leaseNumbers }) =>
  eb(
    'entry_id',
    'in',
    eb
      .selectFrom('ledger_entries')
      .select('ledger_entries.entry_id')
      .where('ledger_entries.location_code', '=', locationCode)
      .where((inner: Builder) => among(inner, 'ledger_entries.lease_number', leaseNumbers)),
  ),
)

/** An address that no other tenant of the facility has. */
export const ofEmail = finder((eb, { locationCode, ownEmail }) =>
  eb.and([eb('location_code', '=', locationCode), eb(eb.fn('lower', ['email']), '=', ownEmail || null)]),
)

export const ofCellPhone = finder((eb, { tenant }) => eb('phone', '=', tenant.cell_phone || null))

/** The development mailbox: sent to the tenant's own address or telephone. */
export const ofRecipient = finder((eb, { ownEmail, tenant }) =>
  eb.or([
    eb(eb.fn('lower', ['recipient']), '=', ownEmail || null),
    eb.and([eb('channel', '=', 'sms'), eb('recipient', '=', tenant.cell_phone || null)]),
  ]),
)

export type { Finder }
