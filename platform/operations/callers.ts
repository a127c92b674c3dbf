import type { RentalProof } from '../../domain/draft-ownership-proof-kinds.ts'
import type { MachineRole } from '../../domain/machine-key-role-names-and-limits.ts'
import type { OfficeRole } from '../../domain/office/roles-and-permissions.ts'
import { FRESH_FACTOR_MS } from '../../domain/office/second-factors.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'

/** A renter with a rental draft. */
export interface RentalCaller {
  draftId: string
  proof: RentalProof
  /** Id of this browser's session if it resumed the rental; null in the browser in which the rental was begun. */
  resumedId: string | null
  locationCode: string
  /** The reservation's tenant; null before there is one, and if this session may not see the finished rental. */
  tenantId: number | null
  /** Null before the reservation, and if this session may not see the finished rental. */
  reservationCode: string | null
  /** Set if the tenant existed before this rental, so that their data may be neither shown nor changed. */
  existingTenant: boolean
  /** The tenant whose contact data were entered in this session, and so may be shown to it. */
  enteredTenantId: number | null
}

interface TenantRef {
  locationCode: string
  tenantId: number
}

/** A tenant who is logged in to an online account. */
export interface TenantCaller {
  accountId: string
  tenants: TenantRef[]
}

/** A guest payer, who named a tenant's e-mail address and proved nothing. */
export interface GuestCaller {
  tenants: TenantRef[]
  /** Hash of the session token: several guests may use one e-mail address. */
  signIn: string
}

/** A visitor who gave a tenant's last name, phone digits and unit, and so may create that tenant's account. */
export type RegistrantCaller = TenantRef

/** A staff member's role and the facilities it applies to. */
export interface HeldRole {
  role: OfficeRole
  facilities: 'all' | ReadonlySet<string>
}

/** A staff member who gave password and second factor. */
export interface StaffCaller {
  staffId: string
  name: string
  /** Id of the session; no credential. */
  signIn: string
  /** Time at which the second factor was last given, in epoch milliseconds. */
  provenAt: Instant
  roles: readonly HeldRole[]
}

/** A program with a machine key. */
export interface MachineCaller {
  keyId: string
  name: string
  role: MachineRole
  facilities: 'all' | ReadonlySet<string>
  /** True if the key may read names, addresses and other personal fields. */
  pii: boolean
  /** Calls that this process answers in a minute. */
  perMinute: number
}

/** The origin and identities of a request. There may be several identities: a tenant who rents another unit. */
export interface Callers {
  address: string
  agent: string
  rental?: RentalCaller
  tenant?: TenantCaller
  guest?: GuestCaller
  registrant?: RegistrantCaller
  /** Marks of the accounts that trust this browser; see `trustedBrowserMark`. */
  trustedAccounts?: readonly string[]
  resetId?: string
  auction?: { uuid: string }
  settlement?: { uuid: string }
  /** Set only on office pages, where no other identity is read. */
  staff?: StaffCaller
  /** Set only on `/api`, where a machine key is the only identity of its request. */
  machine?: MachineCaller
  /** Why the request's machine key is invalid. Such a request is refused, not treated as a visitor's. */
  keyRefused?: 'wrong' | 'ended'
  /** Id of the approval request that the staff member approves by this call. */
  approval?: string
  /** State of the records that the approval page showed; absent if no page did. */
  seen?: string
  /** Id of the HTTP request, for log lines and audit events. */
  requestId?: string
}

/** Returns the calling staff member, for operations that only staff may call. @throws Error for other callers */
export function staffOf({ staff }: Callers): StaffCaller {
  if (!staff) throw new Error('The caller is no staff member')
  return staff
}

/** Kinds of callers for each of which an operation declares its own access test. */
export const testedKinds = ['rental', 'tenant', 'guest', 'registrant', 'auction', 'settlement', 'staff'] as const
export type TestedKind = (typeof testedKinds)[number]

export const callerKinds = [...testedKinds, 'machine'] as const

/**
 * Rules for who may call an operation. The tests see only identity and input, so the result never reveals whether a
 * record exists. For machine keys, `domain/machine-key-operations.ts` lists what each role may call.
 */
export type Access<I> =
  | 'anyone'
  | ({
      [Kind in Exclude<TestedKind, 'staff'>]?: (caller: NonNullable<Callers[Kind]>, input: I) => boolean
    } & {
      staff?: (caller: StaffCaller, input: I) => StaffAccess
    })

/** Access rule of operations that only machine keys may call. */
export const machineKeysOnly = {}

/**
 * Decision whether a staff member may call an operation. 'absent': only at other facilities, so the operation answers
 * as if the record did not exist.
 */
export type StaffAccess = boolean | 'absent'

/** Returns whether the staff member gave a second factor within the last `FRESH_FACTOR_MS`. */
export const hasFreshFactor = ({ staff }: Callers, now: Instant): boolean =>
  staff !== undefined && staff.provenAt > now - FRESH_FACTOR_MS

/** Returns whether a facility is within the scope of a machine key. */
export const reachesFacility = ({ facilities }: MachineCaller, locationCode: string): boolean =>
  facilities === 'all' || facilities.has(locationCode)

interface TenantFields {
  location_code: string
  tenant_id: number
}

type OptionalTenantFields = { [Field in keyof TenantFields]?: TenantFields[Field] | undefined }

/** Access test: the input names the tenant that the session's own reservation created. */
export const ownReservationsTenant = (caller: RentalCaller, input: TenantFields): boolean =>
  !caller.existingTenant && caller.locationCode === input.location_code && caller.tenantId === input.tenant_id

/** Access test: the input names a tenant of the caller. */
export const ownTenant = (caller: { tenants: TenantRef[] }, input: TenantFields): boolean =>
  caller.tenants.some((tenant) => tenant.locationCode === input.location_code && tenant.tenantId === input.tenant_id)

/** Returns the caller's tenants that match the input; all if it names neither facility nor tenant. */
export const namedTenants = (caller: { tenants: TenantRef[] }, input: OptionalTenantFields): TenantRef[] =>
  caller.tenants.filter(
    (tenant) =>
      (input.location_code === undefined || tenant.locationCode === input.location_code) &&
      (input.tenant_id === undefined || tenant.tenantId === input.tenant_id),
  )

/** Access test: one of the caller's tenants matches the input, where an omitted facility or tenant id matches any. */
export const ownTenantNamed = (caller: { tenants: TenantRef[] }, input: OptionalTenantFields): boolean =>
  namedTenants(caller, input).length > 0

/** Changes of the session's ids that an operation makes; they are written to the session cookie after the call. */
export interface SessionChanges {
  draftId?: string
  /** '<location code>:<tenant id>:<expiry in epoch milliseconds>' of a `RegistrantCaller`. */
  registers?: string
  resetId?: string
}
