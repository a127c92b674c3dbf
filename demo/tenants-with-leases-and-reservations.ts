import type { LienHolder, Military, OwnInsurance, Vehicle } from '../modules/move-in/rules/move-in-form.ts'
import type { DesignatedAgent } from '../modules/reservations/rules/reservation-form.ts'
import { facilities } from './facilities.ts'
import type { UnitTypeCode } from './unit-kinds.ts'

/** A demo lease as of today. Days count from today in the facility's time zone. */
export interface DemoLease {
  /**
   * Unit number, or a number of units of one type that were rented one after another: the first has `periods` paid
   * periods, each further one three fewer.
   */
  unit: string | { type: UnitTypeCode; count: number }
  /** Last paid day of the first unit: 12 is in twelve days, -20 is twenty days ago. Further units are paid less far. */
  paidThrough: number
  /** Number of 30-day periods paid since the move-in. */
  periods: number
  /** Insurance: 1 to 3 for a plan, 'own' for the tenant's policy, 'vehicle' for that of a vehicle, or 'none'. */
  insurance: 1 | 2 | 3 | 'own' | 'vehicle' | 'none'
  autopay?: 'CC' | 'ACH'
  access24?: true
  comboCode?: string
  auctionPrepped?: true
  overlocked?: true
  /** Days until the move-out. */
  scheduledMoveOut?: number
  termsRequired?: true
  /** Whether the lease is closed, with no period unpaid. */
  closed?: true
  /** Credit on the ledger, in cents. */
  credit?: number
  /** Whether each late unpaid period was charged a late fee. */
  lateFee?: true
  vehicle?: Vehicle
  lienHolder?: LienHolder
  agent?: DesignatedAgent
  defaultNotice?: 'mail' | 'email'
}

/** A demo reservation as of today. */
export interface DemoReservation {
  code: string
  unit: string
  status: 'active' | 'expired'
  /** Days since the reservation was made. */
  madeAgo: number
  /** Days until the move-in, negative in the past. */
  moveIn: number
}

export interface DemoPerson {
  /** Case that this person represents. */
  who: string
  first: string
  last: string
  /** Facility code. */
  at: string
  email: string
  /** Phone number, 10 digits. */
  phone: string
  address: [street: string, city: string, state: string, zip: string]
  company?: string
  military?: Military
  /** Online account: true with the e-mail address as username, or another username. */
  online?: true | string
  leases?: DemoLease[]
  reservation?: DemoReservation
}

/** Password of every demo account, so that a newcomer needs only one. */
export const demoPassword = 'rolling-door-47'

