/** The commands `billing`, `reconcile` and `link`. */

import { fromWire, toWire } from '../domain/money.ts'
import { addDays, type IsoDate, parseUs } from '../domain/plain-date.ts'
import { todayIn } from '../domain/time-zone-dates.ts'
import { hasBillingRun, reverseRun } from '../modules/billing/reverse-billing-run.ts'
import { facilitiesBehind, previewBilling, resumeBilling, runBilling } from '../modules/billing/run-billing.ts'
import { email, zip } from '../modules/facilities/rules/csv-column-types.ts'
import { repairBalances } from '../modules/ledger/load-and-repair-lease-balance.ts'
import {
  type LinkResult,
  makeAuctionLink,
  makeSettlementLink,
} from '../modules/links/auction-and-settlement-link-records.ts'
import { expireUnpaidHolds } from '../modules/payments/expire-unpaid-holds.ts'
import { capturedCents } from '../modules/payments/payment.ts'
import {
  loadPaymentsInReview,
  loadUnfinishedRefunds,
  type RefundTask,
} from '../modules/payments/payment-reviews-and-failed-refunds.ts'
import { loadPaymentFacts } from '../modules/payments/receipt.ts'
import { processRefunds } from '../modules/payments/refund-unposted-payments.ts'
import { reconcilePayments } from '../modules/payments/settle-pending-payments.ts'
import { saveDailySnapshots } from '../modules/reports/save-daily-snapshots.ts'
import { ensureReservationLink } from '../modules/reservations/reservation-lookup-operation-parts.ts'
import type { Services } from '../platform/operations/services.ts'
import {
  type Command,
  type CommandContext,
  CommandFailed,
  type CommandOptions,
  refuseExtraArguments,
  requireArgument,
  UsageError,
} from './command-definition.ts'
import { reconcileWithProvider } from './reconcile-provider.ts'
import { parseFacilityOption, requireFacility } from './settings-and-job-commands.ts'

const parseCents = (word: string | boolean | undefined, label: string): number => {
  const amount = fromWire(requireArgument(word, label).replace(/^\$/, ''))
  if (amount === null) throw new UsageError('An amount is written as 139.00.')
  return amount
}

/** Unit, name and payment method, by which a staff member finds the payer of a payment. */
interface PayerDetails {
  unit_number: string
  name: string
  paid_with: string
}

async function addPayers<Payment extends { order_id: string }>(
  services: Services,
  payments: Payment[],
): Promise<(Payment & PayerDetails)[]> {
  return Promise.all(
    payments.map(async (payment) => {
      // A payment whose details cannot be read or decrypted is still listed.
      const facts = await loadPaymentFacts(services, payment.order_id).catch(() => null)
      return {
        ...payment,
        unit_number: facts?.unitNumber ?? '',
        name: facts?.name ?? '',
        paid_with: facts?.method ?? '',
      }
    }),
  )
}

const payerLine = (payment: PayerDetails & { location_code: string }) =>
  [`${payment.location_code} unit ${payment.unit_number}`, payment.name, payment.paid_with].filter(Boolean).join(', ')

const refundLine = (task: RefundTask & PayerDetails) =>
  `refund  ${task.order_id}  ${toWire(task.cents)}  ${task.state}  ${payerLine(task)}  ${task.reason}  ${task.attempts} tries  ${task.last_error ?? ''}`.trimEnd()

type InReview = Awaited<ReturnType<typeof loadPaymentsInReview>>[number] & PayerDetails

const reviewFields = (payment: InReview) => ({
  order_id: payment.order_id,
  location_code: payment.location_code,
  payer: payment.payer,
  lease_number: payment.lease_number,
  amount: payment.amount,
  approved_amount: payment.approved_amount,
  trouble: payment.trouble,
  created_at: payment.created_at,
  unit_number: payment.unit_number,
  name: payment.name,
  paid_with: payment.paid_with,
})

