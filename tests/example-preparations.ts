/**
 * Preparations for operation examples that need more than a caller: each brings the demo to a state in which the
 * example can run. The random values (an order's number) and current prices (an order's amount) of that state replace
 * those in the example's input.
 */
import * as v from 'valibot'
import type { AnyOperation } from '../api/catalogue.ts'
import { demoLinks } from '../demo/links-and-appointments.ts'
import { demoPassword } from '../demo/tenants-with-leases-and-reservations.ts'
import { UpdateOnlineAccessPassword } from '../modules/accounts/operations/create-account-or-change-password.ts'
import { gateAnswerExample } from '../modules/gate/gate-list-message.ts'
import { recordAuctionRulesAcknowledgment } from '../modules/links/record-auction-rules-acknowledgment.ts'
import { signLease } from '../modules/move-in/sign-lease.ts'
import { scheduleMoveOut } from '../modules/move-outs/schedule-and-cancel-move-out.ts'
import { openCheckout } from '../modules/payments/open/open-checkout.ts'
import { openLinkPayment } from '../modules/payments/open/open-link-payment.ts'
import { openMoveInPayment } from '../modules/payments/open/open-move-in-payment.ts'
import { startCheckout } from '../modules/payments/price-checkout.ts'
import { settlePayment } from '../modules/payments/settle-payment.ts'
import { loadCheckout } from '../modules/payments/views/own-checkout.ts'
import { loadDraft, saveAnswers } from '../modules/reservations/draft.ts'
import { storeQuote } from '../modules/reservations/draft-quote.ts'
import type { Draft } from '../modules/reservations/rules/journey/draft.ts'
import type { Answers } from '../modules/reservations/rules/journey/journey-answers.ts'
import type { Callers } from '../platform/operations/callers.ts'
import { checkAccess, perform } from '../platform/operations/operation.ts'
import type { Bank, DebitResult } from '../ports/bank/bank.ts'
import type { CardProvider, OrderResult } from '../ports/card-provider/card-provider.ts'
import {
  anonymous,
  type DemoServices,
  inSession,
  noCardProvider,
  sessionOf,
  signedInAs,
} from './support/seeded-demo-operator.ts'

/**
 * Prepared example call of an operation: its caller, and its input. A function in `preparations` returns only the
 * input fields that differ from the documented example; `prepareExample` returns the whole input.
 */
export interface Prepared {
  callers: Callers
  input?: Record<string, unknown>
}

/** Creates a card provider for tests that approves every order for which it has opened a card page. */
export function approvingCardProvider(): CardProvider {
  const orders = new Map<string, number>()
  return {
    ...noCardProvider,
    async createHostedPage({ orderId, amount }) {
      orders.set(orderId, amount)
      return { sessionToken: `session-${orderId}`, payPageUrl: `http://127.0.0.1:3001/pay/${orderId}` }
    },
    async queryPayment(orderId): Promise<OrderResult> {
      const approvedAmount = orders.get(orderId)
      const isOrdered = approvedAmount !== undefined
      return {
        state: isOrdered ? 'APPROVED' : 'PENDING',
        orderId,
        responseCode: isOrdered ? '000' : '814',
        responseDescription: isOrdered ? 'Approved' : 'Not finished',
        transactionId: isOrdered ? '9000123' : '',
        approvedAmount: approvedAmount ?? 0,
        alias: isOrdered ? 'ALIAS0001' : '',
        cardBrand: 'Visa',
        maskedCardNumber: '************1111',
        expMonth: '08',
        expYear: '29',
        customerName: 'Daphne Kessler',
        address: '',
        postalCode: '30308',
        receiptId: '77120',
      }
    },
  }
}

