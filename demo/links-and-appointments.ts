import { HOUR } from '../domain/durations.ts'
import { addDays } from '../domain/plain-date.ts'
import { noonOf, todayIn } from '../domain/time-zone-dates.ts'
import { appointmentPath, isAppointmentToken } from '../modules/appointments/appointment-links.ts'
import { createAppointment } from '../modules/appointments/create-appointment.ts'
import { OTHER_TIME } from '../modules/appointments/rules/appointment-link-parameters.ts'
import {
  loadAuctionLink,
  loadSettlementLink,
  makeAuctionLink,
  makeSettlementLink,
} from '../modules/links/auction-and-settlement-link-records.ts'
import { type Database, isUniqueViolation } from '../platform/database/open.ts'
import { facilities } from './facilities.ts'
import type { SeedParts } from './seed-dependencies.ts'

/** Personal links of the demo, the same at every start so that they can be printed. */
export const demoLinks = {
  auction: {
    title: 'Otis Brandt won unit 406 at auction',
    uuid: '6f1d2a80-4c1b-4e0e-9d57-2b7a40500001',
    path: '/auction-winner/6f1d2a80-4c1b-4e0e-9d57-2b7a40500001',
  },
  settlement: {
    title: 'Silas Boone may settle for unit 132',
    uuid: '6f1d2a80-4c1b-4e0e-9d57-2b7a13100002',
    path: '/past-due-payment/6f1d2a80-4c1b-4e0e-9d57-2b7a13100002',
  },
} as const

/**
 * Appointments of the demo at ten in the morning. The link of the first leads to confirming it, that of the second to
 * asking for another time.
 */
export const demoAppointments = [
  {
    title: 'Marcus Tilley, in three days: to confirm',
    locationCode: 'ATL01',
    name: 'Marcus Tilley',
    email: 'marcus.tilley@example.com',
    daysAhead: 3,
    token: '3f1a7c90b2d84e56a1c07f5e9b2d4c68',
    path: appointmentPath(1001, '3f1a7c90b2d84e56a1c07f5e9b2d4c68'),
  },
  {
    title: 'Ruth Akers, in five days: asks for another time',
    locationCode: 'BNA01',
    name: 'Ruth Akers',
    email: 'ruth.akers@example.com',
    daysAhead: 5,
    token: 'c25e81f07ab34d19902b6d4fe813a75c',
    path: appointmentPath(1002, 'c25e81f07ab34d19902b6d4fe813a75c', OTHER_TIME),
  },
]

async function seedAppointments(db: Database, { clock, random, sealer }: SeedParts): Promise<void> {
  // Without a sealer no reminder can be stored, since it contains the sealed link.
  if (!sealer) return
  for (const { locationCode, name, email, daysAhead, token } of demoAppointments) {
    if (await isAppointmentToken(db.read, token)) continue
    const { timeZone } = facilities.find(({ code }) => code === locationCode) ?? { timeZone: 'UTC' }
    const day = addDays(todayIn(timeZone, clock.now()), daysAhead)
    const startsAt = noonOf(timeZone, day) - 2 * HOUR
    await createAppointment(
      { db, clock, random, sealer, publicUrl: '' },
      { locationCode, name, email, startsAt, token, mail: false },
    )
  }
}

/** Adds missing demo appointments and links. Several processes may run this at the same time. */
export async function seedLinks(db: Database, parts: SeedParts): Promise<void> {
  for (const seedPart of [seedAppointments, seedAuction, seedSettlement])
    await seedPart(db, parts).catch((error: unknown) => {
      // Another process that started at the same time has added the same records.
      if (!isUniqueViolation(error)) throw error
    })
}

async function seedAuction(db: Database, { clock, random }: SeedParts): Promise<void> {
  const services = { db, clock, random }
  if (!(await loadAuctionLink(db.read, demoLinks.auction.uuid))) {
    await makeAuctionLink(services, {
      locationCode: 'ATL02',
      unitNumber: '406',
      uuid: demoLinks.auction.uuid,
      comboCode: '7390',
      name: 'Otis Brandt',
      email: 'otis.brandt@example.com',
      city: 'Atlanta',
      zip: '30318',
    })
  }
}

async function seedSettlement(db: Database, { clock, random }: SeedParts): Promise<void> {
  const services = { db, clock, random }
  if (!(await loadSettlementLink(db.read, demoLinks.settlement.uuid))) {
    await makeSettlementLink(services, {
      locationCode: 'ATL01',
      unitNumber: '132',
      cents: 150_00,
      uuid: demoLinks.settlement.uuid,
    })
  }
}