const reviewLine = (payment: InReview) =>
  `review  ${payment.order_id}  agreed ${toWire(payment.amount)}, captured ${toWire(capturedCents(payment))}  ${payerLine(payment)}  ${payment.trouble ?? ''}`.trimEnd()

const loadPaymentsToReview = async (services: Services) => addPayers(services, await loadPaymentsInReview(services))

const loadPendingRefunds = async (services: Services) => addPayers(services, await loadUnfinishedRefunds(services))

async function loadOpenPayments(services: Services) {
  return services.db.read
    .selectFrom('payments')
    .select(['order_id', 'location_code', 'payer', 'state', 'amount', 'created_at'])
    .where('state', 'in', ['created', 'presented', 'captured', 'refund_due'])
    .orderBy('created_at')
    .execute()
}

function printLink(context: CommandContext, result: LinkResult): unknown {
  if (!result.ok) throw new CommandFailed([result.why], result)
  const link = `${context.publicUrl}${result.path}`
  context.say(link)
  return { uuid: result.uuid, link }
}

const billingCommand: Command = {
  movesMoney: true,
  usage:
    'billing [--date <day>] [--location <code>] [--again] [--ahead] | --catch-up --through <day> [--ahead] [--confirm] | --reverse <run>[,<run>…]',
  summary: 'Charges what is due, once per period however often it runs. The server does it by itself each hour.',
  details: [
    '--date      for that day (mm/dd/yyyy or yyyy-mm-dd) instead of today',
    '--location  one facility alone',
    '--again     also where the day is done',
    '--ahead     also for a day more than a year ahead; whatever falls due until then is charged',
    '--catch-up  where billing waits since more than three days were missed: says what it would charge through a',
    '            day, and with --confirm charges it',
    '--reverse   takes runs back, such as ATL01-17,ATL02-9: the opposite of each charge; mails that have not gone are',
    '            dropped, and tenants whose mail had gone are mailed that it was a mistake. One that is not there is',
    '            named before any is taken back',
  ],
  options: {
    date: { type: 'string' },
    location: { type: 'string' },
    again: { type: 'boolean' },
    ahead: { type: 'boolean' },
    'catch-up': { type: 'boolean' },
    through: { type: 'string' },
    confirm: { type: 'boolean' },
    reverse: { type: 'string' },
  },
  async run(context, args, options) {
    refuseExtraArguments(args)
    if (options.reverse !== undefined) return reverseRuns(context, String(options.reverse))
    if (options['catch-up'] === true) return catchUp(context, options)
    const date = dayOf(context, options.date, options.ahead === true)
    const services = await context.services()
    const locationCode = await parseFacilityOption(services, options.location)
    await expireUnpaidHolds(services)
    await saveDailySnapshots(services)
    const billed = await runBilling(services, {
      ...(date === null ? { unattended: options.again !== true } : { date }),
      ...(locationCode !== null && { locationCode }),
      ...(options.again === true && { again: true }),
    })
    context.say(
      `${billed.facilities} facilities, ${billed.leases} leases: ${billed.periods} periods and ${billed.entries} entries charged, ${billed.movedOut} moved out, ${billed.mails} mails.`,
    )
    for (const { locationCode: code, billed: lastBilled, today } of billed.waiting)
      context.say(`${code} waits: billed through ${lastBilled}, and it is ${today} there. See --catch-up.`)
    return billed
  },
}

/**
 * Parses a day; null if the option was left out.
 * @throws UsageError if it is invalid, or more than a year ahead without `--ahead`
 */
function dayOf(context: CommandContext, word: string | boolean | undefined, ahead: boolean): IsoDate | null {
  if (word === undefined) return null
  const date = parseUs(String(word))
  if (date === null) throw new UsageError(`${word} is no day.`)
  // A typo in the year could charge every tenant for decades.
  if (!ahead && date > addDays(todayIn('UTC', context.clock.now()), 366))
    throw new UsageError(`${word} is more than a year ahead. Say --ahead as well if that is meant.`)
  return date
}

