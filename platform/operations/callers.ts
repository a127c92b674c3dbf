import type { Instant } from '../../domain/dates.ts'
import { FRESH_FACTOR_MS } from '../../domain/office/factors.ts'
import {
  type Grant,
  grantOf,
  type OfficeRole,
  type Permission,
  wholeOperatorPermissions,
} from '../../domain/office/roles.ts'

/** Began it in this browser, opened the mailed link, or named last name and digits. */
export type RentalProof = 'own' | 'link' | 'names'

export interface RentalCaller {
  draftId: string
  proof: RentalProof
  /** Null in the browser that began it. */
  resumedId: string | null
  locationCode: string
  /** The tenant its reservation stands on; null before there is one. */
  tenantId: number | null
  reservationCode: string | null
  /** The tenant existed before: reveal and change nothing of that tenant. */
  existingTenant: boolean
  /** The tenant that the session entered itself: its contact is no secret to it. */
  enteredTenantId: number | null
}

interface TenantRef {
  locationCode: string
  tenantId: number
}

export interface TenantCaller {
  accountId: string
  tenants: TenantRef[]
}

export interface GuestCaller {
  tenants: TenantRef[]
  /** Hash of the sign-in's token: several guests may have named one e-mail address. */
  signIn: string
}

/** Named a tenant's last name, phone digits and unit: may create that tenant's account. */
export type RegistrantCaller = TenantRef

/** A role that a person of the office holds, with the facilities that it is held for. */
export interface HeldRole {
  role: OfficeRole
  facilities: 'all' | ReadonlySet<string>
}

/** A person of the office who has given password and second factor. */
export interface StaffCaller {
  staffId: string
  name: string
  /** Names the sign-in; proves nothing. */
  signIn: string
  /** When the second factor was last given. */
  provenAt: Instant
  roles: readonly HeldRole[]
}

/** All that a request proves about who sent it. Several may hold at once: a tenant renting another unit. */
export interface Callers {
  address: string
  agent: string
  rental?: RentalCaller
  tenant?: TenantCaller
  guest?: GuestCaller
  registrant?: RegistrantCaller
  /** Accounts this browser has signed in to, by the first digits of their id's hash. */
  knownAccounts?: readonly string[]
  resetId?: string
  auction?: { uuid: string }
  settlement?: { uuid: string }
  /** On the pages of the office alone, where no other kind is proven. */
  staff?: StaffCaller
  /** Id of the request that this person approves by the call. */
  approval?: string
  /** What the page of that request showed of the records it is about; absent where no page did. */
  seen?: string
  /** Stands in the log and in audit events. */
  requestId?: string
}

/** Returns the staff member who calls, for operations whose access rule admits no other caller. */
export function staffOf({ staff }: Callers): StaffCaller {
  if (!staff) throw new Error('The caller is no staff member')
  return staff
}

export const callerKinds = ['rental', 'tenant', 'guest', 'registrant', 'auction', 'settlement', 'staff'] as const

export type CallerKind = (typeof callerKinds)[number]

/** Tests see the credential and the input only, so the answer is the same whether or not the record exists. */
export type Access<I> =
  | 'anyone'
  | ({ [Kind in Exclude<CallerKind, 'staff'>]?: (caller: NonNullable<Callers[Kind]>, input: I) => boolean } & {
      staff?: (caller: StaffCaller, input: I) => StaffAccess
    })

/** 'absent': held, but for other facilities, whose records are answered as if there were none. */
export type StaffAccess = boolean | 'absent'

const grantBy = ({ role, facilities }: HeldRole, permission: Permission): Grant | undefined =>
  facilities === 'all' || !wholeOperatorPermissions.includes(permission) ? grantOf(role, permission) : undefined

/** The facilities for which a person holds a permission. */
export function facilitiesFor(caller: Pick<StaffCaller, 'roles'>, permission: Permission): 'all' | ReadonlySet<string> {
  const held = caller.roles.filter((one) => grantBy(one, permission) !== undefined)
  if (held.some(({ facilities }) => facilities === 'all')) return 'all'
  return new Set(held.flatMap(({ facilities }) => [...facilities]))
}

/** How a person holds a permission at a facility: the widest of their roles; undefined for none. */
export function grantAt(caller: StaffCaller, permission: Permission, locationCode: string): Grant | undefined {
  const held = caller.roles
    .filter(({ facilities }) => facilities === 'all' || facilities.has(locationCode))
    .map((one) => grantBy(one, permission))
  return (['yes', 'limited', 'asks', 'own', 'reads'] as const).find((grant) => held.includes(grant))
}

export const hasFreshFactor = ({ staff }: Callers, now: Instant): boolean =>
  staff !== undefined && staff.provenAt > now - FRESH_FACTOR_MS

/** A person who holds the permission at the input's facility. */
export const may =
  (permission: Permission) =>
  (caller: StaffCaller, { location_code }: { location_code: string }): StaffAccess =>
    grantAt(caller, permission, location_code) !== undefined || (mayAnywhere(permission)(caller) && 'absent')

/** A person who holds the permission at some facility; the operation itself keeps to those. */
export const mayAnywhere =
  (permission: Permission) =>
  (caller: Pick<StaffCaller, 'roles'>): boolean =>
    caller.roles.some((one) => grantBy(one, permission) !== undefined)

interface NamesTenant {
  location_code: string
  tenant_id: number
}

type MayNameTenant = { [Field in keyof NamesTenant]?: NamesTenant[Field] | undefined }

/** The input names the tenant that this rental session's own reservation created. */
export const ownReservationsTenant = (caller: RentalCaller, input: NamesTenant): boolean =>
  !caller.existingTenant && caller.locationCode === input.location_code && caller.tenantId === input.tenant_id

export const ownTenant = (caller: { tenants: TenantRef[] }, input: NamesTenant): boolean =>
  caller.tenants.some((one) => one.locationCode === input.location_code && one.tenantId === input.tenant_id)

/** All of the caller's tenants where the input names neither facility nor number. */
export const namedTenants = (caller: { tenants: TenantRef[] }, input: MayNameTenant): TenantRef[] =>
  caller.tenants.filter(
    (one) =>
      (input.location_code === undefined || one.locationCode === input.location_code) &&
      (input.tenant_id === undefined || one.tenantId === input.tenant_id),
  )

export const ownTenantNamed = (caller: { tenants: TenantRef[] }, input: MayNameTenant): boolean =>
  namedTenants(caller, input).length > 0

/** Written to the session cookie after the call. */
export interface SessionChanges {
  draftId?: string
  /** 'ATL01:1001:<until>': see RegistrantCaller. */
  registers?: string
  resetId?: string
}
