/** Key of a tenant, for the addresses of tenant and lease pages. */
export interface TenantPageKey {
  location: string
  tenant: number
}

export const tenantPath = ({ location, tenant }: TenantPageKey): string => `/office/tenants/${location}/${tenant}`

export const leasePath = (key: TenantPageKey, lease: number): string => `${tenantPath(key)}/leases/${lease}`