async function catchUp(context: CommandContext, options: CommandOptions): Promise<unknown> {
  const through = dayOf(
    context,
    requireArgument(options.through, 'through which day: --through'),
    options.ahead === true,
  )!
  const services = await context.services()
  const locationCode = await parseFacilityOption(services, options.location)
  const facilities = await facilitiesBehind(services, through, locationCode)
  const previews = []
  for (const { locationCode: code, billed } of facilities) {
    const { periods, cents, mails } = await previewBilling(services, code, through)
    context.say(
      `${code}  billed through ${billed}: ${periods} periods, ${toWire(cents)}, ${mails} mails through ${through}`,
    )
    previews.push({ locationCode: code, billed, periods, cents, mails })
  }
  if (facilities.length === 0) context.say('No facility is behind.')
  else if (options.confirm !== true) context.say('Nothing was charged. Add --confirm to charge it.')
  if (options.confirm !== true) return { would: previews, charged: null }
  let periods = 0
  let cents = 0
  await saveDailySnapshots(services)
  for (const { locationCode: code } of facilities) {
    const done = await runBilling(services, { date: through, locationCode: code })
    await resumeBilling(services.db.write, code, through)
    periods += done.periods
    cents += done.cents
  }
  context.say(`${periods} periods charged, ${toWire(cents)}. Billing goes on by itself.`)
  return { would: previews, charged: { periods, cents } }
}

/** Reverses billing runs. @param names such as `ATL01-17,ATL02-9` */
async function reverseRuns(context: CommandContext, names: string): Promise<unknown> {
  const runs = names.split(',').map((word) => {
    const name = word.trim()
    const [, location_code, number] = /^(.+)-(\d{1,9})$/.exec(name) ?? []
    if (location_code === undefined) throw new UsageError(`${name} is no run; one is called ATL01-17.`)
    return { name, run: { location_code, run_number: Number(number) } }
  })
  const services = await context.services()
  const missing: string[] = []
  for (const { name, run } of runs) if (!(await hasBillingRun(services, run))) missing.push(name)
  if (missing.length > 0) throw new CommandFailed([`There is no run ${missing.join(', ')}. Nothing was taken back.`])
  const reversals = []
  for (const { name, run } of runs) {
    const reversed = await reverseRun(services, run)
    if (reversed === null) throw new CommandFailed([`Run ${name} has gone meanwhile.`])
    const { leases, entries, cents, mails, notified, closed } = reversed
    context.say(`${name}  ${leases} leases: ${entries} entries of ${toWire(cents)} taken back, ${mails} mails dropped.`)
    if (notified > 0)
      context.say(`${notified} tenants had a mail about them already, and are mailed that it was a mistake.`)
    if (closed.length > 0) context.say(`Closed for a day to come, look at them: ${closed.join(', ')}`)
    reversals.push({ run: name, leases, entries, cents, mails, told: notified, closed })
  }
  return reversals
}

