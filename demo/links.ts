import type { Database } from '../database/open.ts'
import { auctionLink, makeAuctionLink, makeSettlementLink, settlementLink } from '../site-records/links.ts'
import type { SeedParts } from './seed.ts'

/** Personal links of the demo: the same at every start, so that they can be printed. */
export const demoLinks = {
  auction: {
    who: 'Otis Brandt won unit 405 at auction',
    uuid: '6f1d2a80-4c1b-4e0e-9d57-2b7a40500001',
    path: '/auction-winner/6f1d2a80-4c1b-4e0e-9d57-2b7a40500001',
  },
  settlement: {
    who: 'Hank Overby may settle for unit 131',
    uuid: '6f1d2a80-4c1b-4e0e-9d57-2b7a13100002',
    path: '/past-due-payment/6f1d2a80-4c1b-4e0e-9d57-2b7a13100002',
  },
} as const

/** Makes the demo's links where they are not there yet. */
export async function seedLinks(db: Database, { clock, random }: Pick<SeedParts, 'clock' | 'random'>): Promise<void> {
  const house = { db, clock, random }
  if (!(await auctionLink(db.read, demoLinks.auction.uuid))) {
    await makeAuctionLink(house, {
      ...{ locationCode: 'ATL02', unitNumber: '405', uuid: demoLinks.auction.uuid, comboCode: '7390' },
      ...{ name: 'Otis Brandt', email: 'otis.brandt@example.com', city: 'Atlanta', zip: '30318' },
    })
  }
  if (!(await settlementLink(db.read, demoLinks.settlement.uuid))) {
    await makeSettlementLink(house, {
      ...{ locationCode: 'ATL01', unitNumber: '131', cents: 150_00, uuid: demoLinks.settlement.uuid },
    })
  }
}
