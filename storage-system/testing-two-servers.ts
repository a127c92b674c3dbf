/** A website and its storage system for tests, each with a database and keys of its own; the doors between, no network. */
import { sql } from 'kysely'
import { Limits } from '../database/limits.ts'
import type { Database } from '../database/open.ts'
import { Sealer } from '../database/sealed.ts'
import { seededRandom } from '../ports/testing.ts'
import { doors } from './http.ts'
import type { House } from './operation.ts'
import { type RecordsCopy, recordsCopy } from './records-copy.ts'
import { askingRecords, remoteStorageSystem } from './remote.ts'
import { type TestHouse, visitor } from './testing.ts'
import { recordForWebsite, recordTableNames } from './told-records.ts'

export const siteKey = 'a-key-that-website-and-storage-system-share'
const url = 'https://records.example'

export interface Wire {
  /** Nothing gets through. */
  isCut: boolean
  /** The next so many answers are lost on their way back, of the calls whose body says this. */
  lose: { answers: number; of: string }
  /** What was asked, by address. */
  asked: string[]
  /** Tries that failed, as the website saw them. */
  reported: unknown[]
  /** What went wrong within the storage system. */
  faults: unknown[]
}

export interface TwoServers<H> {
  website: H
  wire: Wire
  copy: RecordsCopy
  send: typeof fetch
  /** From now on another storage system answers at the same address. */
  answerBy(house: House & Pick<TestHouse, 'random'>): Promise<void>
}

/**
 * @param records the storage system's house, with what is to be in it
 * @param db the website's, empty
 */
export async function openWebsite<H extends TestHouse>(records: H, db: Database, seed = 4711): Promise<TwoServers<H>> {
  const wire: Wire = { isCut: false, lose: { answers: 0, of: '' }, asked: [], reported: [], faults: [] }
  let api: ReturnType<typeof doors>
  const answerBy = async (house: House) => {
    await recordForWebsite(house.db, house.random)
    api = doors({
      house,
      callers: async () => visitor(),
      grant: async () => {},
      ...{ siteKey, tellsWebsite: true, resources: false },
    })
    api.onError((error, context) => {
      wire.faults.push(error)
      return context.json({ error: { code: 'internal', message: 'internal' } }, 500)
    })
  }
  await answerBy(records)
  const send = async (to: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const path = String(to).replace(`${url}/api`, '')
    if (wire.isCut) throw new TypeError('fetch failed')
    wire.asked.push(path)
    const length = { 'Content-Length': String(Buffer.byteLength(String(init?.body ?? ''))) }
    const answer = await api.request(path, { ...init, headers: { ...(init?.headers as object), ...length } })
    if (wire.lose.answers > 0 && String(init?.body).includes(wire.lose.of)) {
      wire.lose.answers -= 1
      throw new TypeError('the answer was lost')
    }
    return answer
  }
  const { clock } = records
  const random = seededRandom(seed)
  const sealer = new Sealer({ keys: [{ id: 'website', key: new Uint8Array(32).fill(3) }] })
  const ask = askingRecords({ url, siteKey, clock, fetch: send as typeof fetch })
  const copy = recordsCopy({ db, sealer, random, siteKey, ask })
  await copy.prepare()
  const storageSystem = remoteStorageSystem({
    ...{ url, siteKey, clock, random, copy, fetch: send as typeof fetch },
    pause: async (milliseconds) => clock.advance(milliseconds),
    report: (error) => void wire.reported.push(error),
  })
  const website = Object.assign(Object.create(records), {
    ...records,
    ...{ db, sealer, random, storageSystem, limits: new Limits({ db, clock }) },
  }) as H
  return { website, wire, copy, send: send as typeof fetch, answerBy }
}

/**
 * Where a website's copy is not what its storage system has, row by row of every table of the records; what is sealed differs
 * by its keys, and proofs of who somebody is are not copied.
 * @returns a sentence for each table that differs
 */
export async function copyDiffers(website: Database, records: Database): Promise<string[]> {
  const wrong: string[] = []
  for (const table of recordTableNames) {
    const rows = async (db: Database) =>
      (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db.read)).rows
        .map((row) => JSON.stringify({ ...row, ...apart[table] }, Object.keys({ ...row }).sort()))
        .sort()
    const [here, there] = [await rows(website), await rows(records)]
    const [ours, theirs] = [new Set(here), new Set(there)]
    const [more] = here.filter((row) => !theirs.has(row))
    const [less] = there.filter((row) => !ours.has(row))
    if (more ?? less) wrong.push(`the copy of ${table} differs: here ${more ?? 'nothing'}, there ${less ?? 'nothing'}`)
  }
  return wrong
}

/** Columns that are each server's own. */
const apart: Record<string, Record<string, ''>> = {
  tenants: { identity_sealed: '' },
  leases: { autopay_sealed: '', details: '' },
  move_outs: { autopay_before: '' },
  reset_codes: { code_sealed: '' },
  email_changes: { token_sealed: '' },
  accounts: { password_hash: '', security_answer_hash: '' },
}
