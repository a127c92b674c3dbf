import { describe, expect, test } from 'vitest'
import { format, fromWire } from '../../../domain/money.ts'
import { states } from '../../../domain/states.ts'
import { moveInCharges } from '../../pricing/rules/charges.ts'
import { sampleLease } from '../testing-lease.ts'
import { type LeaseFacts, leaseSections, type Paragraph, type Section } from './lease-text.ts'
import { statesWithOwnTerms, stateTerms } from './state-terms.ts'

const words = (paragraph: Paragraph): string =>
  typeof paragraph === 'string'
    ? paragraph
    : 'conspicuous' in paragraph
      ? paragraph.conspicuous
      : 'list' in paragraph
        ? paragraph.list.join('\n')
        : [...paragraph.table, ...(paragraph.sum ? [paragraph.sum] : [])].map((row) => row.join(': ')).join('\n')
const textOf = (sections: Section[], id?: string) =>
  sections
    .filter((section) => id === undefined || section.id === id)
    .map((section) => [section.heading, ...section.paragraphs.map(words)].join('\n'))
    .join('\n\n')
const inState = (state: string, more: Partial<LeaseFacts> = {}): LeaseFacts => ({
  ...sampleLease,
  facility: { ...sampleLease.facility, state },
  agent: null,
  ...more,
})

const ids = leaseSections(sampleLease).map((section) => section.id)

describe.each(states)('in %s', (code, name) => {
  const sections = leaseSections(inState(code))
  const text = textOf(sections)

  test('the agreement is complete and names the law of the state', () => {
    expect(sections.map((section) => section.id)).toEqual(ids)
    expect(textOf(sections, 'law')).toContain(name)
    expect(textOf(sections, 'lien')).toContain(stateTerms(code).lienLaw)
    expect(text).not.toMatch(/undefined|null|NaN|\[object|\bTODO\b| {2}/)
    for (const section of sections) {
      expect(section.paragraphs.length).toBeGreaterThan(0)
      for (const paragraph of section.paragraphs) expect(words(paragraph)).not.toBe('')
    }
  })
})

test('each of ten states has sentences of its own that name its law', () => {
  expect([...statesWithOwnTerms].sort()).toEqual(['AL', 'AZ', 'CA', 'CO', 'FL', 'GA', 'NC', 'SC', 'TN', 'TX'])
  expect(new Set(statesWithOwnTerms.map((code) => stateTerms(code).lienLaw)).size).toBe(10)
  expect(stateTerms('TX').conspicuous).toContain('Chapter 59 of the Texas Property Code')
  expect(stateTerms('OH').lienLaw).toBe('the self-storage lien law of Ohio')
})

test('section ids are unique and usable as anchors', () => {
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[a-z-]+$/)
})

test('Georgia names the designated agent, or states that there is none', () => {
  expect(textOf(leaseSections(sampleLease), 'notices')).toContain('Agent: Tunde Okafor')
  expect(textOf(leaseSections(inState('GA')), 'notices')).toContain('You named no designated agent.')
  expect(textOf(leaseSections(inState('TX')), 'notices')).not.toContain('agent')
})

test('South Carolina states how notices of default are sent', () => {
  const noticesBy = (defaultNotice: 'mail' | 'email') =>
    textOf(leaseSections(inState('SC', { defaultNotice })), 'notices')
  expect(noticesBy('mail')).toContain('notices of default by mail, at your postal address')
  expect(noticesBy('email')).toContain('notices of default by e-mail, at your e-mail address')
})

describe('the price', () => {
  const tables = (sections: Section[]) =>
    sections
      .find((section) => section.id === 'charges')!
      .paragraphs.filter((paragraph) => typeof paragraph === 'object' && 'table' in paragraph)
  const cents = (text: string) => fromWire(text.replace(/[$,]/g, ''), { negative: true })!

  test.each([
    ['first month free', sampleLease.charges],
    [
      'half off, own policy, card fee',
      moveInCharges({
        rent: 121_745,
        streetRent: 121_745,
        discount: { id: 9, description: '50% off the first month', amount: 5000, type: 1 },
        insurance: null,
        moveInFees: [],
        periodFees: [{ feeId: 3, description: 'Electricity', amount: 1250 }],
        access24: null,
        cardFee: { feeId: 8, amount: 200 },
        taxRates: { rent: 825, insurance: 0, fee: 825 },
        moveInDate: '2028-02-29',
      }),
    ],
  ])('contains the lines and the total of the quote: %s', (_, charges) => {
    const [today, later] = tables(leaseSections({ ...sampleLease, charges }))
    expect(today).toEqual({
      kind: 'price',
      table: charges.lines.map((line) => [line.label, format(line.cents)]),
      sum: ['Due today', format(charges.dueToday)],
    })
    for (const priceTable of [today, later]) {
      const { table, sum } = priceTable as { table: [string, string][]; sum: [string, string] }
      expect(table.reduce((total, [, value]) => total + cents(value), 0)).toBe(cents(sum[1]))
    }
    expect((later as { sum: [string, string] }).sum[1]).toBe(format(charges.thenPerPeriod))
  })
})

