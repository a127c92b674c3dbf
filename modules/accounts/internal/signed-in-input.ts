import type { Callers, TenantCaller } from '../../../platform/operations/callers.ts'
import { unmodifiedText } from '../../../platform/operations/input-fields.ts'

/** Access rule of a signed-in account. The input names no other account: everything is looked up as the caller's. */
export const signedInAccess = { tenant: ({ accountId }: TenantCaller) => accountId !== '' }

export const accountIdOf = ({ tenant }: Callers): string => (tenant as TenantCaller).accountId

export const [id, token] = [unmodifiedText, unmodifiedText]

export const example = { input: { id: 'none', token: 'none' } }
