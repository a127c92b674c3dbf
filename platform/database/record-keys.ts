/** Which rows are of a tenant or of a lease: both are numbered within their facility. */
import { type Expression, type SqlBool, sql } from 'kysely'

export interface TenantKey {
  location_code: string
  tenant_id: number
}

export interface LeaseNumber {
  location_code: string
  lease_number: number
}

const column = (of: string, name: string) => sql.ref(of === '' ? name : `${of}.${name}`)

/** @param of the table, or its name in the statement; needed where several have these columns */
export const isTenant = ({ location_code, tenant_id }: TenantKey, of = ''): Expression<SqlBool> =>
  sql<SqlBool>`(${column(of, 'location_code')} = ${location_code} and ${column(of, 'tenant_id')} = ${tenant_id})`

/** @param of as of `isTenant` */
export const isLease = ({ location_code, lease_number }: LeaseNumber, of = ''): Expression<SqlBool> =>
  sql<SqlBool>`(${column(of, 'location_code')} = ${location_code} and ${column(of, 'lease_number')} = ${lease_number})`
