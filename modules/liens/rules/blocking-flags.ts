import type { TenantFlag } from '../../../domain/office/tenant-flags.ts'

/** Flags of a tenant that block every step of a lien case: active military duty and bankruptcy. */
export const blockingFlags = ['military', 'bankruptcy'] as const satisfies readonly TenantFlag[]
