import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Charges } from '../../pricing/rules/charges.ts'

export interface PostalAddress {
  address: string
  city: string
  state: string
  zip: string
}

/** All that a lease says about one rental (spec 2 §7, `lease-pdf`). Cents and plain dates; '' where a text is not given. */
export interface LeaseFacts {
  operator: string
  facility: PostalAddress & {
    name: string
    phone: string
    email: string
    gateHours: string
    /** Days after the paid-through date at which a unit goes to sale. */
    auctionAfterDays: number
    cardFee: Cents | null
    /** The late fee before tax, charged ten days after an unpaid period began; null where there is none. */
    lateFee: Cents | null
  }
  tenant: PostalAddress & { name: string; company: string; phone: string; email: string }
  unit: {
    number: string
    length: number
    width: number
    /** 'Climate-controlled storage' */
    category: string
  }
  leaseNumber: number | null
  moveInDate: IsoDate
  paidThrough: IsoDate
  nextBilling: IsoDate
  /** Opens the gate once the move-in is paid; '' where it is not yet given. */
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
  /** Georgia: who else receives notices of default. */
  agent: (PostalAddress & { name: string; email: string }) | null
  /** South Carolina: how notices of default come; null elsewhere. */
  defaultNotice: 'mail' | 'email' | 'on file' | null
  /** null: declined. `method` is a label such as 'Visa ending 1111', or '' while it is not yet known. */
  autopay: { method: string } | null
  /** 24-hour access, per period; null: not taken. */
  fullDayAccess: Cents | null
  /** Set where a tenant accepts changed terms: no new move-in, and the day from which they hold. */
  updatedTerms: { effective: IsoDate } | null
}
