// ── Who calls ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The browser began the rental itself, opened the mailed link or an unguessable code, or named last name and digits. */
export type RentalProof = 'own' | 'link' | 'names'

/** The visitor's rental session: the draft behind the sealed cookie, and the reservation it made or found. */
export interface RentalCaller {
  draftId: string
  proof: RentalProof
  /** The resumed session of a browser that found the rental again; null in the one that began it. */
  resumedId: string | null
  locationCode: string
  /** The tenant its reservation stands on; null before there is one. */
  tenantId: number | null
  reservationCode: string | null
  /** The reservation belongs to a tenant who existed before: nothing of that tenant is revealed or changed. */
  existingTenant: boolean
}

/** A signed-in account and the tenants it may speak for. */
export interface TenantCaller {
  accountId: string
  tenants: { locationCode: string; tenantId: number }[]
}

export interface GuestCaller {
  tenants: { locationCode: string; tenantId: number }[]
  /** Hash of the sign-in's token. Several guests may have named one e-mail address: this tells them apart. */
  signIn: string
}

/** Somebody who named a tenant's last name, phone digits and unit number: may make that tenant's online account. */
export interface RegistrantCaller {
  locationCode: string
  tenantId: number
}

/** All that a request proves about who sent it. Several may hold at once: a tenant renting another unit. */
export interface Callers {
  /** The client address that is believed (TRUST_PROXY); limits count by it. */
  address: string
  agent: string
  rental?: RentalCaller
  tenant?: TenantCaller
  guest?: GuestCaller
  registrant?: RegistrantCaller
  /** Accounts that this browser has signed in to before, by the first digits of their id's hash. */
  knownAccounts?: readonly string[]
  /** The reset code that this browser asked for. */
  resetId?: string
  /** Uuid of the personal link that was opened. */
  auction?: { uuid: string }
  settlement?: { uuid: string }
}

export type CallerKind = 'rental' | 'tenant' | 'guest' | 'registrant' | 'auction' | 'settlement'

/**
 * Who may call: everybody, or for each kind of caller the test that this input is theirs. The tests look at the
 * credential and the input only, never at the record, so the answer is the same whether or not the record exists.
 */
export type Access<I> =
  | 'anyone'
  | {
      rental?: (caller: RentalCaller, input: I) => boolean
      tenant?: (caller: TenantCaller, input: I) => boolean
      guest?: (caller: GuestCaller, input: I) => boolean
      registrant?: (caller: RegistrantCaller, input: I) => boolean
      auction?: (caller: { uuid: string }, input: I) => boolean
      settlement?: (caller: { uuid: string }, input: I) => boolean
    }

interface NamesTenant {
  location_code: string
  tenant_id: number
}

/** The input names the tenant that this rental session's own reservation created. */
export const ownReservationsTenant = (caller: RentalCaller, input: NamesTenant): boolean =>
  !caller.existingTenant && caller.locationCode === input.location_code && caller.tenantId === input.tenant_id

/** The input names one of the account's tenants. */
export const ownTenant = (
  caller: { tenants: { locationCode: string; tenantId: number }[] },
  input: NamesTenant,
): boolean => caller.tenants.some((one) => one.locationCode === input.location_code && one.tenantId === input.tenant_id)

/** The caller's tenants that an input may mean: all of them where it names neither facility nor number. */
export const namedTenants = (
  caller: { tenants: { locationCode: string; tenantId: number }[] },
  input: { location_code?: string | undefined; tenant_id?: number | undefined },
): { locationCode: string; tenantId: number }[] =>
  caller.tenants.filter(
    (one) =>
      (input.location_code === undefined || one.locationCode === input.location_code) &&
      (input.tenant_id === undefined || one.tenantId === input.tenant_id),
  )

/** The input may mean one of the caller's tenants. */
export const ownTenantNamed = (
  caller: { tenants: { locationCode: string; tenantId: number }[] },
  input: { location_code?: string | undefined; tenant_id?: number | undefined },
): boolean => namedTenants(caller, input).length > 0

/** What the call lets the browser's session hold from now on; the doors put it into the sealed cookie. */
export interface SessionChanges {
  draftId?: string
  /** 'ATL01:1001:<until>': see RegistrantCaller. */
  registers?: string
  resetId?: string
}
