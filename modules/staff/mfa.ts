import { createHash } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import { type OfficeRole, passkeyRoles } from '../../domain/office/roles-and-permissions.ts'
import { type FactorKind, RECOVERY_CODE_COUNT } from '../../domain/office/second-factors.ts'
import { isTextList, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Credential, NewCredential } from '../../platform/passkeys/passkey-ceremony.ts'
import type { StaffFactorsTable, Tables } from '../../platform/schema/tables.ts'

type FactorRow = Selectable<StaffFactorsTable>

/** Maximum number of passkeys and authenticator apps of a staff member. */
const MAX_FACTORS = 10

/** A passkey or authenticator app, as shown to the staff member. */
export interface Factor {
  factorId: string
  kind: Exclude<FactorKind, 'recovery'>
  name: string
  createdAt: number
  lastUsedAt: number | null
}

const loadRows = (db: Kysely<Tables>, staffId: string): Promise<FactorRow[]> =>
  db
    .selectFrom('staff_factors')
    .selectAll()
    .where('staff_id', '=', staffId)
    .orderBy('created_at')
    .orderBy('factor_id')
    .execute()

/**
 * Returns a staff member's second factors.
 * @returns passkeys and authenticator apps, oldest first, and the number of unused recovery codes
 */
export async function loadFactors(
  db: Kysely<Tables>,
  staffId: string,
): Promise<{ factors: Factor[]; recoveryCodes: number }> {
  const rows = await loadRows(db, staffId)
  return {
    factors: rows.flatMap((row) =>
      row.kind === 'recovery'
        ? []
        : [
            {
              factorId: row.factor_id,
              kind: row.kind,
              name: row.name,
              createdAt: row.created_at,
              lastUsedAt: row.last_used_at,
            },
          ],
    ),
    recoveryCodes: rows.filter((row) => row.kind === 'recovery').length,
  }
}

/**
 * Returns the kinds of second factor that staff members with these roles may use to sign in.
 * @param services `allowsAnyFactor` is set in a demo and allows an authenticator app for every role
 */
export const factorsAllowed = (
  roles: readonly OfficeRole[],
  { allowsAnyFactor }: Pick<Services, 'allowsAnyFactor'>,
): readonly FactorKind[] =>
  !allowsAnyFactor && roles.some((role) => passkeyRoles.includes(role))
    ? ['passkey', 'recovery']
    : ['passkey', 'totp', 'recovery']

type NewFactor = { kind: FactorKind; name: string } & Partial<
  Pick<FactorRow, 'credential_id' | 'public_key' | 'counter' | 'transports' | 'secret_sealed' | 'code_hash'>
>

const insertFactors = (
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  staffId: string,
  factors: NewFactor[],
) =>
  tx
    .insertInto('staff_factors')
    .values(
      factors.map((factor) => ({
        credential_id: null,
        public_key: null,
        counter: 0,
        transports: '[]',
        secret_sealed: null,
        code_hash: null,
        ...factor,
        factor_id: services.random.uuid(),
        staff_id: staffId,
        created_at: services.clock.now(),
        last_used_at: null,
      })),
    )
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('factor_id')
    .execute()

/**
 * Returns whether the factor is the last one, or the last of the allowed kinds. Recovery codes do not count.
 * @param allowed kinds of factor that may sign this staff member in
 */
export function isLastFactor(factors: Factor[], factor: Factor, allowed: readonly FactorKind[]): boolean {
  const others = factors.filter((other) => other !== factor)
  return others.length === 0 || (allowed.includes(factor.kind) && !others.some(({ kind }) => allowed.includes(kind)))
}

// ── Passkeys ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Returns the WebAuthn user handle of a staff member, a hash without personal data. */
export const staffHandle = (staffId: string): string =>
  createHash('sha256').update(`office passkeys of ${staffId}`).digest('base64url')

const credentialOf = (row: FactorRow): Credential => ({
  credentialId: row.credential_id ?? '',
  publicKey: row.public_key ?? '',
  counter: row.counter,
  transports: parseJson(row.transports, isTextList),
})

export async function loadPasskeyCredentials(db: Kysely<Tables>, staffId: string): Promise<Credential[]> {
  return (await loadRows(db, staffId)).filter((row) => row.kind === 'passkey').map(credentialOf)
}

/** Returns the second factor and staff member of a passkey; null when the credential is unknown. */
export async function findPasskeyFactor(
  db: Kysely<Tables>,
  credentialId: string,
): Promise<{ factorId: string; staffId: string; credential: Credential } | null> {
  const row = await db
    .selectFrom('staff_factors')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  return row ? { factorId: row.factor_id, staffId: row.staff_id, credential: credentialOf(row) } : null
}

/**
 * Stores a new passkey as a second factor of a staff member. Returns false when it is registered already or the staff
 * member has ten factors.
 */
export async function addPasskeyFactor(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  staffId: string,
  { credential, name }: { credential: NewCredential; name: string },
): Promise<boolean> {
  const { factors } = await loadFactors(tx, staffId)
  if (factors.length >= MAX_FACTORS) return false
  const inserted = await insertFactors(tx, services, staffId, [
    {
      kind: 'passkey',
      name,
      credential_id: credential.credentialId,
      public_key: credential.publicKey,
      counter: credential.counter,
      transports: JSON.stringify(credential.transports),
    },
  ])
  return inserted.length === 1
}