export const paymentCommands: Record<string, Command> = {
  billing: billingCommand,
  reconcile: {
    usage: 'reconcile [--provider [--since <instant>] [--adopt <order> | --refund <order>]]',
    summary:
      'Asks the provider about payments that never came back, gives back what is owed, compares balances with the ledger, and lists what stays open.',
    details: [
      "--provider  reads the provider's own list and names each charge that is not in the books, as after a restore",
      '--since     from which instant on, such as that of the backup: 2026-11-20T17:00:00Z; without it 35 days',
      '--adopt     counts one, or all, for the lease that its order names; without such a lease it is given back',
      '--refund    gives one, or all, back',
    ],
    options: {
      provider: { type: 'boolean' },
      since: { type: 'string' },
      adopt: { type: 'string' },
      refund: { type: 'string' },
    },
    async run(context, args, options) {
      refuseExtraArguments(args)
      if (options.provider === true) return reconcileWithProvider(context, options)
      if (options.since ?? options.adopt ?? options.refund) throw new UsageError('That goes with --provider.')
      const services = await context.services()
      const moved = await reconcilePayments(services)
      context.progress(`${moved} payments moved on`)
      const returned = await processRefunds(services)
      const mismatches = await repairBalances(services.db)
      const balances = mismatches.map(({ stored, ...mismatch }) => ({ ...mismatch, kept: stored }))
      const [open, refunds, review] = await Promise.all([
        loadOpenPayments(services),
        loadPendingRefunds(services),
        loadPaymentsToReview(services),
      ])
      context.say(`${moved} payments moved on, ${returned} given back.`)
      for (const payment of open)
        context.say(`open    ${payment.order_id}  ${toWire(payment.amount)}  ${payment.state}  ${payment.payer}`)
      for (const task of refunds) context.say(refundLine(task))
      for (const payment of review) context.say(reviewLine(payment))
      for (const { locationCode, leaseNumber, kept, sum } of balances)
        context.say(`balance ${locationCode} ${leaseNumber}  said ${toWire(kept)}, set to the ledger's ${toWire(sum)}`)
      if (open.length + refunds.length + review.length === 0) context.say('Nothing is open.')
      return { moved, returned, open, refunds, review: review.map(reviewFields), balances }
    },
  },
  link: {
    usage: 'link auction|settlement|reservation <location> …',
    summary: 'Makes the personal link of an auction winner, of a settlement or of a reservation.',
    details: [
      'link auction <location> <unit> --name … --email … --city … --zip … [--amount 139.00] [--combo 4417]',
      '  without an amount, what the unit owes',
      'link settlement <location> <unit> <amount>',
      '  the rest of what is owed is written off once it is paid',
      '  an earlier open link of an auction or a settlement is withdrawn',
      'link reservation <location> <code>',
      '  opens a reservation that is still held, on any device',
    ],
    options: {
      name: { type: 'string' },
      email: { type: 'string' },
      city: { type: 'string' },
      zip: { type: 'string' },
      amount: { type: 'string' },
      combo: { type: 'string' },
    },
    async run(context, [kind, location, unit, amount, ...more], options) {
      if (kind !== 'auction' && kind !== 'settlement' && kind !== 'reservation')
        throw new UsageError('Say auction, settlement or reservation.')
      refuseExtraArguments(more)
      if (kind === 'reservation') {
        const locationCode = requireArgument(location, 'which location')
        const code = requireArgument(unit, 'the code of which reservation')
        if (amount !== undefined) throw new UsageError(`What is ${amount}?`)
        const services = await context.services()
        await requireFacility(services, locationCode)
        const path = await ensureReservationLink(services, locationCode, code)
        if (path === null) throw new CommandFailed([`${locationCode} holds no reservation ${code}.`])
        const link = `${context.publicUrl}${path}`
        context.say(link)
        return { link }
      }
      const unitKey = {
        locationCode: requireArgument(location, 'which location'),
        unitNumber: requireArgument(unit, 'which unit'),
      }
      if (kind === 'settlement') {
        const settlement = { ...unitKey, cents: parseCents(amount, 'for which amount') }
        return printLink(context, await makeSettlementLink(await context.services(), settlement))
      }
      if (amount !== undefined) throw new UsageError('The amount of an auction is given as --amount.')
      const winner = {
        name: requireArgument(options.name, "the winner's name: --name"),
        email: requireArgument(options.email, "the winner's e-mail address: --email"),
        city: requireArgument(options.city, "the winner's city: --city"),
        zip: requireArgument(options.zip, "the winner's ZIP code: --zip"),
      }
      if (zip.read(winner.zip) === undefined) throw new UsageError(`--zip must be ${zip.shape}.`)
      if (email.read(winner.email) === undefined) throw new UsageError(`--email must be ${email.shape}.`)
      return printLink(
        context,
        await makeAuctionLink(await context.services(), {
          ...unitKey,
          ...winner,
          ...(options.amount !== undefined && { cents: parseCents(options.amount, 'the amount') }),
          ...(options.combo !== undefined && { comboCode: String(options.combo) }),
        }),
      )
    },
  },
}
