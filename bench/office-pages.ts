/** Lists the office pages whose CPU cost `bench.ts` measures, and opens them as a signed-in staff member. */
import { createHash } from 'node:crypto'
import type { Database } from '../platform/database/open.ts'
import { addressOf, Visitor } from '../tests/actors/visitor-http-client.ts'
import { codeOf, emailOf, lastNameOf, phoneOf } from './bench-data.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const token = sha256('bench office')

/** Signs in a staff member of the demo with access to all facilities. */
export async function signInBenchStaff({ read, write }: Database): Promise<void> {
  const everywhere = read.selectFrom('staff_roles').select('staff_id').where('role', '=', 'district')
  const { staff_id } = await everywhere.executeTakeFirstOrThrow()
  const now = Date.now()
  const from = { device: '', agent: 'bench', address: '127.0.0.1', factor: 'totp' as const, ended_at: null }
  const signIn = { ...from, staff_id, token_hash: sha256(token), proven_at: now, created_at: now, last_seen_at: now }
  await write.deleteFrom('staff_sign_ins').where('token_hash', '=', signIn.token_hash).execute()
  await write.insertInto('staff_sign_ins').values(signIn).execute()
}

type Page = [title: string, most: number, path: (facility: number, tenant: number) => string]
const thirtyFacilities = Array.from({ length: 30 }, (_, index) => codeOf(index + 1)).join()
const find = (text: string, at = '') => `/office/find?${new URLSearchParams({ q: text, at })}`

/**
 * Office pages to measure, each with its maximum CPU time in milliseconds. A search with a single result redirects; the
 * redirect is not followed.
 */
export const officePages: readonly Page[] = [
  ['find by phone', 5, (facility, tenant) => find(phoneOf(facility, tenant))],
  ['find by e-mail', 5, (facility, tenant) => find(emailOf(facility, tenant))],
  ['find by unit', 5, (facility, tenant) => find(`${codeOf(facility)} U${tenant}`)],
  ['find by name at 30 facilities', 15, (_, tenant) => find(lastNameOf(tenant), thirtyFacilities)],
  ['a tenant’s file', 8, (facility, tenant) => `/office/tenants/${codeOf(facility)}/${tenant}`],
  ['Today of 30 facilities', 40, () => `/office?at=${thirtyFacilities}`],
  ['past due of 30 facilities', 40, () => `/office/past-due?at=${thirtyFacilities}`],
]

export async function openOfficePage(site: { url: string; facilities: number }, [title, , path]: Page, run: number) {
  const visitor = new Visitor(site.url, addressOf(3_000_000), { pool: true, encodings: 'br' })
  visitor.cookie = `latchkey_office=${token}`
  const { status } = await visitor.send('GET', path(1 + ((run * 7919) % site.facilities), 2 + ((run * 31) % 500)))
  if (status !== 200 && status !== 302) throw new Error(`${title}: ${status}`)
}