/**
 * Updates the passkey's signature counter and last use with one guarded statement. A passkey without a counter always
 * sends 0, which is accepted while the stored counter is 0.
 * @returns false when any other counter did not increase, as for a cloned or replayed passkey, or the passkey was removed
 */
export async function recordStaffPasskeyUse(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock'>,
  factorId: string,
  counter: number,
): Promise<boolean> {
  const row = await tx
    .updateTable('staff_factors')
    .set({ counter, last_used_at: services.clock.now() })
    .where('factor_id', '=', factorId)
    .where((eb) => (counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', counter)))
    .returning('factor_id')
    .executeTakeFirst()
  return row !== undefined
}

// ── Authenticator apps ────────────────────────────────────────────────────────────────────────────────────────────────

const PERIOD_SECONDS = 30

/** Loads the TOTP library on first use. */
const loadOtpLibrary = () => import('otpauth')

export const totpContext = (staffId: string) => `office totp:${staffId}`

/**
 * Derives the TOTP secret offered to a sign-in from the installation's key, so that no form has to carry it. Each new
 * factor changes the next secret.
 * @param token bearer token of the sign-in
 * @returns base32, 160 bits
 */
export async function deriveTotpSecret(
  services: Pick<Services, 'db' | 'sealer'>,
  staffId: string,
  token: string,
): Promise<string> {
  const { Secret } = await loadOtpLibrary()
  const factorIds = (await loadRows(services.db.read, staffId)).map((row) => row.factor_id)
  const fingerprint = services.sealer.fingerprint([token, ...factorIds].join(' '), totpContext(staffId))
  return new Secret({ buffer: new Uint8Array(Buffer.from(fingerprint.slice(0, 40), 'hex')).buffer }).base32
}

/** Returns the `otpauth:` URI that an authenticator app reads from a QR code. */
export async function totpUri(secret: string, { issuer, label }: { issuer: string; label: string }): Promise<string> {
  const { TOTP } = await loadOtpLibrary()
  return new TOTP({ secret, issuer, label, period: PERIOD_SECONDS }).toString()
}

/**
 * Checks a TOTP code against the current time step and its neighbors.
 * @param secret base32
 * @returns time step of the code; null for a wrong code or a malformed secret
 */
export async function verifyTotp(secret: string, code: string, now: number): Promise<number | null> {
  // The library throws on a malformed secret or code.
  if (!/^[A-Z2-7]{16,64}$/.test(secret) || !/^[0-9]{6}$/.test(code)) return null
  const { TOTP } = await loadOtpLibrary()
  const delta = new TOTP({ secret, period: PERIOD_SECONDS }).validate({ token: code, timestamp: now, window: 1 })
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_SECONDS) + delta
}

/**
 * Stores an authenticator app. Returns false when the staff member has ten factors.
 * @param step time step of the code that proved the secret; that code cannot be used again
 */
export async function addTotpFactor(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random' | 'sealer'>,
  staffId: string,
  { secret, name, step }: { secret: string; name: string; step: number },
): Promise<boolean> {
  const { factors } = await loadFactors(tx, staffId)
  if (factors.length >= MAX_FACTORS) return false
  const secret_sealed = services.sealer.seal(secret, totpContext(staffId))
  return (
    (await insertFactors(tx, services, staffId, [{ kind: 'totp', name, secret_sealed, counter: step }])).length === 1
  )
}

/**
 * Consumes a TOTP code of one of the staff member's authenticator apps.
 * @returns whether the code was right, and of a later time step than the app's last used code
 */
export async function consumeTotp(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'sealer'>,
  staffId: string,
  code: string,
): Promise<boolean> {
  const now = services.clock.now()
  for (const row of await loadRows(tx, staffId)) {
    if (row.kind !== 'totp' || row.secret_sealed === null) continue
    const step = await verifyTotp(services.sealer.open(row.secret_sealed, totpContext(staffId)), code, now)
    if (step === null) continue
    const used = await tx
      .updateTable('staff_factors')
      .set({ counter: step, last_used_at: now })
      .where('factor_id', '=', row.factor_id)
      .where('counter', '<', step)
      .returning('factor_id')
      .executeTakeFirst()
    return used !== undefined
  }
  return false
}

// ── Recovery codes ────────────────────────────────────────────────────────────────────────────────────────────────────

const codeHash = (code: string) =>
  createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .digest('hex')

/**
 * Replaces the recovery codes with new ones.
 * @returns the codes, such as 'abcd-2345-…'; only their hashes are stored
 */
export async function replaceRecoveryCodes(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  staffId: string,
): Promise<string[]> {
  await tx.deleteFrom('staff_factors').where('staff_id', '=', staffId).where('kind', '=', 'recovery').execute()
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    (services.random.hex(8).match(/.{4}/g) ?? []).join('-'),
  )
  await insertFactors(
    tx,
    services,
    staffId,
    codes.map((code) => ({ kind: 'recovery', name: '', code_hash: codeHash(code) })),
  )
  return codes
}

/**
 * Consumes a recovery code.
 * @returns whether the staff member had this unused code
 */
export async function consumeRecoveryCode(tx: Kysely<Tables>, staffId: string, code: string): Promise<boolean> {
  const used = await tx
    .deleteFrom('staff_factors')
    .where('staff_id', '=', staffId)
    .where('kind', '=', 'recovery')
    .where('code_hash', '=', codeHash(code))
    .returning('factor_id')
    .executeTakeFirst()
  return used !== undefined
}