/** Creates a bank for tests that accepts every debit. */
export function openBank(): Bank {
  const debits = new Map<string, DebitResult>()
  const unknown = (orderId: string): DebitResult => ({
    state: 'UNKNOWN',
    orderId,
    amount: 0,
    traceNumber: '',
    code: '',
    description: '',
  })
  return {
    validateAccount: async () => ({ valid: true, reference: 'V1', description: 'Open' }),
    async debit({ orderId, amount }) {
      const result = debits.get(orderId) ?? {
        ...unknown(orderId),
        state: 'ACCEPTED',
        amount,
        traceNumber: '0910000123',
      }
      debits.set(orderId, result)
      return result
    },
    queryDebit: async (orderId) => debits.get(orderId) ?? unknown(orderId),
    refund: async () => ({ done: true, code: '', description: 'Credited' }),
    returnsSince: async () => [],
  }
}

const answers: Partial<Answers> = {
  vehicle: false,
  hasLienHolder: false,
  insurance: { status: 1, schemeId: 1 },
  brochureSeen: true,
  customerInfo: {
    drivers_license: '048213377',
    issued_state: 'GA',
    birth_date: '1987-05-14',
    expiration_date: '2030-01-31',
    brief_description: 'Household goods',
  },
  fullDayAccess: false,
  activeMilitary: false,
}

async function loadSessionDraft(services: DemoServices, callers: Callers): Promise<Draft> {
  const draft = await loadDraft(services, callers.rental?.draftId ?? '')
  if (!draft) throw new Error('The session has no draft')
  return draft
}

async function saveDraftAnswers(services: DemoServices, draft: Draft, change: Partial<Answers>): Promise<Draft> {
  const saved = await saveAnswers(services, draft, change)
  if (!saved.ok) throw new Error(saved.why)
  return saved.draft
}

async function signExampleLease(services: DemoServices): Promise<{ callers: Callers; draft: Draft }> {
  services.cardProvider = approvingCardProvider()
  const callers = await sessionOf(services, 'K7M2XQ9TRD')
  const draft = await saveDraftAnswers(services, await loadSessionDraft(services, callers), answers)
  const signature = await signLease(
    services,
    draft,
    { method: 'typed', name: 'Daphne Kessler' },
    { claimed: 'Daphne Kessler', address: callers.address, agent: callers.agent },
  )
  if (!signature.ok) throw new Error(signature.why)
  return { callers, draft: await saveDraftAnswers(services, signature.draft, { paymentMethod: 'CC' }) }
}

async function openOrder(services: DemoServices): Promise<{ callers: Callers; orderId: string; amount: number }> {
  const { callers, draft } = await signExampleLease(services)
  const quote = await storeQuote(services, draft)
  const opened = await openMoveInPayment(services, draft, { quoteId: quote?.quoteId ?? '' })
  if (!opened.ok) throw new Error(opened.why)
  return { callers, ...opened }
}

const dollars = (cents: number) => (cents / 100).toFixed(2)

async function prepareOrder(services: DemoServices): Promise<Prepared> {
  const { callers, orderId, amount } = await openOrder(services)
  return { callers, input: { order_id: orderId, amount: dollars(amount) } }
}

async function prepareMoveIn(services: DemoServices): Promise<Prepared> {
  const { callers, orderId } = await openOrder(services)
  const settled = await settlePayment(services, orderId)
  if (settled.state !== 'posted') throw new Error(settled.state)
  return { callers, input: { order_id: orderId } }
}

async function prepareMoveOut(services: DemoServices): Promise<Prepared> {
  const scheduled = await scheduleMoveOut(services, {
    locationCode: 'ATL01',
    leaseNumber: 10001,
    date: '2026-11-21',
    vacateReasonId: 1,
    customNote: '',
    feedback: null,
    note: '',
    mail: false,
  })
  if (!scheduled.ok) throw new Error('The move-out could not be scheduled')
  return { callers: await signedInAs(services, 'ATL01', 1001) }
}

