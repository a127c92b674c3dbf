/** Facts about an example tenant and unit, for the samples of mails. */
import { type UnitAlert, unitAlert } from '../../leases/rules/overdue-or-sold-unit-alert.ts'
import { asRecordedOrders } from '../../payments/payment.ts'
import { moveInCharges } from '../../pricing/rules/charges.ts'
import type { MessageBrand } from '../mail-layout.tsx'
import type { AppointmentFacts } from './appointment-facts.ts'
import type { MessageFacility } from './renter-facts-and-mail-tables.ts'

export const brand: MessageBrand = { name: 'Latchkey', phone: '8005550100', siteUrl: 'https://latchkey.example' }
const facility: MessageFacility = {
  name: 'Ponce City',
  address: '675 North Ave NE',
  city: 'Atlanta',
  state: 'GA',
  zip: '30308',
  phone: '4045550142',
  timeZone: 'America/New_York',
}
export const exampleRenter = { brand, facility, name: 'Maya', unitNumber: '214' }
export const charges = moveInCharges({
  rent: 13900,
  streetRent: 16900,
  discount: { id: 4, description: 'First Month Free', amount: 10000, type: 1 },
  insurance: { schemeId: 2, name: '$3,000 cover', premium: 1200 },
  moveInFees: [{ feeId: 1, description: 'Admin Fee', amount: 1800 }],
  periodFees: [],
  access24: null,
  cardFee: null,
  taxRates: { rent: 0, insurance: 400, fee: 890 },
  moveInDate: '2026-11-20',
})
export const transfer = { ...exampleRenter, toUnit: '301', endsOn: '2026-11-27' }
export const codes = { ...exampleRenter, units: [{ unitNumber: '214', gateCode: '482913' }] }
export const exampleAlert = unitAlert(
  {
    balance: 15148,
    paidThrough: '2026-12-19',
    locked: false,
    auctionPrepped: false,
    charging: false,
    activeMilitary: false,
    auctionAfterDays: 75,
    lateFee: 2000,
    saleFrom: null,
    soldUntil: null,
  },
  '2026-12-24',
) as UnitAlert
export const refusedGateCodes = {
  ...codes,
  units: codes.units.map((unit) => ({
    ...unit,
    alert: { ...exampleAlert, notOnline: '', payUrl: `${brand.siteUrl}/my-units` },
  })),
}
export const account = `${brand.siteUrl}/complete-register`

export const insuranceProof = {
  ...exampleRenter,
  unitNumbers: '214, 318',
  carrier: 'Old Harbor Mutual',
  policyNumber: 'HO-55120',
  expires: '2027-06-30',
}

export const reservation = {
  ...exampleRenter,
  reservationCode: 'K7QX4M9T',
  orders: asRecordedOrders([]),
  size: '10 × 10, climate-controlled storage',
  moveInDate: '2026-11-20',
  // Midnight in Atlanta, at the end of November 20.
  holdUntil: Date.UTC(2026, 10, 21, 5),
  charges,
  assumptions: ['with $3,000 cover insurance', 'autopay on', 'no 24-hour access'],
  resumeUrl: `${brand.siteUrl}/reservation/6f3c1c1e-8f0e-4f6d-9c55-0d0b6a0f4f11`,
  cancelUrl: `${brand.siteUrl}/reservation/6f3c1c1e-8f0e-4f6d-9c55-0d0b6a0f4f11/cancel`,
}

export const appointment: AppointmentFacts = {
  brand,
  facility,
  name: 'Maya Okafor',
  startsAt: Date.parse('2026-11-23T15:00:00Z'),
  confirmed: false,
  confirmUrl: `${brand.siteUrl}/confirm_appointment?appointment_id=1001`,
  otherUrl: `${brand.siteUrl}/confirm_appointment?option=other`,
}
