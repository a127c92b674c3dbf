/**
 * The command `clock`: shows the clock of the computer that it runs on and the last known time, and lists records that
 * are dated ahead. `--confirm` confirms the clock; `--redate` dates waiting jobs among these records as if they were
 * created now.
 */
import { toWire } from '../domain/money.ts'
import {
  CLOCK_TOLERANCE_MS,
  findFutureDatedRecords,
  repairCommands,
} from '../modules/reports/find-wrong-clock-records.ts'
import { correctFutureJobTimes } from '../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { clockProblem, loadLastKnownTime, saveKnownTime } from '../platform/last-known-time.ts'
import { operatorCommand } from '../platform/operator-command-in-messages.ts'
import { type Command, refuseExtraArguments } from './command-definition.ts'

const formatTime = (time: number | null) => (time === null ? 'nothing yet' : new Date(time).toISOString())

export const clockCommands: Record<string, Command> = {
  clock: {
    usage: 'clock [--confirm] [--redate]',
    summary: 'Says what time it is here, what the installation last knew, and which rows are dated ahead.',
    details: [
      '--confirm  the time here is right: servers bill by it again. Look at the date first: timedatectl',
      '--redate   mails and other jobs that are dated ahead are due as if they were written now; reverse wrong billing runs first',
    ],
    options: { confirm: { type: 'boolean' }, redate: { type: 'boolean' } },
    reads: (_, options) => options.confirm !== true && options.redate !== true,
    async run(context, args, options) {
      refuseExtraArguments(args)
      const db = await context.database()
      const lastKnown = await loadLastKnownTime(db)
      const now = context.clock.now()
      const ahead = await findFutureDatedRecords(db, now)
      context.say(`Here it is ${formatTime(now)}; the installation last knew ${formatTime(lastKnown)}.`)
      for (const run of ahead.runs) context.say(`Billed ahead: ${run.name}, for ${run.day}, ${toWire(run.cents)}.`)
      if (ahead.entries > 0) context.say(`${ahead.entries} charges are dated ahead, ${toWire(ahead.cents)}.`)
      if (ahead.jobs > 0) context.say(`${ahead.jobs} mails and other jobs are dated ahead.`)
      if (options.redate === true) {
        const redated = await correctFutureJobTimes(db.write, now + CLOCK_TOLERANCE_MS, now)
        context.say(`${redated} are due as if they were written now.`)
      } else for (const repair of repairCommands(ahead)) context.say(`Type: ${operatorCommand(repair)}`)
      if (options.confirm === true) {
        await saveKnownTime(db, context.clock, true)
        context.say('Confirmed: servers bill by this time again, within ten seconds.')
      } else if (clockProblem(lastKnown, now) !== null)
        context.say(`If the time here is right: ${operatorCommand('clock --confirm')}`)
      return { now: formatTime(now), known: lastKnown === null ? null : formatTime(lastKnown), ahead }
    },
  },
}
