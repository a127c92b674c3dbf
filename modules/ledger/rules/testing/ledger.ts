/** A simulated ledger with its payments and counter receipts, for ledger property tests. */

import type { IsoDate } from '../../../../domain/plain-date.ts'
import { balance, chargesByPeriod, paidThroughOf } from '../ledger.ts'
import type { EntryToWrite, StoredEntry } from '../stored-and-new-ledger-entries.ts'

/** Throws an error with this message unless `holds` is true. */
export function expectThat(holds: boolean, message: string): void {
  if (!holds) throw new Error(message)
}

export type NewEntry = Omit<EntryToWrite, 'kind'> & { kind: StoredEntry['kind'] }

/** Append-only entries of one lease. Throws when a `once` key is written twice. */
export class Ledger {
  readonly entries: StoredEntry[] = []
  readonly #keys = new Set<string>()
  /** Cached totals; `at` is the number of entries from which they were computed. */
  #totals = {
    at: -1,
    charged: [] as ReturnType<typeof chargesByPeriod>,
    balance: 0,
    paidThrough: null as IsoDate | null,
  }

  has = (once: string) => this.#keys.has(once)

  add(entry: NewEntry, postedOn: IsoDate): StoredEntry {
    if (this.#keys.has(entry.once)) throw new Error(`${entry.once} is written a second time`)
    this.#keys.add(entry.once)
    const stored = Object.freeze<StoredEntry>({
      id: `e${this.entries.length}`,
      once: entry.once,
      description: entry.description,
      kind: entry.kind,
      cents: entry.cents,
      postedOn,
      periodStart: entry.period?.start ?? null,
      periodEnd: entry.period?.end ?? null,
    })
    this.entries.push(stored)
    return stored
  }

  /** Balance, charges and paid-through date, recomputed when entries were added. */
  get now() {
    if (this.#totals.at !== this.entries.length) {
      const at = this.entries.length
      const owed = balance(this.entries)
      this.#totals = {
        at,
        charged: chargesByPeriod(this.entries),
        balance: owed,
        paidThrough: paidThroughOf(this.entries),
      }
    }
    return this.#totals
  }

  get periods() {
    return this.now.charged.filter(({ end }) => end !== null)
  }
}

/** A posted payment by card or bank. */
export interface Payment {
  order: string
  ledger: Ledger
  method: 'CC' | 'ACH'
  payer: 'tenant' | 'auction'
  captured: number
  refunded: number
  postedOn: IsoDate
  returned: boolean
  /** First day of the periods that the payment paid ahead on an existing lease; null if it paid none ahead. */
  ahead: IsoDate | null
}

export interface Receipt {
  id: string
  on: IsoDate
  state: 'held' | 'deposited' | 'ended'
  shares: { ledger: Ledger; cents: number }[]
}
