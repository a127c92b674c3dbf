/**
 * The doors of a storage system that are a website's alone: what changed of the records, what the website tells in return, and
 * the functions of inward.ts. Whoever comes without its signature is told that there is nothing.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Context, Hono } from 'hono'
import * as v from 'valibot'
import {
  applyPage,
  BEGINNING,
  feedName,
  knowsPosition,
  type Page,
  positionIn,
  settledSince,
} from '../database/changes.ts'
import { isRecordsResource, resources } from './catalogue.ts'
import { once } from './idempotency.ts'
import { inwardCalls } from './inward-calls.ts'
import { type Callers, done, type House, type Outcome, perform } from './operation.ts'
import { type Word, wordOf } from './remote.ts'
import { readCallers, siteCallerHeader } from './site-caller.ts'
import { pageAsTold, pageToTell, toldByRecords, toRecords, wayside } from './told-records.ts'

/** A page of rows, the largest of which is a lease with what was signed. */
const maxBody = 8 * 1024 * 1024
/** How long a reader waits for older transactions; what they write comes with a later page. */
const settlingMs = 3000
const settlingPauseMs = 5

/** A website that was heard of so lately is still there, ms: it asks each second. */
const stillThere = 60_000

const position = v.pipe(v.string(), v.regex(/^\d{1,19}\.\d{1,19}(\.[0-9a-f]{12})?$/))
/** What a website has a word about; of any other table it may tell nothing. */
const writable: readonly string[] = toRecords.map((table) => table.name)
const row = v.record(v.string(), v.union([v.string(), v.number(), v.null()]))
const page = v.object({
  feed: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  after: position,
  upto: position,
  complete: v.boolean(),
  changes: v.array(
    v.pipe(
      v.object({ table: v.picklist(writable), key: v.array(v.union([v.string(), v.number()])), rows: v.array(row) }),
      // What is looked up by a key is what is written under it.
      v.check(({ table, key, rows }) => {
        const columns = toRecords.find((one) => one.name === table)?.key ?? []
        return (
          columns.length === key.length && rows.every((one) => columns.every((column, at) => one[column] === key[at]))
        )
      }, 'a row of another key'),
    ),
  ),
})

const ANOTHER_WEBSITE = Symbol('another website')

interface Asked {
  callers: Callers
  key: string | undefined
  body: unknown
}

export function recordsDoors(api: Hono, house: House, siteKey: string): void {
  const keys = { own: house.sealer, way: wayside(siteKey) }

  const words: Record<Word, (asked: Asked) => Promise<unknown>> = {
    async changes({ body }) {
      const asked = v.parse(v.object({ by: v.string(), feed: v.string(), after: position, fresh: v.boolean() }), body)
      if (!admits(asked.by)) return ANOTHER_WEBSITE
      if (asked.fresh) await settle()
      const own = await feedName(house.db)
      const known = asked.feed === own && (await knowsPosition(house.db, asked.after))
      return pageToTell(house.db, toldByRecords, known ? asked.after : BEGINNING, keys)
    },
    async told({ body }) {
      const told = v.parse(page, body) as Page
      if (!admits(told.feed)) return ANOTHER_WEBSITE
      const applied = await applyPage(house.db, pageAsTold(told, keys), toRecords)
      if (applied === 'clash') throw new Error('What the website told does not fit')
      return { position: await positionIn(house.db, told.feed) }
    },
    async inward({ body, callers, key }) {
      const asked = v.parse(v.object({ name: v.string(), input: v.array(v.unknown()) }), body)
      const call = inwardCalls.get(asked.name)
      if (!call) throw new Error(`no such call: ${asked.name}`)
      const input = v.parse(call.input, asked.input)
      const work = async (): Promise<Outcome<unknown>> => done(await call.run(house, ...input))
      return key === undefined ? work() : once(house, { key, callers, operation: `inward ${call.name}`, input }, work)
    },
    async resource({ body, callers, key }) {
      const asked = v.parse(v.object({ name: v.string(), input: v.unknown() }), body)
      const declared = isRecordsResource(asked.name) ? resources.get(asked.name) : undefined
      if (!declared) throw new Error(`no such resource: ${asked.name}`)
      return perform(house, declared, asked.input, callers, key)
    },
  }

  const served = { website: '', at: 0 }
  /**
   * One website at a time, on however many machines: to two of them the same mails would be told, and both would send them.
   * @param feed the name of its database; '' where it has none yet
   */
  function admits(feed: string): boolean {
    const [website = ''] = feed.split('~')
    const now = house.clock.now()
    if (website === '') return true
    if (served.website !== '' && served.website !== website && now - served.at < stillThere) return false
    served.website = website
    served.at = now
    return true
  }

  async function settle(): Promise<void> {
    let since: bigint | null = null
    for (let looks = 0; looks < settlingMs / settlingPauseMs; looks += 1) {
      const looked = await settledSince(house.db, since)
      if (looked.settled) return
      since = looked.since
      await pause(settlingPauseMs)
    }
  }

  for (const word of Object.keys(words) as Word[]) {
    const { operation, target } = wordOf(word)
    api.post(target, async (context: Context) => {
      const header = context.req.header(siteCallerHeader) ?? ''
      const nothing = () =>
        context.json({ error: { code: 'not_found', message: 'There is nothing at this address.' } }, 404)
      const length = Number(context.req.header('content-length') ?? Number.NaN)
      if (header === '' || !(length <= maxBody)) return nothing()
      const text = await context.req.raw.text()
      const key = context.req.header('idempotency-key')
      const callers = readCallers(siteKey, header, { operation, target, key, body: text }, house.clock.now())
      // An end caller's own word counts for a resource alone.
      if (!callers || (word !== 'resource' && !callers.site)) return nothing()
      context.header('Cache-Control', 'no-store')
      const answer = await words[word]({ callers, key, body: JSON.parse(text) })
      return answer === ANOTHER_WEBSITE
        ? context.json({ error: { code: 'another_website', message: 'Another website has this storage system.' } }, 409)
        : context.json(answer as object)
    })
  }
}
