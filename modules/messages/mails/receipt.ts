import { type Cents, format } from '../../../domain/money.ts'
import { formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { autopayOffPath } from '../../leases/autopay-off-link.ts'
import { selectLeasesWithTenants } from '../../leases/select-leases-with-tenants.ts'
import type { Payment } from '../../payments/payment.ts'
import { loadPaymentFacts } from '../../payments/receipt.ts'
import { shownReceipt } from '../../payments/rules/receipt-number.ts'
import * as example from '../internal/example-facts.ts'
import { authorizationText, loadMessageFacility, noMessage, renterFactsOf } from '../internal/message-facts.ts'
import { formatUnits, letterFrom, type RenterFacts, tableBlock } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

/**
 * Returns the path of the link that turns a lease's autopay off, for guest payers and tenants without online access;
 * null for others, for a payment for several leases, or if autopay is off.
 */
async function loadAutopayOffPath(
  services: Services,
  { payer, location_code, lease_number }: Payment,
): Promise<string | null> {
  if (lease_number === null || payer === 'auction') return null
  const lease = await selectLeasesWithTenants(services.db.read)
    .select(['autopay_consent_at', 'grant_online_access'])
    .where('leases.location_code', '=', location_code)
    .where('lease_number', '=', lease_number)
    .where('autopay', '=', 1)
    .executeTakeFirst()
  if (!lease || (payer !== 'guest' && lease.grant_online_access === 1)) return null
  return autopayOffPath(services, {
    locationCode: location_code,
    leaseNumber: lease_number,
    agreedAt: lease.autopay_consent_at,
  })
}

/** Confirms a payment (spec 1 §7, `/api/notices/receipt`). An amount of 0 has no receipt. */
export function receipt(
  facts: RenterFacts & {
    receiptNumber: string
    paymentDate: IsoDate
    lines: { label: string; cents: Cents }[]
    total: Cents
    /** Payment method in words: 'Visa ending 1111', 'Checking ****6789' or 'Check 1042'; '' if unknown. */
    method: string
    /** Paid-through date; '' if the payment covers no period. */
    paidThrough: IsoDate | ''
    /** Authorized text of a bank payment, word for word, and its time: '12:00 PM on Friday, 11/20/2026'. */
    authorized?: { text: string; at: string } | null
    /** Link that turns autopay off without an account; null or left out for none. */
    autopayOffUrl?: string | null
  },
): Letter {
  return letterFrom(facts, {
    subject: `Receipt ${facts.receiptNumber} for ${formatUnits(facts.unitNumber)}`,
    heading: `Thank you. We received ${format(facts.total)}.`,
    preview: facts.paidThrough
      ? `Unit ${facts.unitNumber} is paid through ${formatUs(facts.paidThrough)}.`
      : `For ${formatUnits(facts.unitNumber)} at ${facts.facility.name}.`,
    blocks: [
      tableBlock(
        ['Receipt', facts.receiptNumber],
        ['Date', formatUs(facts.paymentDate)],
        ['Name', facts.name],
        ['Unit', `${facts.unitNumber}, ${facts.facility.name}`],
        ['Paid with', facts.method],
        ['Paid through', facts.paidThrough ? formatUs(facts.paidThrough) : ''],
      ),
      {
        rows: facts.lines.map((line): [string, string] => [line.label, format(line.cents)]),
        sum: ['Paid', format(facts.total)],
        kind: 'price',
      },
      ...(facts.authorized
        ? [`Your authorization, given at ${facts.authorized.at}, for your records: “${facts.authorized.text}”`]
        : []),
      ...(facts.autopayOffUrl
        ? [
            `Autopay is on for ${formatUnits(facts.unitNumber)}: what comes due is charged by itself, every 30 days. You can turn it off at any time.`,
            { button: 'Turn autopay off', href: facts.autopayOffUrl },
          ]
        : []),
    ],
  })
}

export const receiptMail = mail('receipt', {
  about: 'order',
  name: 'Receipt',
  async facts(services, { orderId }) {
    const paid = await loadPaymentFacts(services, orderId)
    const place = paid && (await loadMessageFacility(services, paid.locationCode))
    const isPosted = paid && (paid.leaseNumber !== null || paid.parts.length > 0)
    if (!isPosted || !place || paid.total === 0 || paid.to === '') return noMessage
    const offPath = await loadAutopayOffPath(services, paid.payment)
    return {
      to: paid.to,
      facts: {
        ...renterFactsOf(place, paid.name, paid.unitNumber),
        receiptNumber: shownReceipt(paid.receiptNumber),
        paymentDate: paid.date,
        lines: paid.lines,
        total: paid.total,
        method: paid.method,
        paidThrough: paid.paidThrough,
        authorized: authorizationText(paid.payment, place.facility.timeZone),
        autopayOffUrl: offPath && `${services.publicUrl}${offPath}`,
      },
    }
  },
  letter: receipt,
  samples: [
    {
      name: 'receipt',
      title: 'Receipt',
      facts: {
        ...example.exampleRenter,
        name: 'Maya Okafor',
        receiptNumber: '2026 1120 0007',
        paymentDate: '2026-11-20',
        lines: example.charges.lines,
        total: example.charges.dueToday,
        method: 'Visa ending 1111',
        paidThrough: '2026-12-19',
      },
    },
    {
      name: 'receipt-with-autopay',
      title: 'Receipt where autopay is on and there is no account',
      facts: {
        ...example.exampleRenter,
        name: 'Maya Okafor',
        receiptNumber: '2026 1220 0012',
        paymentDate: '2026-12-20',
        lines: [{ label: 'Current Balance Due', cents: 16210 }],
        total: 16210,
        method: 'Visa ending 1111',
        paidThrough: '2027-01-18',
        autopayOffUrl: `${example.brand.siteUrl}/autopay-off/s1`,
      },
    },
  ],
})
