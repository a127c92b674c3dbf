export interface CardBrand {
  name: string
  /** Source of a regular expression for the first digits. */
  begins: string
  lengths: number[]
  codeDigits: number
  groups: number[]
}

export const BRANDS: CardBrand[] = [
  { name: 'Visa', begins: '^4', lengths: [16], codeDigits: 3, groups: [4, 4, 4, 4] },
  {
    name: 'Mastercard',
    begins: '^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)',
    lengths: [16],
    codeDigits: 3,
    groups: [4, 4, 4, 4],
  },
  { name: 'American Express', begins: '^3[47]', lengths: [15], codeDigits: 4, groups: [4, 6, 5] },
  { name: 'Discover', begins: '^(6011|64[4-9]|65)', lengths: [16], codeDigits: 3, groups: [4, 4, 4, 4] },
]

/** A RESPONSECODE with its RESPONSEDESCRIPTION. */
export interface ProviderResponse {
  code: string
  description: string
}

/** The provider's responses: codes below 800 are about an order or its card; 8xx mean that the request failed. */
export const RESPONSES = {
  approved: { code: '000', description: 'APPROVAL' },
  declined: { code: '001', description: 'DECLINED' },
  duplicate: { code: '004', description: 'DUPLICATE TRANSACTION' },
  unknownAlias: { code: '020', description: 'ALIAS NOT FOUND' },
  expired: { code: '033', description: 'EXPIRED CARD' },
  sessionCreated: { code: '100', description: 'SESSION CREATED' },
  cancelled: { code: '106', description: 'CANCELLED BY CUSTOMER' },
  callIssuer: {
    code: '217',
    description: 'The card issuer wants a call: please ring the number on the back of your card.',
  },
  malformed: { code: '801', description: 'REQUEST IS NOT UNDERSTOOD' },
  badCredentials: { code: '803', description: 'INVALID CREDENTIALS' },
  orderUsed: { code: '811', description: 'ORDERID WAS USED FOR SOMETHING ELSE' },
  notFound: { code: '814', description: 'INVALID REFERENCE' },
  settled: { code: '816', description: 'TRANSACTION IS ALREADY SETTLED' },
  alreadyGivenBack: { code: '817', description: 'TRANSACTION WAS ALREADY GIVEN BACK' },
} as const satisfies Record<string, ProviderResponse>

export interface TestCard {
  number: string
  /** Response of the card page, and of later charges unless `laterResponse` is set; approved if its code is 000. */
  response: ProviderResponse
  /** Response when the stored card is charged later; `response` if omitted. */
  laterResponse?: ProviderResponse
  /** What the card does, for the tester. */
  does: string
  /** Set if a payment by this card is captured only after the configured slow time. */
  slow?: true
  /** Cuts the connection without a response, before or after the capture. */
  cutsConnection?: 'before' | 'after'
  /** The first queries return 814 although the charge is captured. */
  late?: true
  /** The first queries return something that is not XML. */
  garbled?: true
  /** Captures a different amount. */
  differs?: true
}

export const TEST_CARDS = {
  visa: { number: '4111111111111111', response: RESPONSES.approved, does: 'Approved.' },
  mastercard: { number: '5555555555554444', response: RESPONSES.approved, does: 'Approved.' },
  amex: { number: '378282246310005', response: RESPONSES.approved, does: 'Approved.' },
  discover: { number: '6011111111111117', response: RESPONSES.approved, does: 'Approved.' },
  declined: { number: '4000000000000002', response: RESPONSES.declined, does: 'Declined by the issuer.' },
  expired: { number: '4000000000000069', response: RESPONSES.expired, does: 'Declined: the card has expired.' },
  callIssuer: {
    number: '4000000000000119',
    response: RESPONSES.callIssuer,
    does: 'Refused with an uncommon code and a text of the provider’s own.',
  },
  duplicate: {
    number: '4000000000000507',
    response: RESPONSES.duplicate,
    does: 'Refused as a duplicate; nothing is charged for this order.',
  },
  slow: { number: '4000000000000309', response: RESPONSES.approved, slow: true, does: 'Approved after the slow time.' },
  late: {
    number: '4000000000000200',
    response: RESPONSES.approved,
    cutsConnection: 'after',
    late: true,
    does: 'Charged, then the connection is cut. The first two queries answer 814, the next 000.',
  },
  lost: {
    number: '4000000000000317',
    response: RESPONSES.approved,
    cutsConnection: 'before',
    does: 'The connection is cut and nothing is charged. Queries answer 814; the page can be sent again.',
  },
  garbled: {
    number: '4000000000000408',
    response: RESPONSES.approved,
    garbled: true,
    does: 'Approved. The first two queries answer garbage, the next 000.',
  },
  differs: {
    number: '4000000000000606',
    response: RESPONSES.approved,
    differs: true,
    does: 'Approved for $1.00 less than asked ($1.00 more, up to $1.00).',
  },
  declinedLater: {
    number: '4000000000000705',
    response: RESPONSES.approved,
    laterResponse: RESPONSES.declined,
    does: 'Approved on the card page; declined whenever the stored card is charged later.',
  },
} as const satisfies Record<string, TestCard>

