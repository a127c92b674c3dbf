/**
 * The website's copy of the records, and what it tells in return (told-records.ts). The copy is read about once a second and
 * after every call that writes, page by page, each in one transaction with the position it reaches, so that it can end
 * anywhere and goes on from there.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import {
  afterOlderState,
  applyPage,
  BEGINNING,
  feedName,
  feedsRead,
  forgetCopy,
  hasChangesAfter,
  joined,
  knowsPosition,
  leaveReferences,
  type Page,
  renameFeed,
} from '../database/changes.ts'
import type { Database } from '../database/open.ts'
import type { Sealer } from '../database/sealed.ts'
import type { Tables } from '../database/tables.ts'
import type { Random } from '../ports/clock.ts'
import type { Ask, Copy } from './remote.ts'
import {
  NoCopyHere,
  NoRecordsYet,
  pageAsTold,
  pageToTell,
  recordForRecords,
  recordTableNames,
  refuseRecordsDatabase,
  toldByWebsite,
  toWebsite,
  wayside,
} from './told-records.ts'

export interface CopyParts {
  db: Database
  sealer: Sealer
  random: Random
  siteKey: string
  ask: Ask
}

/** Pages that are brought in as one where one cannot stand without the next. */
const MOST_JOINED = 50
/** How often, and at which intervals, an older transaction is waited for. */
const MOST_LOOKS = 400
const LOOK_MS = 5

export interface RecordsCopy extends Copy {
  /**
   * Prepares the database at the start: nobody but the feed writes records here, and what we know is noted. The first time
   * all there is is read before it resolves. @throws Error where the database is the storage system's, or it is out of reach
   */
  prepare(): Promise<void>
}

export function recordsCopy(parts: CopyParts): RecordsCopy {
  const { db, ask } = parts
  const keys = { own: parts.sealer, way: wayside(parts.siteKey) }

  const nextPage = async (feed: string, after: string, fresh: boolean): Promise<Page> =>
    pageAsTold((await ask('changes', { by: await feedName(db), feed, after, fresh })) as Page, keys)

  async function readAll(): Promise<void> {
    references ??= leaveReferences(db)
    await references
    for (let fresh = true; ; fresh = false) {
      const [known = { feed: '', position: BEGINNING }] = await feedsRead(db)
      const first = await nextPage(known.feed, known.position, fresh)
      if (first.feed !== known.feed || first.after !== known.position) {
        // Another database, or an older state of it: nothing that we have of it counts.
        await forgetCopy(db, recordTableNames, first.feed === known.feed)
        told = null
        if (first.after !== BEGINNING) continue
      }
      const pages: [Page, ...Page[]] = [first]
      for (;;) {
        const page = joined(pages)
        // An empty page of a feed that is read already would only be a write.
        if (page.changes.length === 0 && page.upto === known.position && first.feed === known.feed) return
        const done = await applyPage(db, page, toWebsite)
        if (done !== 'clash') break
        if (page.complete || pages.length === MOST_JOINED) throw new Error('The records do not fit into their copy')
        pages.push(await nextPage(page.feed, page.upto, false))
      }
      if (!pages.at(-1)?.complete) continue
      await afterOlderState(db, captureAgain)
      return
    }
  }

  async function tellAll(): Promise<void> {
    for (let looks = 0; told === null || (await hasChangesAfter(db, told)); ) {
      const page = await pageToTell(db, toldByWebsite, told ?? BEGINNING, keys)
      if (told !== null && page.changes.length === 0) {
        // On PostgreSQL a transaction that began before is still open: its changes come first.
        if (looks++ === MOST_LOOKS) throw new Error('What changed cannot be told yet: an older transaction is open')
        await pause(LOOK_MS)
        continue
      }
      // Not what we thought where it has read less, or more by another server of this website.
      const heard = ((await ask('told', page)) as { position: string }).position
      if (await knowsPosition(db, heard)) told = heard
      else {
        // It was told by a later state of this database than the one that was brought back.
        await renameFeed(db, `${page.feed.split('~')[0]}~${parts.random.hex(6)}`)
        told = BEGINNING
      }
    }
  }

  let references: Promise<void> | undefined
  /** How far the storage system has read us; null before it has said so. */
  let told: string | null = null
  const readTurns = inTurns(readAll)
  const tellTurns = inTurns(tellAll)

  return {
    async prepare() {
      await refuseRecordsDatabase(db)
      try {
        // Who answers has named its database by now: were it this one, it would be seen.
        if ((await feedName(db)) === '') await ask('changes', { by: '', feed: '', after: BEGINNING, fresh: false })
        await recordForRecords(db, parts.random)
        if ((await feedsRead(db)).length === 0) await readTurns()
      } catch (error) {
        if (error instanceof NoCopyHere) throw error
        throw new NoRecordsYet(
          'The first copy of the records cannot be read; is the storage system there, with this SITE_KEY?',
          {
            cause: error,
          },
        )
      }
    },
    catchUp: readTurns,
    tell: tellTurns,
  }
}

/**
 * A storage system that has lost some of its books is asked to post what was paid since: the completer finds it captured.
 * What cannot be posted any more is given back by it, as ever.
 */
async function captureAgain(tx: Kysely<Tables>): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ state: 'captured', posted_at: null })
    .where('state', '=', 'posted')
    .where((eb) => eb(eb.fn.coalesce('approved_amount', 'amount'), '>', 0))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('ledger_entries')
            .select('entry_id')
            .whereRef('ledger_entries.order_id', '=', 'payments.order_id'),
        ),
      ),
    )
    .execute()
}

/** One at a time; those who ask while it runs share the next one, which begins after all of them have asked. */
function inTurns(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const begin = (): Promise<void> => {
    next = null
    const run = work().finally(() => {
      if (running === run) running = null
    })
    running = run
    return run
  }
  return () => {
    if (!running) return begin()
    next ??= running.then(begin, begin)
    return next
  }
}