test('the agreement contains every answer of the renter', () => {
  const text = textOf(
    leaseSections({
      ...sampleLease,
      tenant: { ...sampleLease.tenant, company: 'Okafor & Sons' },
      vehicle: { make: 'Airstream', model: 'Bambi', color: 'Silver', description: 'Travel trailer' },
      lienHolder: { name: 'Peachtree Credit Union', phone: '4045550100', address: '', description: 'Trailer loan' },
      activeMilitary: true,
      military: { branch: 'Army', base: 'Fort Eisenhower', commandingOfficer: 'Lt. Col. Dana Whitfield' },
      insurance: { kind: 'own', carrier: 'Prairie Mutual', policyNumber: 'PM-118', expires: '2027-06-30' },
      autopay: { method: 'Visa ending 1111' },
      leaseNumber: 10482,
    }),
  )
  for (const answer of [
    'Maya Okafor',
    'Okafor & Sons',
    '1280 Edgewood Ave SE, Apt 4, Atlanta, GA 30307',
    '(404) 555-0177',
    'maya.okafor@mail.example',
    'Lease number: 10482',
    '10 × 10 feet, 100 square feet',
    'Friday, November 20, 2026',
    'Saturday, December 19, 2026',
    'Sunday, December 20, 2026',
    'Gate code: 482913',
    'Silver Airstream Bambi',
    'Peachtree Credit Union',
    '(404) 555-0100',
    'Lt. Col. Dana Whitfield',
    '50 U.S.C. § 3958',
    'Prairie Mutual',
    '06/30/2027',
    'Visa ending 1111',
    'Yes, $20.00 per period of 30 days',
  ])
    expect(text).toContain(answer)
  expect(text).not.toContain('Autopay is off')
})

test('states the specified sums for moving out and towing (spec 2 §9)', () => {
  const text = textOf(leaseSections(sampleLease))
  expect(text).toContain('up to $500.00')
  expect(text).toContain('at least $200.00')
  expect(text).toContain('unpaid for 60 days')
  expect(text).toContain('within 2-3 business days')
})

test('states the card fee without autopay, if the facility has one', () => {
  const paying = (cardFee: number | null) =>
    textOf(leaseSections({ ...sampleLease, autopay: null, facility: { ...sampleLease.facility, cardFee } }), 'paying')
  expect(paying(200)).toContain('card processing fee of $2.00')
  expect(paying(null)).not.toContain('fee of')
  expect(paying(null)).toContain('Autopay is off')
})

test('does not refuse cash, which the office takes', () => {
  expect(textOf(leaseSections(sampleLease), 'paying')).not.toContain('cash')
})

test('states the late fee if one is charged, and otherwise that there is none', () => {
  const late = (lateFee: number | null) =>
    textOf(leaseSections({ ...sampleLease, facility: { ...sampleLease.facility, lateFee } }), 'late')
  expect(late(25_00)).toContain('not paid 10 days after it began carries a late fee of $25.00, once')
  expect(late(25_00)).not.toContain('no late fee')
  expect(late(null)).toContain('This agreement sets no late fee.')
})

test('states both sums when a renter declines autopay and signs before choosing how to pay', () => {
  const charges = (cardFee: { feeId: number; amount: number } | null) =>
    moveInCharges({
      rent: 10_000,
      streetRent: 10_000,
      discount: null,
      insurance: null,
      moveInFees: [],
      periodFees: [],
      access24: null,
      cardFee,
      taxRates: { rent: 0, insurance: 0, fee: 700 },
      moveInDate: '2026-11-20',
    })
  const chargesText = (price: typeof sampleLease.charges) =>
    textOf(leaseSections({ ...sampleLease, charges: price }), 'charges')
  expect(chargesText(charges({ feeId: 8, amount: 2_00 }))).toContain('Due today: $102.14')
  expect(chargesText(charges({ feeId: 8, amount: 2_00 }))).toContain(
    'From a bank account, without the card processing fee, $100.00 is due today and $100.00 for each later period.',
  )
  expect(chargesText(charges(null))).not.toContain('bank account')
})

test('asks for no move-in payment in updated terms', () => {
  const text = textOf(leaseSections({ ...sampleLease, updatedTerms: { effective: '2025-03-01' } }))
  expect(text).toContain('takes effect on Saturday, March 1, 2025')
  expect(text).not.toContain('Due today')
  expect(text).toContain(format(sampleLease.charges.thenPerPeriod))
})

test('does not state, in updated terms of a rental without insurance, that the facility offers none', () => {
  const without = (updatedTerms: { effective: string } | null) =>
    textOf(leaseSections({ ...sampleLease, insurance: { kind: 'none' }, updatedTerms }), 'insurance')
  expect(without({ effective: '2025-03-01' })).toContain('No insurance plan goes with your rental.')
  expect(without({ effective: '2025-03-01' })).not.toContain('offers no insurance')
  expect(without(null)).toContain('This facility offers no insurance plan.')
})

describe('a parking space', () => {
  const text = (category: string) =>
    JSON.stringify(leaseSections({ ...sampleLease, unit: { ...sampleLease.unit, category } }))

  test('mentions no lock and no door', () => {
    expect(text('Drive-up storage')).toMatch(/You bring the lock/)
    expect(text('Open Parking')).not.toMatch(/You bring the lock|lock of ours|take away your lock|door closed/)
  })
})
