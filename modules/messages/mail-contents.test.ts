import { describe, expect, test } from 'vitest'
import { formatGateCode } from '../gate/rules/generate-gate-code.ts'
import { asRecordedOrders } from '../payments/payment.ts'
import { moveInCharges } from '../pricing/rules/charges.ts'
import type { MessageFacility } from './internal/renter-facts-and-mail-tables.ts'
import { type Letter, renderMail } from './mail-layout.tsx'
import { gateCodeSms } from './mails/gate-code-text-message.ts'
import { moveInCompleted } from './mails/move-in-completed.ts'
import { receipt } from './mails/receipt.ts'
import { gateCode } from './mails/requested-gate-code.ts'
import { reservationConfirmed } from './mails/reservation-confirmed.ts'
import { mailSamples, smsSamples } from './views/message-samples.ts'

const brand = { name: 'Latchkey', phone: '8005550100', siteUrl: 'https://latchkey.example' }
const facility: MessageFacility = {
  name: 'Ponce City',
  address: '675 North Ave NE',
  city: 'Atlanta',
  state: 'GA',
  zip: '30308',
  phone: '4045550142',
  timeZone: 'America/New_York',
}
const charges = moveInCharges({
  rent: 6400,
  streetRent: 6400,
  discount: null,
  insurance: null,
  moveInFees: [],
  periodFees: [],
  access24: null,
  cardFee: null,
  taxRates: { rent: 700, insurance: 0, fee: 0 },
  moveInDate: '2026-11-20',
})
const maya = { brand, facility, name: 'Maya', unitNumber: '007' }
const render = (letter: Letter) => renderMail(brand, letter)
const renderReservation = (more: object = {}) =>
  render(
    reservationConfirmed({
      ...maya,
      reservationCode: 'K7QX4M9T',
      size: '5 × 10',
      moveInDate: '2026-11-20',
      holdUntil: Date.UTC(2026, 10, 21, 2, 40),
      charges,
      assumptions: ['without insurance', 'autopay on', 'no 24-hour access'],
      rentNow: false,
      orders: asRecordedOrders([]),
      resumeUrl: 'https://latchkey.example/reservation/6f3c',
      cancelUrl: 'https://latchkey.example/reservation/6f3c/cancel',
      ...more,
    }),
  )

