/**
 * The command `reconcile --provider`: finds charges of the card provider whose orders our database lacks, and adopts or
 * refunds them if the operator says so.
 */
import { DAY } from '../domain/durations.ts'
import { type Cents, toWire } from '../domain/money.ts'
import { compareWithProvider, type LostCharge, resolveLostCharge } from '../modules/payments/reconcile-with-provider.ts'
import { processRefunds } from '../modules/payments/refund-unposted-payments.ts'
import type { Services } from '../platform/operations/services.ts'
import { CardProviderUnavailable } from '../ports/card-provider/card-provider.ts'
import { type CommandContext, CommandFailed, type CommandOptions, UsageError } from './command-definition.ts'

/**
 * Default age of the oldest charge that the comparison with the provider includes, in milliseconds: the 35 days for
 * which `deploy/backup.sh` keeps backups by default.
 */
const BACK_MS = 35 * DAY

const parseInstant = (word: string | boolean | undefined, now: number): number => {
  if (word === undefined) return now - BACK_MS
  const at = Date.parse(String(word))
  if (!/^\d{4}-\d{2}-\d{2}/.test(String(word)) || Number.isNaN(at))
    throw new UsageError(`${word} is no instant; one is written as 2026-11-20T17:00:00Z.`)
  return at
}

const leaseText = ({ lease }: LostCharge) =>
  lease
    ? `${lease.locationCode} lease ${lease.leaseNumber}, unit ${lease.unitNumber}, ${lease.name}, owes ${toWire(lease.balance)}`
    : 'names no lease that is in the books: it can only be given back'

const chargeLine = (charge: LostCharge) =>
  `unknown ${charge.orderId}  ${toWire(charge.amount)}  ${new Date(charge.at).toISOString()}  ${leaseText(charge)}  (${charge.customerName}, ${charge.cardBrand} ${charge.maskedCardNumber.slice(-4)})`

/** Names the fields of a charge as scripts read them in the command's JSON. */
const withOutputNames = <Charge extends { refundedAmount: Cents }>({ refundedAmount, ...charge }: Charge) => ({
  ...charge,
  givenBack: refundedAmount,
})

/**
 * Compares our orders with the provider's list, settles listed orders that are open, cancelled or expired, and prints the
 * differences. With `--adopt` or `--refund`, posts or refunds the chosen lost charges instead of printing differences.
 * @throws UsageError, CommandFailed
 */
export async function reconcileWithProvider(context: CommandContext, options: CommandOptions): Promise<unknown> {
  if (options.adopt !== undefined && options.refund !== undefined) throw new UsageError('Say --adopt or --refund.')
  const decision = options.adopt !== undefined ? 'adopt' : 'refund'
  const chosen = options.adopt ?? options.refund
  const since = parseInstant(options.since, context.clock.now())
  const services = await context.services()
  try {
    const comparison = await compareWithProvider(services, since, (charges) => context.progress(`${charges} charges`))
    if (chosen !== undefined)
      return await decide(context, services, { lost: comparison.lost, chosen: String(chosen), decision })
    for (const charge of comparison.lost) context.say(chargeLine(charge))
    for (const { orderId, amount, refundedAmount, state } of comparison.differing)
      context.say(
        `differs ${orderId}  charged ${toWire(amount)}, given back ${toWire(refundedAmount)} there; ${state} here`,
      )
    const { length } = comparison.lost
    context.say(
      `${comparison.charges} charges since ${new Date(since).toISOString()}: ${length === 0 ? 'all are' : `${length} are not`} in the books, ${comparison.moved} moved on.`,
    )
    if (length > 0) context.say('Decide with --adopt <order> or --refund <order>, or all.')
    return {
      ...comparison,
      lost: comparison.lost.map(withOutputNames),
      differing: comparison.differing.map(withOutputNames),
    }
  } catch (error) {
    throw error instanceof CardProviderUnavailable ? new CommandFailed([error.message]) : error
  }
}

async function decide(
  context: CommandContext,
  services: Services,
  { lost, chosen, decision }: { lost: LostCharge[]; chosen: string; decision: 'adopt' | 'refund' },
) {
  const decisions = chosen === 'all' ? lost : lost.filter(({ orderId }) => orderId === chosen)
  if (decisions.length === 0 && chosen !== 'all')
    throw new CommandFailed([`${chosen} is not among the charges that are missing from the books.`])
  const decided: { orderId: string; state: string }[] = []
  for (const charge of decisions) {
    // A charge that was partly refunded at the provider cannot be posted, so it is refunded in full, even with --adopt.
    const outcome = await resolveLostCharge(services, charge, charge.refundedAmount > 0 ? 'refund' : decision)
    decided.push({ orderId: charge.orderId, state: outcome.state })
    context.progress(`${decided.length} of ${decisions.length}`)
  }
  const returned = await processRefunds(services)
  for (const { orderId, state } of decided) {
    if (state === 'posted') context.say(`${orderId}  in the books`)
    else if (state === 'refund') context.say(`${orderId}  on its way back`)
    else context.say(`${orderId}  ${state}: run this again`)
  }
  context.say(`${decided.length} decided, ${returned} given back.`)
  return { decided, returned }
}
