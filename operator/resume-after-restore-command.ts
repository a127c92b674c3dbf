/**
 * The command `resume`, which reports what waits in a restored database and, with `--after-restore`, lets it send, charge
 * and bill again.
 */
import { toWire } from '../domain/money.ts'
import { startGateEpochs } from '../modules/gate/restart-gate-list.ts'
import { compareWithProvider } from '../modules/payments/reconcile-with-provider.ts'
import {
  countAutopayDue,
  countOpenRefunds,
  countUnbilledFacilities,
  loadOpenJobCounts,
} from '../modules/reports/monitoring-counts.ts'
import { loadMachineKeys } from '../modules/staff/machine-keys.ts'
import { clockProblem, loadLastKnownTime } from '../platform/last-known-time.ts'
import type { Services } from '../platform/operations/services.ts'
import { restoredUntil } from '../platform/server-registry/detect-restored-database.ts'
import { CardProviderUnavailable } from '../ports/card-provider/card-provider.ts'
import {
  type Command,
  CommandFailed,
  filesUnreachable,
  refuseExtraArguments,
  UsageError,
} from './command-definition.ts'

export const restoredCommands: Record<string, Command> = {
  resume: {
    usage: 'resume [--after-restore [--undecided]]',
    summary: 'Says whether this database was put back to an earlier instant and what waits for that; lets it go on.',
    details: [
      '--after-restore  mails, charges and bills from now on; every other copy of this database is held instead',
      '--undecided      also while the card provider has charges that are not in the books, or does not answer',
    ],
    options: { 'after-restore': { type: 'boolean' }, undecided: { type: 'boolean' } },
    reads: (_, options) => options['after-restore'] !== true,
    async run(context, args, options) {
      refuseExtraArguments(args)
      if (options.undecided === true && options['after-restore'] !== true)
        throw new UsageError('--undecided goes with --after-restore.')
      const guard = await context.restoreGuard()
      const services = await context.services()
      if (guard.state === 'unknown') throw new CommandFailed([filesUnreachable])
      if (guard.state === 'open') {
        context.say('This database was not put back: nothing is held.')
        return { held: false }
      }
      const last = await guard.loadLastMark()
      const waiting = await loadPendingWork(services)
      const since = last ? new Date(last).toISOString() : null
      const future = await guard.loadFutureMark()
      context.say(`This database was put back${restoredUntil(last)}.`)
      if (future !== null)
        context.say(`A mark of ${new Date(future).toISOString()} lies ahead of the clock and is not believed.`)
      context.say(
        `${waiting.jobs} mails and other jobs wait, ${waiting.refunds} refunds; autopay is due for ${waiting.autopay} leases, and ${waiting.facilities} facilities are not billed.`,
      )
      await sayWorkingKeys(context.say, services)
      if (options['after-restore'] !== true) {
        context.say('They go on with: resume --after-restore')
        return { held: true, since, waiting }
      }
      if (options.undecided !== true) await refuseUndecided(services, { since: last, future })
      // The acknowledgements in the restored database no longer tell which codes open at the gates.
      await services.db.transaction((tx) => startGateEpochs(tx, services.clock.now()))
      await guard.resume()
      context.say('Resumed. The servers go on within ten seconds.')
      const problem =
        context.config.mode === 'demo' ? null : clockProblem(await loadLastKnownTime(services.db), services.clock.now())
      if (problem !== null) context.say(problem)
      return { held: false, since, waiting }
    },
  },
}

/** Names the machine keys that work by this database; some of them may have been revoked after the backup. */
async function sayWorkingKeys(say: (line: string) => void, services: Services): Promise<void> {
  const working = (await loadMachineKeys(services, services.db.read)).filter(({ state }) => state === 'working')
  if (working.length === 0) return
  say(`Keys of this copy, refused until it goes on: ${working.map(({ name }) => name).join(', ')}.`)
  say('Revoke again in Setup, Keys, what had been revoked since the backup. Keys made since have to be made again.')
}

async function loadPendingWork(services: Services) {
  const jobs = (await loadOpenJobCounts(services)).filter(({ state }) => state === 'waiting')
  return {
    jobs: jobs.reduce((sum, { count }) => sum + Number(count), 0),
    refunds: await countOpenRefunds(services),
    autopay: await countAutopayDue(services),
    facilities: await countUnbilledFacilities(services),
  }
}

/**
 * Requires that the card provider has no charges that our database lacks, since autopay may charge the same rent again.
 * @param marks epoch milliseconds of the database's last mark, and of a mark ahead of the clock; null for none.
 *     If both are null, nothing is compared.
 * @throws CommandFailed if the provider has such charges or does not respond, or only a mark ahead of the clock exists
 */
async function refuseUndecided(
  services: Services,
  { since, future }: { since: number | null; future: number | null },
): Promise<void> {
  if (since === null && future === null) return
  if (since === null)
    throw new CommandFailed([
      'When this database was current is not known, for its marks lie ahead of the clock.',
      'Compare with the card provider from the instant of the backup: reconcile --provider --since <instant>. Then add --undecided.',
    ])
  try {
    const { lost } = await compareWithProvider(services, since)
    if (lost.length === 0) return
    throw new CommandFailed([
      `The card provider has charges that are not in the books: ${lost.length}, ${toWire(lost.reduce((sum, { amount }) => sum + amount, 0))}.`,
      `Decide them first: reconcile --provider --since ${new Date(since).toISOString()}. Or add --undecided.`,
    ])
  } catch (error) {
    if (!(error instanceof CardProviderUnavailable)) throw error
    throw new CommandFailed([`${error.message} Try again later, or add --undecided.`])
  }
}