async function preparePrepayment(services: DemoServices): Promise<Prepared> {
  services.cardProvider = approvingCardProvider()
  const callers = await signedInAs(services, 'ATL01', 1001)
  const started = await startCheckout(services, {
    payer: 'tenant',
    locationCode: 'ATL01',
    tenantId: 1001,
    leaseNumber: 10001,
    pays: 'prepay',
    periods: 1,
    autopay: false,
  })
  const checkout = started.ok ? await loadCheckout(services, started.checkoutId) : null
  if (!checkout) throw new Error('There is nothing to prepay')
  const opened = await openCheckout(services, checkout, callers)
  if (!opened.ok) throw new Error(opened.why)
  return { callers, input: { order_id: opened.orderId } }
}

async function prepareAuctionPayment(services: DemoServices): Promise<Prepared> {
  services.cardProvider = approvingCardProvider()
  const { uuid } = demoLinks.auction
  await recordAuctionRulesAcknowledgment(services, uuid, { address: '', agent: '' })
  const opened = await openLinkPayment(services, 'auction', uuid)
  if (!opened.ok) throw new Error(opened.why)
  const settled = await settlePayment(services, opened.orderId)
  if (settled.state !== 'posted') throw new Error(settled.state)
  return { callers: { ...anonymous(), auction: { uuid } } }
}

async function prepareNewPassword(services: DemoServices): Promise<Prepared> {
  const callers = await signedInAs(services, 'ATL01', 1001)
  const input = { location_code: 'ATL01', tenant_id: 1001, current_password: demoPassword, password: 'rolling-gate-48' }
  const changed = await perform(services, UpdateOnlineAccessPassword, input, callers)
  if (!changed.ok || changed.value.result !== 'success') throw new Error('The password could not be changed')
  return { callers }
}

/** Connects the gate of ATL01, with the list of codes that the example shows. */
async function prepareGate({ db, clock }: DemoServices): Promise<Prepared> {
  const { codes, week } = gateAnswerExample
  const now = clock.now()
  await db.transaction(async (tx) => {
    await tx.deleteFrom('gate_commands').execute()
    await tx.deleteFrom('gate_wanted').execute()
    await tx.deleteFrom('gates').execute()
    await tx
      .insertInto('gates')
      .values({
        location_code: 'ATL01',
        kind: 'pull',
        settings_sealed: null,
        week: JSON.stringify(week),
        zone: 'America/New_York',
        connected_at: now,
        epoch: 'e3',
        epoch_at: now,
        first_heard_at: null,
        week_version: 0,
        week_changed_at: now,
        applied_week: null,
        applied_zone: null,
        version: 42,
        changed_at: now,
        next_change_at: null,
        applied_version: 0,
        applied_at: null,
        heard_at: null,
        heard_by: '',
        next_try_at: null,
        last_error: '',
      })
      .execute()
    await tx
      .insertInto('gate_wanted')
      .values(
        codes.map((code) => ({
          location_code: 'ATL01',
          code_id: code.id,
          gate_code: code.code,
          tenant_id: 1001,
          opens: code.opens ? (1 as const) : (0 as const),
          hours: code.hours === 'any' ? ('24-hour' as const) : ('standard' as const),
          units: JSON.stringify(code.units),
          version: 42,
          changed_at: now,
          gone: 0 as const,
          remote_id: null,
          remote_version: 0,
          refused: null,
          late_at: null,
          applied_opens: null,
        })),
      )
      .execute()
    await tx
      .insertInto('gate_commands')
      .values({
        command_id: 'o91',
        location_code: 'ATL01',
        point: 'main',
        staff_id: 's',
        reason: 'Asked on the phone',
        created_at: now,
        lapses_at: now + 30_000,
        done_at: null,
        answer: '',
      })
      .execute()
  })
  const machine = { keyId: 'k', name: 'k', role: 'gate', facilities: 'all', pii: false, perMinute: 6000 } as const
  return { callers: { ...anonymous(), machine } }
}

