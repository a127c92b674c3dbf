/**
 * Thousands of payments under everything that can go wrong: a provider that loses questions and answers, a server that
 * dies at every point it can, tabs that do the same at once, a clock that jumps, messages that come twice. Whatever
 * happened, what is left in the end must agree with the provider to the cent.
 */
import type { Database } from '../../database/open.ts'
import { checkoutOf, startCheckout } from '../../paying/checkout.ts'
import { openCheckout } from '../../paying/lease-payment.ts'
import { type LinkKind, openLinkPayment } from '../../paying/link-payment.ts'
import { completePayments, settlePayment } from '../../paying/move-in.ts'
import { type Crash, settleRefunds } from '../../paying/payment.ts'
import { agreeAndOpen, readyToPay } from '../../paying/testing.ts'
import { seededRandom } from '../../ports/testing.ts'
import { makeAuctionLink, makeSettlementLink } from '../../site-records/links.ts'
import { expireHolds } from '../../storage-system/holds.ts'
import { contact } from '../../storage-system/testing.ts'
import { broken } from './invariants.ts'
import type { PayerAct } from './provider.ts'
import { openWorld, type World } from './world.ts'

/** The server's end at some point of the machine; nothing after it happened. */
class Killed extends Error {}

export interface Report {
  seed: number
  payments: number
  byState: Record<string, number>
  kills: number
  faults: string[]
}

/** Attempts that are under way at the same time. */
const AT_ONCE = 4
const HOUR = 60 * 60 * 1000

/** @param until whether to go on, asked before each round; so a run has a number of payments or a time */
export async function simulate(db: Database, seed: number, until: (payments: number) => boolean): Promise<Report> {
  const world = await openWorld(db, seed)
  const { house, provider } = world
  const random = seededRandom(seed * 7919 + 1)
  const chance = (share: number) => random.integer(0, 999_999) < share * 1_000_000
  const pick = <T>(list: readonly T[]): T => list[random.integer(0, list.length - 1)] as T
  let kills = 0
  const crash: Crash = () => {
    if (!chance(0.06)) return
    kills += 1
    throw new Killed()
  }
  const surviving = async <T>(work: Promise<T>): Promise<T | null> =>
    work.catch((error: unknown) => {
      if (error instanceof Killed) return null
      throw error
    })
  const acts: readonly PayerAct[] = [
    ...Array<PayerAct>(12).fill('approve'),
    ...(['decline', 'decline', 'cancel', 'leave', 'approve another amount'] as const),
  ]

  /** One's card page, in one tab or several, and back; the return page comes once, often, or never. */
  async function pay(open: () => Promise<{ ok: boolean; orderId?: string }>): Promise<void> {
    const tabs = await Promise.all(Array.from({ length: pick([1, 1, 1, 2, 3]) }, () => surviving(open())))
    const orders = new Set(tabs.flatMap((tab) => (tab?.ok && tab.orderId ? [tab.orderId] : [])))
    for (const orderId of orders) provider.act(orderId, pick(acts))
    const returns = [...orders].flatMap((orderId) => Array<string>(pick([0, 1, 1, 1, 2, 4])).fill(orderId))
    await Promise.all(returns.map((orderId) => surviving(settlePayment(house, orderId, crash))))
  }

  const by = { address: '198.51.100.9', agent: 'simulation' }
  const actions: (() => Promise<void>)[] = [
    async function rents() {
      const who = { ...contact, email: `sim${random.integer(0, 1e9)}@example.com` }
      // The last unit may be gone; then there is nothing to pay.
      const draft = await readyToPay(house, { who }).catch(() => null)
      if (!draft) return
      for (let turn = pick([1, 1, 2]); turn > 0; turn -= 1) await pay(() => agreeAndOpen(house, draft, crash))
    },
    ...Array.from(
      { length: 6 },
      () =>
        async function paysForALease() {
          const { tenantId, leaseNumber } = pick(world.tenants)
          const started = await startCheckout(house, {
            ...{ payer: pick(['tenant', 'guest'] as const), locationCode: 'GA1', tenantId, leaseNumber },
            ...{ pays: pick(['dues', 'prepay'] as const), periods: pick([1, 1, 2, 3]), autopay: chance(0.3) },
          })
          const checkout = started.ok ? await checkoutOf(house, started.checkoutId) : null
          if (checkout) await pay(() => openCheckout(house, checkout, by, crash))
        },
    ),
    async function paysByLink() {
      const kind: LinkKind = pick(['auction', 'settlement'])
      const { unitNumber } = pick(world.tenants)
      const made =
        kind === 'auction'
          ? await makeAuctionLink(house, {
              ...{ locationCode: 'GA1', unitNumber, name: 'Win Ner', email: 'win@example.com' },
              ...{ city: 'Atlanta', zip: '30308', cents: random.integer(1, 500_00) },
            })
          : await makeSettlementLink(house, { locationCode: 'GA1', unitNumber, cents: random.integer(1, 151_37) })
      if (made.ok) await pay(() => openLinkPayment(house, kind, made.uuid, crash))
    },
    async function timePasses() {
      house.clock.advance(pick([20_000, 10 * 60_000, HOUR, 3 * HOUR, 26 * HOUR]))
      await expireHolds(house)
    },
    async function completerRuns() {
      await Promise.all(Array.from({ length: pick([1, 2]) }, () => surviving(completePayments(house))))
      if (chance(0.5)) await surviving(settleRefunds(house))
    },
    async function anOldMessageComesAgain() {
      const orderId = pick([...provider.orders.keys(), 'LKNOSUCHORDERATALL000000'])
      await surviving(settlePayment(house, orderId, crash))
    },
  ]

  const payments = async () => {
    const row = await house.db.read
      .selectFrom('payments')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(row.count)
  }
  provider.storm = 0.12
  while (until(await payments())) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => pick(actions)()))
    // Owed again, so that there is always something to pay.
    if (chance(0.3)) await charge(world, pick(world.tenants).leaseNumber, random.integer(1, 300_00), seed)
  }

  provider.storm = 0
  for (let round = 0; round < 40; round += 1) {
    house.clock.advance(2 * HOUR)
    await completePayments(house)
    await settleRefunds(house)
  }
  const states = await house.db.read
    .selectFrom('payments')
    .select('state')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .groupBy('state')
    .execute()
  return {
    seed,
    payments: await payments(),
    byState: Object.fromEntries(states.map(({ state, count }) => [state, Number(count)])),
    kills,
    faults: await broken(world),
  }
}

let charges = 0

async function charge({ house }: World, leaseNumber: number, cents: number, seed: number): Promise<void> {
  charges += 1
  const { postCharge } = await import('../../storage-system/postings.ts')
  await house.db.transaction((tx) =>
    postCharge(tx, house, {
      ...{
        locationCode: 'GA1',
        leaseNumber,
        kind: 'fee',
        cents,
        description: 'Fee',
        once: `simulation:${seed}:${charges}`,
      },
    }),
  )
}
