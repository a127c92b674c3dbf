import type { Kysely, Selectable } from 'kysely'
import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import { engineOf } from '../../platform/database/engine-differences.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Sealed } from '../../platform/schema/json-and-sealed-types.ts'
import type { LeasesTable, Tables } from '../../platform/schema/tables.ts'
import type { BankAccount } from '../../ports/bank/bank.ts'
import { AUTOPAY_ATTEMPTS } from '../billing/rules/autopay-retries.ts'

/** Returns the encryption context of a lease's autopay method. */
export const autopayContext = (locationCode: string, leaseNumber: number): string =>
  `lease:${locationCode}:${leaseNumber}:autopay`

type LeaseKey = Pick<Selectable<LeasesTable>, 'location_code' | 'lease_number'>

/** Payment method that autopay charges: a stored card's token, or a bank account. */
export type AutopayMethod = { alias: string } | BankAccount

/** A tenant's autopay agreement for a lease. */
export interface Autopay {
  method: 'CC' | 'ACH'
  party: AutopayMethod
  /** Label of the card or account: 'VI **** 1111', 'Checking ****6789'. */
  label: string
  consentText: string
  consentAt: number
}

/** Turns autopay on for an open lease, or replaces its method and consent. Does nothing for a closed lease. */
export async function setAutopay(
  tx: Kysely<Tables>,
  services: Services,
  key: LeaseKey,
  autopay: Autopay,
): Promise<void> {
  await tx
    .updateTable('leases')
    .set({
      autopay: 1,
      autopay_method: autopay.method,
      autopay_sealed: services.sealer.seal(
        JSON.stringify(autopay.party),
        autopayContext(key.location_code, key.lease_number),
      ),
      autopay_label: autopay.label,
      autopay_consent_at: autopay.consentAt,
      autopay_consent_text: autopay.consentText,
    })
    .where((eb) => eb.and({ location_code: key.location_code, lease_number: key.lease_number }))
    .where('status', '!=', 'Closed')
    .execute()
}

/** Decrypts the payment method that autopay charges for a lease; null when autopay is off or no method is stored. */
export function autopayPartyOf(
  services: Pick<Services, 'sealer'>,
  lease: Pick<Selectable<LeasesTable>, 'location_code' | 'lease_number' | 'autopay' | 'autopay_sealed'>,
): AutopayMethod | null {
  if (lease.autopay !== 1 || lease.autopay_sealed === null) return null
  return parseJson(
    services.sealer.open(lease.autopay_sealed, autopayContext(lease.location_code, lease.lease_number)),
    hasFields<AutopayMethod>(),
  )
}

/** Columns of a lease that say whether autopay charges it. */
export type AutopayColumns = Pick<
  Selectable<LeasesTable>,
  'autopay' | 'autopay_sealed' | 'autopay_refused_period' | 'autopay_refusals'
>

/**
 * Returns whether autopay has an attempt left for the period after the paid-through date. While it has, and the lease
 * can be paid online, the lease gets no late fee and no overlock.
 */
export const hasAutopayTryLeft = (lease: AutopayColumns, paidThrough: IsoDate): boolean =>
  lease.autopay === 1 &&
  lease.autopay_sealed !== null &&
  (lease.autopay_refused_period !== addDays(paidThrough, 1) || lease.autopay_refusals < AUTOPAY_ATTEMPTS)

/** Records how often autopay was refused for the period that begins on the day `period`. */
export async function recordRefusals(
  tx: Kysely<Tables>,
  key: LeaseKey,
  period: IsoDate,
  refusals: number,
): Promise<void> {
  await tx
    .updateTable('leases')
    .set({ autopay_refused_period: period, autopay_refusals: refusals })
    .where((eb) => eb.and({ location_code: key.location_code, lease_number: key.lease_number }))
    .execute()
}

/** Returns the encryption context of the autopay that a move-out suspends. */
export const suspendedAutopayContext = (key: LeaseKey) =>
  `lease:${key.location_code}:${key.lease_number}:autopay before`

/**
 * Turns autopay off.
 * @param only turns off only the agreement of the time `agreedAt`, so that a later agreement stays on
 * @returns the encrypted previous setting for `restoreAutopay`; null where there is none to restore
 */
export async function clearAutopay(
  tx: Kysely<Tables>,
  services: Services,
  key: LeaseKey,
  only?: { agreedAt: number | null },
): Promise<Sealed | null> {
  const lease = await tx
    .selectFrom('leases')
    .select([
      'autopay',
      'autopay_sealed',
      'autopay_method',
      'autopay_label',
      'autopay_consent_at',
      'autopay_consent_text',
    ])
    .select(['location_code', 'lease_number'])
    .where((eb) => eb.and({ location_code: key.location_code, lease_number: key.lease_number }))
    // Locked, so that no other card is chosen between reading and clearing.
    .$if(engineOf(tx) === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  const party = lease && autopayPartyOf(services, lease)
  const cleared = await tx
    .updateTable('leases')
    .set({
      autopay: 0,
      autopay_method: '',
      autopay_sealed: null,
      autopay_label: '',
      autopay_consent_at: null,
      autopay_consent_text: null,
    })
    .where((eb) => eb.and({ location_code: key.location_code, lease_number: key.lease_number }))
    .where('autopay', '=', 1)
    .$if(only !== undefined, (query) =>
      query.where('autopay_consent_at', 'is not distinct from', only?.agreedAt ?? null),
    )
    .returning('lease_number')
    .executeTakeFirst()
  if (!cleared || !lease || !party || lease.autopay_method === '') return null
  const previous: Autopay = {
    method: lease.autopay_method,
    party,
    label: lease.autopay_label,
    consentText: lease.autopay_consent_text ?? '',
    consentAt: lease.autopay_consent_at ?? 0,
  }
  return services.sealer.seal(JSON.stringify(previous), suspendedAutopayContext(key))
}

/** Decrypts the setting that `clearAutopay` returned. */
export const suspendedAutopay = (services: Pick<Services, 'sealer'>, key: LeaseKey, before: Sealed): Autopay =>
  parseJson(services.sealer.open(before, suspendedAutopayContext(key)), hasFields<Autopay>('method', 'party'))

/** Turns autopay on again with the setting that `clearAutopay` returned. */
export async function restoreAutopay(
  tx: Kysely<Tables>,
  services: Services,
  key: LeaseKey,
  before: Sealed,
): Promise<void> {
  await setAutopay(tx, services, key, suspendedAutopay(services, key, before))
}
