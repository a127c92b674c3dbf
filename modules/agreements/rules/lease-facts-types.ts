import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Charges } from '../../pricing/rules/charges.ts'

export interface PostalAddress {
  address: string
  city: string
  state: string
  zip: string
}

/**
 * Facts of one rental that its lease states (spec 2 §7, operation `lease-pdf`). Amounts in cents, dates `YYYY-MM-DD`,
 * the unit's length and width in feet; '' for missing texts.
 */
export interface LeaseFacts {
  operator: string
  facility: PostalAddress & {
    name: string
    phone: string
    email: string
    gateHours: string
    /** The lease promises that a unit's contents are not sold earlier than this many days after the paid-through date. */
    auctionAfterDays: number
    /** Card processing fee, before tax, of a card payment without autopay; null where there is none. */
    cardFee: Cents | null
    /** Late fee before tax, charged ten days after an unpaid period began; null where there is none. */
    lateFee: Cents | null
  }
  tenant: PostalAddress & { name: string; company: string; phone: string; email: string }
  unit: {
    number: string
    length: number
    width: number
    /** Category of the unit: 'Climate-controlled storage' */
    category: string
  }
  leaseNumber: number | null
  moveInDate: IsoDate
  paidThrough: IsoDate
  nextBilling: IsoDate
  /** Gate code to print; '' leaves its row out, as in the leases that are signed on this site. */
  gateCode: string
  charges: Pick<
    Charges,
    'lines' | 'dueToday' | 'periodStart' | 'periodEnd' | 'nextBilling' | 'thenLines' | 'thenPerPeriod' | 'cardFeeEach'
  >
  insurance:
    | { kind: 'none' }
    | { kind: 'plan'; name: string; coverage: Cents; premium: Cents }
    | { kind: 'own'; carrier: string; policyNumber: string; expires: IsoDate }
    | { kind: 'vehicle' }
  goods: string
  vehicle: { make: string; model: string; color: string; description: string } | null
  lienHolder: { name: string; phone: string; address: string; description: string } | null
  activeMilitary: boolean
  military: { branch: string; base: string; commandingOfficer: string } | null
  /** Designated agent, who also receives notices of default (Georgia). */
  agent: (PostalAddress & { name: string; email: string }) | null
  /** How notices of default are sent, 'on file' where the browser may not see it; null if not chosen or not SC. */
  defaultNotice: 'mail' | 'email' | 'on file' | null
  /** Autopay; null if declined. `method` is a label such as 'Visa ending 1111', or '' before it is known. */
  autopay: { method: string } | null
  /** Fee for 24-hour access per period; null without it. */
  fullDayAccess: Cents | null
  /** Set where a tenant accepts updated terms rather than moves in: the day on which they take effect. */
  updatedTerms: { effective: IsoDate } | null
}
