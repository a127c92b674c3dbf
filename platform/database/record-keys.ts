/** Conditions that select the rows of one tenant or lease. Both are numbered within their facility. */
import { type Expression, type SqlBool, sql } from 'kysely'

export interface TenantKey {
  location_code: string
  tenant_id: number
}

export interface LeaseRowKey {
  location_code: string
  lease_number: number
}

const column = (of: string, name: string) => sql.ref(of === '' ? name : `${of}.${name}`)

/**
 * Matches the rows of a tenant.
 * @param of table or alias, needed when several tables of the statement have these columns
 */
export const isTenant = ({ location_code, tenant_id }: TenantKey, of = ''): Expression<SqlBool> =>
  sql<SqlBool>`(${column(of, 'location_code')} = ${location_code} and ${column(of, 'tenant_id')} = ${tenant_id})`

/**
 * Matches the rows of a lease.
 * @param of as for `isTenant`
 */
export const isLease = ({ location_code, lease_number }: LeaseRowKey, of = ''): Expression<SqlBool> =>
  sql<SqlBool>`(${column(of, 'location_code')} = ${location_code} and ${column(of, 'lease_number')} = ${lease_number})`
