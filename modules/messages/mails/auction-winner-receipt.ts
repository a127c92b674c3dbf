import { type Cents, format } from '../../../domain/money.ts'
import { formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { formatGateCode } from '../../gate/rules/generate-gate-code.ts'
import { gateCode as gateCodeText, overlockCode } from '../../leases/texts/portal.ts'
import { AUCTION, auctionMoveOutDate } from '../../links/rules/auction-rules-for-winner.ts'
import { loadPaymentFacts } from '../../payments/receipt.ts'
import * as example from '../internal/example-facts.ts'
import { newCodeText } from '../internal/gate-code-sentences.ts'
import { loadWinner, noMessage, renterFactsOf } from '../internal/message-facts.ts'
import {
  formatAddress,
  formatUnits,
  letterFrom,
  type RenterFacts,
  tableBlock,
} from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'
import { phoneToCall } from '../texts/facility-or-brand-phone.ts'

/** Confirms an auction winner's payment (spec 2 §4, `send_payment_email`). */
function auctionPaymentReceived(
  facts: RenterFacts & {
    amount: Cents
    gateCode: string
    /** Combination of the unit's overlock; '' without one. */
    comboCode: string
    /** Sentence of `newCodeText` about whether the gate has the code; may be ''. */
    atTheGate: string
    accessHours: string
    moveOutDate: IsoDate
  },
): Letter {
  return letterFrom(facts, {
    subject: `Payment received: ${formatUnits(facts.unitNumber)} at ${facts.facility.name}`,
    heading: `We received ${format(facts.amount)}`,
    preview: `Your gate code, and ${AUCTION.cleanOutHours} hours to clean out the unit.`,
    blocks: [
      `${facts.name}, the contents of ${formatUnits(facts.unitNumber)} are yours. You have ${AUCTION.cleanOutHours} hours to clean it out.`,
      ...[facts.atTheGate].filter(Boolean),
      { code: formatGateCode(facts.gateCode), label: gateCodeText },
      ...(facts.comboCode ? [{ code: facts.comboCode, label: overlockCode }] : []),
      tableBlock(
        ['Facility', facts.facility.name],
        ['Address', formatAddress(facts.facility)],
        ['Access hours', facts.accessHours],
        ['Empty by', formatUs(facts.moveOutDate)],
      ),
      `A cleaning fee of ${format(AUCTION.cleaningFee)} is charged for a unit that is not left empty and clean. There is no deposit.`,
    ],
  })
}

export const auctionPaymentMail = mail('auction_payment', {
  about: null,
  async facts(services, { uuid }) {
    const sale = await loadWinner(services, uuid)
    if (!sale || sale.winner.email === '') return noMessage
    const { winner, gate, ...place } = sale
    const [paid, lease] = await Promise.all([
      winner.order_id ? loadPaymentFacts(services, winner.order_id) : null,
      services.db.read
        .selectFrom('leases')
        .select('scheduled_move_out')
        .where((eb) => eb.and({ location_code: winner.location_code, lease_number: winner.lease_number }))
        .executeTakeFirst(),
    ])
    if (!paid) return noMessage
    return {
      to: winner.email,
      facts: {
        ...renterFactsOf(place, winner.name, winner.unit_number),
        amount: paid.total,
        gateCode: winner.gate_code,
        comboCode: winner.combo_code,
        atTheGate: await newCodeText(services, gate, winner, phoneToCall(place.brand, place.facility)),
        accessHours: gate.is === 'opens' ? gate.hours : '',
        moveOutDate: lease?.scheduled_move_out ?? auctionMoveOutDate(paid.date),
      },
    }
  },
  letter: auctionPaymentReceived,
  samples: [
    {
      name: 'auction-payment-received',
      title: 'Auction payment received',
      facts: {
        ...example.exampleRenter,
        name: 'Ruth Delgado',
        unitNumber: '118',
        amount: 41250,
        gateCode: '730164',
        comboCode: '2591',
        atTheGate: 'The gate has your code.',
        accessHours: '5:00 AM to 9:00 PM, every day',
        moveOutDate: '2026-11-23',
      },
    },
  ],
})