/** Named tenants and renters of the demo; `who` says which case each represents. */
export const people: DemoPerson[] = [
  {
    who: 'Current tenant',
    first: 'Marcus',
    last: 'Tilley',
    at: 'ATL01',
    email: 'marcus.tilley@example.com',
    phone: '6785550112',
    address: ['77 Linden Shoals Avenue NE', 'Atlanta', 'GA', '30308'],
    online: true,
    leases: [{ unit: '318', paidThrough: 12, periods: 14, insurance: 1 }],
  },
  {
    who: 'Georgia renter with a designated agent',
    first: 'Georgia',
    last: 'Hallam',
    at: 'ATL01',
    email: 'georgia.hallam@example.com',
    phone: '6785550114',
    address: ['310 Kestrel Walk NE', 'Atlanta', 'GA', '30307'],
    online: true,
    leases: [
      {
        unit: '214',
        paidThrough: 19,
        periods: 3,
        insurance: 2,
        agent: {
          agent_name: 'Robert Hallam',
          agent_email: 'robert.hallam@example.com',
          agent_address: '18 Paper Mill Court',
          agent_city: 'Augusta',
          agent_state: 'GA',
          agent_zip: '30904',
        },
      },
    ],
  },
  {
    who: 'Paid two periods ahead',
    first: 'Priya',
    last: 'Venkat',
    at: 'ATL02',
    email: 'priya.venkat@example.com',
    phone: '6785550116',
    address: ['1422 Foundry Terrace NW', 'Atlanta', 'GA', '30318'],
    online: true,
    leases: [{ unit: '120', paidThrough: 72, periods: 9, insurance: 1 }],
  },
  {
    who: '20 days past due',
    first: 'Owen',
    last: 'Strand',
    at: 'ATL01',
    email: 'owen.strand@example.com',
    phone: '6785550118',
    address: ['9 Granary Lane NE', 'Atlanta', 'GA', '30309'],
    online: true,
    leases: [{ unit: '332', paidThrough: -20, periods: 11, insurance: 1, overlocked: true }],
  },
  {
    who: '70 days late: the last day to pay online',
    first: 'Dolores',
    last: 'Quill',
    at: 'ATL02',
    email: 'dolores.quill@example.com',
    phone: '6785550120',
    address: ['655 Tanager Street NW', 'Atlanta', 'GA', '30318'],
    online: true,
    leases: [{ unit: '141', paidThrough: -70, periods: 20, insurance: 'own', overlocked: true }],
  },
  {
    who: '71 days late: one day too late to pay online',
    first: 'Hank',
    last: 'Overby',
    at: 'ATL01',
    email: 'hank.overby@example.com',
    phone: '6785550122',
    address: ['2040 Ridley Mill Road NE', 'Atlanta', 'GA', '30307'],
    online: 'hoverby',
    leases: [{ unit: '131', paidThrough: -71, periods: 17, insurance: 'own', overlocked: true }],
  },
  {
    who: 'Prepared for auction',
    first: 'Vera',
    last: 'Lockett',
    at: 'ATL02',
    email: 'vera.lockett@example.com',
    phone: '6785550124',
    address: ['83 Signal Yard NW', 'Atlanta', 'GA', '30318'],
    online: true,
    leases: [{ unit: '405', paidThrough: -80, periods: 8, insurance: 'own', auctionPrepped: true, overlocked: true }],
  },
  {
    who: 'On active duty: 80 days late, and never auctioned',
    first: 'Luis',
    last: 'Amador',
    at: 'CHS01',
    email: 'luis.amador@example.com',
    phone: '8545550126',
    address: ['Building 220, Wharf Barracks', 'North Charleston', 'SC', '29405'],
    military: {
      military_branch: 'Navy',
      military_base: 'Joint Base Charleston',
      commanding_officer: 'Cmdr. Ellen Strom',
    },
    online: true,
    leases: [{ unit: 'A-15', paidThrough: -80, periods: 12, insurance: 2, defaultNotice: 'email', overlocked: true }],
  },
  {
    who: 'Units at two facilities',
    first: 'Nadia',
    last: 'Ferro',
    at: 'ATL01',
    email: 'nadia.ferro@example.com',
    phone: '6785550128',
    address: ['501 Juniper Lock NE', 'Atlanta', 'GA', '30308'],
    online: true,
    leases: [{ unit: '402', paidThrough: 6, periods: 25, insurance: 1 }],
  },
  {
    who: 'Units at two facilities',
    first: 'Nadia',
    last: 'Ferro',
    at: 'ATL02',
    email: 'nadia.ferro@example.com',
    phone: '6785550128',
    address: ['501 Juniper Lock NE', 'Atlanta', 'GA', '30308'],
    online: true,
    leases: [{ unit: '305', paidThrough: 21, periods: 7, insurance: 'own' }],
  },
  {
    who: 'Facility not taken over yet: signing in is put off',
    first: 'Clement',
    last: 'Ward',
    at: 'CAE01',
    email: 'clement.ward@example.com',
    phone: '8035550130',
    address: ['12 Arsenal Hill Row', 'Columbia', 'SC', '29201'],
    online: true,
    leases: [{ unit: '118', paidThrough: 15, periods: 6, insurance: 1, defaultNotice: 'mail' }],
  },
  {
    who: 'Unit number that is not a number; card fee',
    first: 'Ruth',
    last: 'Akers',
    at: 'BNA01',
    email: 'ruth.akers@example.com',
    phone: '6295550132',
    address: ['2210 Tin Pan Hollow', 'Nashville', 'TN', '37210'],
    online: true,
    leases: [{ unit: 'A-12', paidThrough: 4, periods: 10, insurance: 1 }],
  },
  {
    who: 'Unit number that begins with 0; bank account not taken',
    first: 'Tomás',
    last: 'Ibarra',
    at: 'SAV01',
    email: 'tomas.ibarra@example.com',
    phone: '9125550134',
    address: ['36 Ropewalk Lane', 'Savannah', 'GA', '31401'],
    online: true,
    leases: [{ unit: '0103', paidThrough: 9, periods: 5, insurance: 1 }],
  },
  {
    who: 'Autopay by card',
    first: 'Joan',
    last: 'Pettibone',
    at: 'DEN01',
    email: 'joan.pettibone@example.com',
    phone: '3035550136',
    address: ['880 Assay Street', 'Denver', 'CO', '80216'],
    online: true,
    leases: [{ unit: '220', paidThrough: 17, periods: 22, insurance: 2, autopay: 'CC' }],
  },
  {
    who: 'Autopay by bank account',
    first: 'Wendell',
    last: 'Orr',
    at: 'JAX01',
    email: 'wendell.orr@example.com',
    phone: '9045550138',
    address: ['415 Heron Slip', 'Jacksonville', 'FL', '32204'],
    online: true,
    leases: [{ unit: '116', paidThrough: 11, periods: 16, insurance: 1, autopay: 'ACH' }],
  },
  {
    who: 'Move-out scheduled',
    first: 'Imogen',
    last: 'Sayles',
    at: 'AUS01',
    email: 'imogen.sayles@example.com',
    phone: '7375550140',
    address: ['1730 Pecan Landing', 'Austin', 'TX', '78704'],
    online: true,
    leases: [{ unit: '125', paidThrough: 10, periods: 4, insurance: 'own', scheduledMoveOut: 5 }],
  },
  {
    who: 'Address missing from the profile',
    first: 'Felix',
    last: 'Baum',
    at: 'RDU01',
    email: 'felix.baum@example.com',
    phone: '9845550142',
    address: ['', '', '', ''],
    online: true,
    leases: [{ unit: '0125', paidThrough: 2, periods: 19, insurance: 'none' }],
  },
  {
    who: 'No online account yet: may register',
    first: 'Beatrix',
    last: 'Nolan',
    at: 'PHX01',
    email: 'beatrix.nolan@example.com',
    phone: '4805550144',
    address: ['2 Saguaro Lateral', 'Phoenix', 'AZ', '85004'],
    leases: [{ unit: '0136', paidThrough: 24, periods: 2, insurance: 1 }],
  },
  {
    who: 'Overlock code to open a combination lock',
    first: 'Curtis',
    last: 'Yoder',
    at: 'BHM01',
    email: 'curtis.yoder@example.com',
    phone: '6595550146',
    address: ['61 Cupola Street', 'Birmingham', 'AL', '35233'],
    online: true,
    leases: [{ unit: 'G-04', paidThrough: 14, periods: 8, insurance: 1, comboCode: '4821' }],
  },
  {
    who: 'Three units of one facility, two with dues: one payment for both',
    first: 'Delia',
    last: 'Harker',
    at: 'BHM01',
    email: 'delia.harker@example.com',
    phone: '6595550125',
    address: ['402 Trestle Walk', 'Birmingham', 'AL', '35233'],
    online: true,
    leases: [
      { unit: 'A-03', paidThrough: -3, periods: 5, insurance: 1 },
      { unit: 'F-06', paidThrough: -7, periods: 11, insurance: 'own' },
      { unit: 'D-12', paidThrough: 16, periods: 11, insurance: 1, autopay: 'CC' },
    ],
  },
  {
    who: 'Must accept the updated lease terms',
    first: 'Adele',
    last: 'Fontaine',
    at: 'CLT01',
    email: 'adele.fontaine@example.com',
    phone: '9805550148',
    address: ['29 Latta Row', 'Charlotte', 'NC', '28203'],
    online: true,
    leases: [{ unit: '150', paidThrough: 8, periods: 31, insurance: 1, termsRequired: true }],
  },
  {
    who: '40 units and ten years of history',
    first: 'Edith',
    last: 'Marlow',
    at: 'DEN01',
    email: 'edith@marlow-cabinets.example',
    phone: '3035550101',
    address: ['4600 Millwork Avenue', 'Denver', 'CO', '80216'],
    company: 'Marlow Cabinet Works',
    online: true,
    leases: [{ unit: { type: 'CC1010', count: 40 }, paidThrough: 29, periods: 122, insurance: 'own' }],
  },
  {
    who: 'Guest payer without an online account: one unit with an amount due, and one at the operator’s office, which is not shown',
    first: 'Gus',
    last: 'Delacroix',
    at: 'TPA01',
    email: 'gus.delacroix@example.com',
    phone: '8135550103',
    address: ['704 Causeway Landing', 'Tampa', 'FL', '33602'],
    leases: [
      { unit: 'B-05', paidThrough: -8, periods: 6, insurance: 'own' },
      { unit: 'A-03', paidThrough: 18, periods: 6, insurance: 1 },
    ],
  },
  {
    who: 'Guest payer without an online account: one unit with an amount due, and one at the operator’s office, which is not shown',
    first: 'Gus',
    last: 'Delacroix',
    at: 'HQ01',
    email: 'gus.delacroix@example.com',
    phone: '8135550103',
    address: ['704 Causeway Landing', 'Tampa', 'FL', '33602'],
    leases: [{ unit: '101', paidThrough: 18, periods: 6, insurance: 'none' }],
  },
  {
    who: 'South Carolina tenant with default notices by e-mail',
    first: 'Sarah',
    last: 'Pinckney',
    at: 'CHS01',
    email: 'sarah.pinckney@example.com',
    phone: '8545550105',
    address: ['118 Rice Mill Row', 'Charleston', 'SC', '29407'],
    online: true,
    leases: [{ unit: 'N-05', paidThrough: 20, periods: 4, insurance: 3, defaultNotice: 'email' }],
  },
  {
    who: 'Stores a boat: vehicle, lien holder, power at the space, 24-hour access',
    first: 'Ike',
    last: 'Brannigan',
    at: 'TPA01',
    email: 'ike.brannigan@example.com',
    phone: '8135550107',
    address: ['33 Mangrove Court', 'Tampa', 'FL', '33602'],
    online: true,
    leases: [
      {
        unit: 'P-60',
        paidThrough: 13,
        periods: 7,
        insurance: 'vehicle',
        access24: true,
        vehicle: {
          make: 'Sandpiper',
          model: '24 Center Console',
          color: 'White over teal',
          description: 'On a tandem trailer, 31 feet with the outboard down.',
          confirmValid: true,
        },
        lienHolder: {
          lien_name: 'Gulf Mariners Credit Union',
          phone_number: '8135550109',
          address: '500 Harbor Exchange, Tampa, FL 33602',
          description: 'Loan on boat, motor and trailer.',
        },
      },
    ],
  },
  {
    who: 'Has a credit of $25.00',
    first: 'Lena',
    last: 'Osgood',
    at: 'SAV01',
    email: 'lena.osgood@example.com',
    phone: '9125550111',
    address: ['5 Cistern Square', 'Savannah', 'GA', '31401'],
    online: true,
    leases: [{ unit: '0240', paidThrough: 7, periods: 9, insurance: 'own', credit: 25_00 }],
  },
  {
    who: '24-hour access',
    first: 'Roscoe',
    last: 'Finch',
    at: 'BNA01',
    email: 'roscoe.finch@example.com',
    phone: '6295550113',
    address: ['1900 Backbeat Alley', 'Nashville', 'TN', '37210'],
    online: true,
    leases: [{ unit: 'L-03', paidThrough: 16, periods: 13, insurance: 2, autopay: 'CC', access24: true }],
  },
  {
    who: 'Moved out: an account without units',
    first: 'Mabel',
    last: 'Crane',
    at: 'ATL01',
    email: 'mabel.crane@example.com',
    phone: '6785550117',
    address: ['14 Weaver Close NE', 'Atlanta', 'GA', '30308'],
    online: true,
    leases: [{ unit: '424', paidThrough: -40, periods: 6, insurance: 1, closed: true }],
  },
  {
    who: 'Active reservation in Georgia',
    first: 'Daphne',
    last: 'Kessler',
    at: 'ATL01',
    email: 'daphne.kessler@example.com',
    phone: '6785550147',
    address: ['240 Spindle Street NE', 'Atlanta', 'GA', '30308'],
    reservation: { code: 'K7M2XQ9TRD', unit: '219', status: 'active', madeAgo: 1, moveIn: 4 },
  },
  {
    who: 'Active reservation in South Carolina',
    first: 'Cora',
    last: 'Rutledge',
    at: 'CHS01',
    email: 'cora.rutledge@example.com',
    phone: '8545550119',
    address: ['90 Cooper Bend', 'North Charleston', 'SC', '29405'],
    reservation: { code: 'H4WNC8ZP6J', unit: 'C-05', status: 'active', madeAgo: 0, moveIn: 6 },
  },
  {
    who: 'Active reservation with contact data missing',
    first: 'Elias',
    last: 'Mott',
    at: 'ATL02',
    email: '',
    phone: '6785550149',
    address: ['', '', '', ''],
    reservation: { code: 'T9RD3KVX7M', unit: '244', status: 'active', madeAgo: 2, moveIn: 3 },
  },
  {
    who: 'Reservation that has expired',
    first: 'Noor',
    last: 'Haddad',
    at: 'JAX01',
    email: 'noor.haddad@example.com',
    phone: '9045550121',
    address: ['7 Post Oak Slip', 'Jacksonville', 'FL', '32204'],
    reservation: { code: 'W6QF2HJ8NC', unit: '241', status: 'expired', madeAgo: 9, moveIn: -3 },
  },
  {
    who: 'Past due, and offered to settle by a personal link',
    first: 'Silas',
    last: 'Boone',
    at: 'ATL01',
    email: 'silas.boone@example.com',
    phone: '6785550156',
    address: ['61 Carder Lane NE', 'Atlanta', 'GA', '30307'],
    leases: [{ unit: '132', paidThrough: -50, periods: 9, insurance: 'own', overlocked: true }],
  },
  {
    who: 'Prepared for auction; the winner pays by a personal link',
    first: 'Edna',
    last: 'Marsh',
    at: 'ATL02',
    email: 'edna.marsh@example.com',
    phone: '6785550158',
    address: ['8 Signal Yard NW', 'Atlanta', 'GA', '30318'],
    leases: [{ unit: '406', paidThrough: -82, periods: 7, insurance: 'own', auctionPrepped: true, overlocked: true }],
  },
  {
    who: 'Autopay charges the card as the demo starts: a payment that the office can refund',
    first: 'Hazel',
    last: 'Quimby',
    at: 'ATL01',
    email: 'hazel.quimby@example.com',
    phone: '6785550130',
    address: ['27 Larkspur Row NE', 'Atlanta', 'GA', '30307'],
    leases: [{ unit: '216', paidThrough: -1, periods: 6, insurance: 'own', autopay: 'CC' }],
  },
  {
    who: 'Past due with a late fee that the office can waive',
    first: 'Walter',
    last: 'Penrose',
    at: 'ATL01',
    email: 'walter.penrose@example.com',
    phone: '6785550132',
    address: ['118 Cobbler Lane NE', 'Atlanta', 'GA', '30308'],
    leases: [{ unit: '217', paidThrough: -12, periods: 8, insurance: 'own', lateFee: true, overlocked: true }],
  },
]