/** Preparations of the examples, by operation name. */
const preparations: Readonly<Record<string, (services: DemoServices) => Promise<Prepared>>> = {
  'POST /api/paygateway/hostpay/transactions': async (services) => {
    const { callers, draft } = await signExampleLease(services)
    return { callers, input: { total_amount: dollars((await storeQuote(services, draft))?.total ?? 0) } }
  },
  async 'POST /api/paygateway/directpay/express'(services) {
    const { callers, orderId } = await openOrder(services)
    return { callers, input: { order_id: orderId } }
  },
  ProcessACHMoveIn: async (services) => {
    services.bank = openBank()
    const { callers, draft } = await signExampleLease(services)
    const byBank = { ...draft, answers: { ...draft.answers, paymentMethod: 'ACH' as const } }
    return { callers, input: { PaymentAmount: dollars((await storeQuote(services, byBank))?.total ?? 0) } }
  },
  ProcessACHPayments: async (services) => {
    services.bank = openBank()
    const callers = await signedInAs(services, 'ATL01', 1001)
    const started = await startCheckout(services, {
      payer: 'tenant',
      locationCode: 'ATL01',
      tenantId: 1001,
      leaseNumber: 10001,
      pays: 'prepay',
      periods: 1,
      autopay: false,
    })
    const checkout = started.ok ? await loadCheckout(services, started.checkoutId) : null
    return { callers, input: { amount: dollars(checkout?.price.ACH.total ?? 0) } }
  },
  'PUT /api/prospects/{reservationCode}': async (services) => ({ callers: (await prepareMoveIn(services)).callers }),
  'send-schedule-move-out-email': prepareMoveOut,
  ConvertReservationtoRentalAndSendLeaseAgreement: prepareOrder,
  'POST /api/notices/receipt': prepareMoveIn,
  ProcessPayment_V2: preparePrepayment,
  'POST /api/auction_winners/{id}/send_payment_email': prepareAuctionPayment,
  'POST /api/auction_winners/{id}/acknowledge_rules': async () => ({
    callers: { ...anonymous(), auction: { uuid: demoLinks.auction.uuid } },
  }),
  'POST /api/notices/movein_completion': prepareMoveIn,
  'POST /api/notices/tenant_update_notice': prepareNewPassword,
  'GET /api/gate/{facility}/state': prepareGate,
  'POST /api/gate/{facility}/events': prepareGate,
}

interface RecordIds {
  location_code?: string
  tenant_id?: number
  res_code?: string
  reservationCode?: string
  reservation_code?: string
}

/**
 * Prepares the demo for an operation's example.
 * @returns a caller with access, and the example's input with the prepared values
 * @throws Error when the preparation fails, or no caller has access
 */
export async function prepareExample(services: DemoServices, declared: AnyOperation): Promise<Required<Prepared>> {
  const { location_code = 'ATL01', tenant_id = 1001, ...input } = declared.example.input as RecordIds
  const prepare = preparations[declared.name]
  if (prepare) {
    const { callers, input: change = {} } = await prepare(services)
    return { callers, input: { ...declared.example.input, ...change } }
  }
  const candidates: (() => Promise<Callers> | Callers)[] = [
    anonymous,
    () => signedInAs(services, location_code, tenant_id),
    () => sessionOf(services, input.res_code ?? input.reservationCode ?? input.reservation_code ?? 'K7M2XQ9TRD'),
    () => inSession(services, { locationCode: location_code, unitTypeId: 1, tenantId: tenant_id }),
  ]
  const parsed = v.parse(declared.input, declared.example.input)
  for (const candidate of candidates) {
    // A candidate that the demo lacks, such as a tenant without an account, is skipped.
    const callers = await Promise.resolve()
      .then(candidate)
      .catch(() => null)
    if (callers && checkAccess(declared.access, callers, parsed) === null) {
      return { callers, input: declared.example.input }
    }
  }
  throw new Error(`Nobody may call ${declared.name} with its own example`)
}
