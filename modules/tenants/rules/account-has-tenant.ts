/** Signed-in account, or guest, with the tenants for which it acts. */
export interface AccountOfTenants {
  tenants: readonly { locationCode: string; tenantId: number }[]
}

/** Returns whether a tenant belongs to an account; false without an account or a tenant. */
export const hasTenant = (
  account: AccountOfTenants | undefined,
  { locationCode, tenantId }: { locationCode: string; tenantId: number | null },
): boolean =>
  account?.tenants.some((tenant) => tenant.locationCode === locationCode && tenant.tenantId === tenantId) === true
