import { wrongOfficeSignIn } from '../../../domain/texts/office-refusals.ts'
import { networkOf } from '../../../platform/network-of-address.ts'
import { checkAndCountGuess, countWrongGuess, targetKeys } from '../../../platform/operations/brute-force-limits.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { type Refusal, refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { decoyHash } from '../../../platform/passwords/decoy-hash.ts'
import { deviceName, isKnownDevice } from '../internal/is-known-device.ts'
import { insertStaffSignIn } from '../sign-ins.ts'

/**
 * Checks e-mail address and password, the first step of a sign-in. Attempts are counted for each e-mail address and
 * network; a browser in which the staff member has signed in, or used an unlock link in the last day, has its own
 * count.
 * @param device device id from the browser's cookie
 * @returns token of a sign-in that still needs its second factor; 403; 429
 */
export async function startOfficeSignIn(
  services: Services,
  { email, password, device }: { email: string; password: string; device: string },
  callers: Callers,
): Promise<{ ok: true; token: string } | Refusal> {
  const row = await services.db.read
    .selectFrom('staff')
    .select(['staff_id', 'password_hash', 'ended_at'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
  const staffMember = row?.ended_at === null ? row : undefined
  const isKnownBrowser = staffMember !== undefined && (await isKnownDevice(services, staffMember.staff_id, device))
  const target = `office:${services.sealer.fingerprint(email.toLowerCase(), 'limit')}`
  const failureCounter = { target, network: networkOf(callers.address) }
  const name = `${target}:${isKnownBrowser ? deviceName(device) : failureCounter.network}`
  const refusal = await checkAndCountGuess(services, 'office password', {
    name,
    isTrustedBrowser: isKnownBrowser,
    wrong: failureCounter,
    code: 'locked',
  })
  if (refusal) return refusal
  const isPasswordRight = await services.passwords.verify(
    staffMember?.password_hash ?? (await decoyHash(services)),
    password,
  )
  if (!staffMember?.password_hash || !isPasswordRight) {
    if (!isKnownBrowser) await countWrongGuess(services, 'office password', failureCounter)
    services.security.record('sign_in.refused', { how: 'office password', staff: staffMember?.staff_id })
    return refuse(403, 'invalid', wrongOfficeSignIn)
  }
  for (const { key } of targetKeys('office password', name)) await services.limits.reset(key)
  return {
    ok: true,
    token: await insertStaffSignIn(services.db.write, services, staffMember.staff_id, { device, ...callers }),
  }
}