export type TestCardName = keyof typeof TEST_CARDS

const cardsByNumber = new Map<string, TestCardName>(
  (Object.keys(TEST_CARDS) as TestCardName[]).map((name) => [TEST_CARDS[name].number, name]),
)

export function testCard(name: TestCardName): TestCard {
  return TEST_CARDS[name]
}

export function brandOf(digits: string): CardBrand | null {
  return BRANDS.find((brand) => new RegExp(brand.begins).test(digits)) ?? null
}

/** Returns whether the check digit is right, by the Luhn algorithm. */
export function luhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}

/** The raw input of the card page. */
export interface CardEntry {
  number: string
  /** 'MM / YY' with '/', '.', '-', a space or no separator; four-digit years too. */
  expiry: string
  cvv: string
  name: string
  zip: string
}

/** Card data that the sandbox's card page accepted, without card number and security code. */
export interface AcceptedCard {
  card: TestCardName
  brand: string
  masked_card_number: string
  exp_month: string
  exp_year: string
  name: string
  zip: string
}

export const ENTRY_MESSAGES = {
  numberMissing: 'Enter the card number',
  numberWrong: 'Check the card number: a digit seems to be wrong or missing',
  numberReal: 'This page takes test cards only. Please never enter a real card here',
  expiryWrong: 'Enter the expiry date, such as 09 / 29',
  expiryPast: 'This card has expired',
  cvvWrong: 'Enter the 3 or 4 digit security code',
  nameMissing: 'Enter the name on the card',
  zipWrong: 'Enter the 5-digit ZIP code of the billing address',
}

export type EntryErrors = Partial<Record<keyof CardEntry, string>>

/**
 * Checks card data entered on the simulated card page.
 * @param now epoch milliseconds, to detect expired cards
 */
export function checkEntry(entry: CardEntry, now: number): { payer: AcceptedCard } | { errors: EntryErrors } {
  const errors: EntryErrors = {}
  const number = entry.number.replace(/[\s-]/g, '')
  const brand = brandOf(number)
  const card = cardsByNumber.get(number)
  if (number === '') errors.number = ENTRY_MESSAGES.numberMissing
  else if (!/^\d+$/.test(number) || !brand?.lengths.includes(number.length) || !luhn(number))
    errors.number = ENTRY_MESSAGES.numberWrong
  else if (!card) errors.number = ENTRY_MESSAGES.numberReal

  const expiry = /^\s*(\d{1,2})\s*[/.\- ]?\s*(?:20)?(\d{2})\s*$/.exec(entry.expiry)
  const month = Number(expiry?.[1])
  const year = 2000 + Number(expiry?.[2])
  const today = new Date(now)
  if (!expiry || month < 1 || month > 12) errors.expiry = ENTRY_MESSAGES.expiryWrong
  else if (year * 12 + month <= today.getUTCFullYear() * 12 + today.getUTCMonth())
    errors.expiry = ENTRY_MESSAGES.expiryPast

  const codeDigits = brand ? [brand.codeDigits] : [3, 4]
  const cvv = entry.cvv.trim()
  if (!/^\d+$/.test(cvv) || !codeDigits.includes(cvv.length)) errors.cvv = ENTRY_MESSAGES.cvvWrong

  const name = entry.name.trim().replace(/\s+/g, ' ')
  if (name === '' || name.length > 100) errors.name = ENTRY_MESSAGES.nameMissing

  const zip = /^\s*(\d{5})(?:-?\d{4})?\s*$/.exec(entry.zip)?.[1]
  if (!zip) errors.zip = ENTRY_MESSAGES.zipWrong

  if (!card || !brand || !zip || Object.keys(errors).length > 0) return { errors }
  return {
    payer: {
      card,
      brand: brand.name,
      masked_card_number: '*'.repeat(number.length - 4) + number.slice(-4),
      exp_month: String(month).padStart(2, '0'),
      exp_year: String(year).slice(-2),
      name,
      zip,
    },
  }
}
