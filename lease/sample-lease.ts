/** One rental, to try and to show the agreement with: Maya Okafor takes a 10 × 10 in Atlanta, first month free. */
import { moveInCharges } from '../domain/charges.ts'
import type { LeasePaper } from './lease-pdf.ts'
import type { LeaseFacts } from './sections.ts'

export const sampleLease: LeaseFacts = {
  operator: 'Latchkey',
  facility: {
    name: 'Ponce City',
    address: '675 North Ave NE',
    city: 'Atlanta',
    state: 'GA',
    zip: '30308',
    phone: '4045550142',
    email: 'ponce@latchkey.example',
    gateHours: '5 AM to 9 PM every day',
    auctionAfterDays: 75,
    cardFee: 200,
  },
  tenant: {
    name: 'Maya Okafor',
    company: '',
    address: '1280 Edgewood Ave SE, Apt 4',
    city: 'Atlanta',
    state: 'GA',
    zip: '30307',
    phone: '4045550177',
    email: 'maya.okafor@mail.example',
  },
  unit: { number: '214', length: 10, width: 10, category: 'Climate-controlled storage, ground floor' },
  leaseNumber: null,
  moveInDate: '2026-11-20',
  paidThrough: '2026-12-19',
  nextBilling: '2026-12-20',
  gateCode: '482913',
  charges: moveInCharges({
    rent: 13900,
    streetRent: 16900,
    discount: { id: 4, description: 'First Month Free', amount: 10000, type: 1 },
    insurance: { schemeId: 2, name: '$3,000 cover', premium: 1200 },
    moveInFees: [{ feeId: 1, description: 'Admin Fee', amount: 1800 }],
    periodFees: [],
    access24: { feeId: 7, amount: 2000 },
    cardFee: null,
    taxRates: { rent: 0, insurance: 400, fee: 890 },
    moveInDate: '2026-11-20',
  }),
  insurance: { kind: 'plan', name: '$3,000 cover', coverage: 300000, premium: 1200 },
  goods: 'Furniture and boxes from a two-room flat',
  vehicle: null,
  lienHolder: null,
  activeMilitary: false,
  military: null,
  agent: {
    name: 'Tunde Okafor',
    email: 'tunde.okafor@mail.example',
    address: '88 Ponce de Leon Pl',
    city: 'Decatur',
    state: 'GA',
    zip: '30030',
  },
  defaultNotice: null,
  autopay: { method: '' },
  fullDayAccess: 2000,
  updatedTerms: null,
}

export const samplePaper: LeasePaper = {
  title: 'Rental agreement',
  operator: 'Latchkey',
  place: 'Ponce City, 675 North Ave NE, Atlanta, GA 30308',
  unitNumber: '214',
  madeAt: Date.UTC(2026, 10, 20, 20, 41),
}