const facilityName = (code: string) => facilities.find((facility) => facility.code === code)!.name
/** Returns the person's username; null without an online account. */
export const usernameOf = (person: DemoPerson): string | null =>
  person.online === undefined ? null : person.online === true ? person.email : person.online
const unitsOf = (person: DemoPerson) =>
  (person.leases ?? []).map(({ unit }) => (typeof unit === 'string' ? unit : `${unit.count} units`)).join(', ')

/** Log-ins of the demo's tenants, one for each account, which the launcher prints. */
export const demoLogins: { who: string; where: string; username: string; password: string; note: string }[] = [
  ...Map.groupBy(
    people.filter((person) => person.online),
    (person) => usernameOf(person)!,
  ),
].map(([username, [person, ...elsewhere]]) => {
  const all = [person!, ...elsewhere]
  return {
    who: `${person!.first} ${person!.last}`,
    where: all.map(({ at }) => facilityName(at)).join(' and '),
    username,
    password: demoPassword,
    note: `${person!.who} (${all.map(unitsOf).join(' and ')})`,
  }
})

/** Guest payers and unregistered tenants for the launcher to print, with the data by which a guest finds a lease. */
export const demoGuests: {
  who: string
  where: string
  email: string
  lastName: string
  last4: string
  unit: string
  note: string
}[] = people
  .filter((person) => person.leases && !person.online && person.at !== 'HQ01')
  .map((person) => ({
    who: `${person.first} ${person.last}`,
    where: facilityName(person.at),
    email: person.email,
    lastName: person.last,
    last4: person.phone.slice(-4),
    unit: unitsOf(person),
    note: person.who,
  }))

/** Demo reservations, each with the data by which a renter finds it; the launcher prints them. */
export const demoReservations: { location: string; lastName: string; last4: string; code: string; note: string }[] =
  people.flatMap((person) =>
    person.reservation
      ? [
          {
            location: facilityName(person.at),
            lastName: person.last,
            last4: person.phone.slice(-4),
            code: person.reservation.code,
            note: person.who,
          },
        ]
      : [],
  )

/** Returns a tenant's own insurance policy, which expires on the date. */
export const ownPolicy = (person: Pick<DemoPerson, 'last'>, expires: string): OwnInsurance => ({
  carrier: 'Old Harbor Mutual',
  policy_number: `OHM-${person.last.toUpperCase().replace(/[^A-Z]/g, '')}-20`,
  expiration_date: expires,
})
