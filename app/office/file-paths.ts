/** Key of a tenant, for the addresses of tenant and lease pages. */
export interface FileKey {
  location: string
  tenant: number
}

export const tenantPath = ({ location, tenant }: FileKey): string => `/office/tenants/${location}/${tenant}`

export const leasePath = (key: FileKey, lease: number): string => `${tenantPath(key)}/leases/${lease}`
