import { requireValue } from '../../../domain/require-value.ts'
import type { Callers, TenantCaller } from '../../../platform/operations/callers.ts'
import { unmodifiedText } from '../../../platform/operations/input-fields.ts'

/** Allows every signed-in tenant. Operations take the account from the caller, never from the input. */
export const signedInAccess = { tenant: ({ accountId }: TenantCaller) => accountId !== '' }

export const accountIdOf = ({ tenant }: Callers): string => requireValue(tenant, 'signed-in tenant').accountId

export const idField = unmodifiedText
export const tokenField = unmodifiedText

export const signedInExample = { input: { id: 'none', token: 'none' } }
