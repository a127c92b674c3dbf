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

const column = (table: string, name: string) => sql.ref(table === '' ? name : `${table}.${name}`)

/**
 * Creates the SQL condition that selects the rows of a tenant.
 * @param table table or alias, needed if several tables of the statement have these columns
 */
export const isTenant = ({ location_code, tenant_id }: TenantKey, table = ''): Expression<SqlBool> =>
  sql<SqlBool>`(${column(table, 'location_code')} = ${location_code} and ${column(table, 'tenant_id')} = ${tenant_id})`

/**
 * Creates the SQL condition that selects the rows of a lease.
 * @param table as for `isTenant`
 */
export const isLease = ({ location_code, lease_number }: LeaseRowKey, table = ''): Expression<SqlBool> =>
  sql<SqlBool>`(${column(table, 'location_code')} = ${location_code} and ${column(table, 'lease_number')} = ${lease_number})`