/** Returns a page's words as a person sees them. */
function wordsOf(html: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
  return html
    .slice(html.indexOf('<body'))
    .replace(/<\/?a\b[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => entities[name]!)
    .replace(/\s+/g, ' ')
}

/** Matches 'Nov 20', and the beginning of 'November 20, 2026'. */
const datesByName =
  /\b(Jan(uary)?|Feb(ruary)?|Mar(ch)?|Apr(il)?|May|June?|July?|Aug(ust)?|Sept?(ember)?|Oct(ober)?|Nov(ember)?|Dec(ember)?) \d{1,2}\b/g

describe.each(mailSamples)('$title', ({ notice }) => {
  const { subject, text, html } = notice()

  test('contains the same text in HTML and in plain text', () => {
    const words = wordsOf(html)
    const lines = text.split('\n').filter((line) => line !== '' && line !== '-- ')
    for (const line of lines.slice(0, -3)) {
      for (const part of line.replace(/^- |:$/g, '').split(': '))
        if (/^https:/.test(part)) expect(html).toContain(`href="${part}"`)
        else expect(words).toContain(part)
    }
    // An action is a link with words, and no address is in the running text.
    expect(words).not.toMatch(/https?:\/\//)
    expect(lines.at(-1)).toBe('https://latchkey.example')
  })

  test('writes every date in one format', () => {
    const words = `${subject} ${wordsOf(html)} ${text}`
    const namedDates = words.match(datesByName) ?? []
    const numbers = words.match(/\b\d{1,2}\/\d{1,2}\/\d{4}\b/g) ?? []
    expect(namedDates.length > 0 && numbers.length > 0 ? [...namedDates, ...numbers] : []).toEqual([])
    expect(numbers.filter((date) => !/^\d\d\/\d\d\//.test(date))).toEqual([])
  })

  test('is a complete, small page without scripts, pictures or missing values', () => {
    expect(html).toMatch(/^<!DOCTYPE html><html [^>]*lang="en"/)
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(html).not.toMatch(/<script|<img|\son[a-z]+=/i)
    expect(html.length).toBeLessThan(20_000)
    expect(subject).toMatch(/^[^\r\n]{5,150}$/)
    expect(`${subject}${text}${wordsOf(html)}`).not.toMatch(/undefined|null|NaN|\[object/)
  })
})

test('sample names are unique and usable in an address', () => {
  const names = [...mailSamples, ...smsSamples].map((sample) => sample.name)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[a-z-]+$/)
})

describe('text that a renter has typed', () => {
  test('is escaped in the page', () => {
    const { html, text } = renderReservation({ name: '<img src=x onerror=alert(1)>"&' })
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&amp;')
    expect(html).not.toContain('<img')
    expect(text).toContain('<img src=x')
  })

  test('adds no header, and no overlong subject', () => {
    const { subject } = renderReservation({ unitNumber: '12\r\nBcc: all@example.com\u2028\u0000' })
    expect(subject).toBe('Unit 12 Bcc: all@example.com at Ponce City is reserved for you')
    expect(renderReservation({ unitNumber: 'x'.repeat(400) }).subject).toHaveLength(150)
    // The subject is cut between two characters, never within one.
    for (const before of ['', 'x'])
      expect(renderReservation({ unitNumber: before + '🚚'.repeat(100) }).subject.isWellFormed()).toBe(true)
    // The joiners stay; the character that reverses the rest of the line is removed.
    expect(renderReservation({ unitNumber: 'می\u200cروم 👩‍👧\u202e' }).subject).toContain(
      'Unit می\u200cروم 👩‍👧 at Ponce City',
    )
  })

  test('is refused as the target of a button unless it begins with http or https', () => {
    const letter = { subject: 's', heading: 'h', preview: 'p' }
    for (const href of ['javascript:alert(1)', 'data:text/html,x', '//evil.example', ' https://x']) {
      expect(() => renderMail(brand, { ...letter, blocks: [{ button: 'Go', href }] })).toThrow(RangeError)
    }
  })
})

describe('a reservation', () => {
  test('states the end of the hold in the facility’s time zone', () => {
    expect(renderReservation().text).toContain('until Friday, 11/20/2026, 9:40 PM.')
    const honolulu = { ...facility, timeZone: 'Pacific/Honolulu' }
    expect(renderReservation({ facility: honolulu }).text).toContain('until Friday, 11/20/2026, 4:40 PM.')
    expect(renderReservation({ holdUntil: Date.UTC(2026, 10, 21, 5) }).text).toContain(
      'until the end of Friday, 11/20/2026.',
    )
  })

  test('sets its code small enough for one line of a narrow phone', () => {
    const sizeOf = (html: string, code: string) =>
      Number(new RegExp(`font-size:(\\d+)px[^<]*>${code}<`).exec(html)?.[1])
    // On a phone 360 px wide, the layout of a mail leaves 238 px for the code.
    expect(sizeOf(renderReservation({ reservationCode: 'PWVWFRT33W' }).html, 'PWVWFRT33W')).toBeLessThanOrEqual(24)
    const gateCode = formatGateCode('582914')
    expect(sizeOf(renderReservation({ reservationCode: gateCode }).html, gateCode)).toBeGreaterThan(30)
  })

  test('states the price of the quote, and what follows', () => {
    const { text } = renderReservation()
    expect(text).toContain('Rent: $64.00\nTax on rent: $4.48\nDue at move-in: $68.48')
    expect(text).toContain('Then $68.48 a month, billed every 30 days from Sunday, 12/20/2026.')
  })

  test('names the facility’s phone for questions, or the brand’s if it has none', () => {
    expect(renderReservation().html).toContain('href="tel:+14045550142"')
    expect(renderReservation({ facility: { ...facility, phone: '' } }).text).toContain('Call (800) 555-0100.')
  })
})

test('states when and how the next payment is made, and links to the account, for a completed move-in', () => {
  const facts = {
    ...maya,
    companyName: '',
    unitCategory: '5 × 10',
    leaseNumber: 7,
    accessCode: '482913',
    atTheGate: '',
    gateHours: '5 AM to 9 PM',
    fullDayAccess: true,
    directions: '',
    specialInstruction: '',
    charges,
    paidThrough: '2026-12-19',
    autopay: false,
    account: { exists: true, url: 'https://latchkey.example/my-units' },
  }
  const { text } = render(moveInCompleted(facts))
  expect(text).toContain('Gate Code: 482 913')
  expect(text).toContain('Gate hours: 24 hours, every day')
  expect(text).toContain('Your next payment of $68.48 is due on Sunday, 12/20/2026')
  expect(text).toContain('My Units:\nhttps://latchkey.example/my-units')
  expect(text).not.toContain('Company')
  expect(render(moveInCompleted({ ...facts, autopay: true })).text).toContain(
    'Autopay is on: we charge $68.48 every 30 days',
  )
  // The amount is that of the unit's page, since the card fee is charged with a card payment.
  const withFee = { ...charges, thenPerPeriod: charges.thenPerPeriod + 2_14, cardFeeEach: 2_14 }
  expect(render(moveInCompleted({ ...facts, charges: withFee })).text).toMatch(
    /Your next payment of \$68\.48 is due .* Paid by card without autopay, \$2\.14 comes on top: the card processing fee, any tax included/,
  )
})

test('lists the lines and the sum of the payment in a receipt', () => {
  const { text } = render(
    receipt({
      ...maya,
      receiptNumber: 'R-9',
      paymentDate: '2026-11-20',
      lines: charges.lines,
      total: charges.dueToday,
      method: '',
      paidThrough: '2026-12-19',
    }),
  )
  expect(text).toContain('Rent: $64.00\nTax on rent: $4.48\nPaid: $68.48')
  expect(text).not.toContain('Paid with')
})

test('states balance, next steps and payment link in the mail with the gate code of a past-due unit', () => {
  const text = mailSamples.find(({ name }) => name === 'gate-code-late')?.notice().text ?? ''
  expect(text).toContain('Unit 214: $151.48 is due for it, since 12/20/2026.')
  expect(text).toMatch(/Wednesday, 12\/30\/2026: The gate stops taking your code/)
  expect(text).toContain('Pay $151.48 and none of this happens.')
  expect(text).toContain('/my-units')
})

test('writes gate codes, a refusal and the phone number into one text message', () => {
  const facts = { brand, facility, name: 'Maya', units: [{ unitNumber: '214', gateCode: '482913' }] }
  const text = gateCodeSms(facts)
  // A code that the gate refuses is not sent as if it opened.
  const refused = 'The gate does not take the code while unit 214 is past due.'
  expect(gateCodeSms({ ...facts, overlockedUnits: ['214'] })).toContain(`482 913 (unit 214). ${refused} Questions?`)
  expect(render(gateCode({ ...facts, overlockedUnits: ['214'] })).text).toContain(refused)
  expect(render(gateCode({ ...facts, overlockedUnits: [] })).text).not.toContain('past due')
  expect(text).toBe('Latchkey: your gate code at Ponce City is 482 913 (unit 214). Questions? (404) 555-0142')
  expect(
    gateCodeSms({
      brand,
      facility,
      name: 'Maya',
      units: [
        { unitNumber: '214', gateCode: '482913' },
        { unitNumber: 'P7\n', gateCode: '730164' },
      ],
    }),
  ).toContain('482 913 (unit 214), 730 164 (unit P7 ).')
})
