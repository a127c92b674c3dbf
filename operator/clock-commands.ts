/** The command `clock`: compares this machine's clock with the last known time, and lists records that are dated ahead. */
import { toWire } from '../domain/money.ts'
import { CLOCK_TOLERANCE_MS, findFutureDatedRecords, repairCommands } from '../modules/reports/dated-ahead.ts'
import { correctFutureJobTimes } from '../platform/jobs/job-queue.ts'
import { clockProblem, lastKnownTime, saveKnownTime } from '../platform/last-known-time.ts'
import { operatorCommand } from '../platform/operator-command.ts'
import { type Command, refuseExtraArguments } from './command.ts'

const instant = (at: number | null) => (at === null ? 'nothing yet' : new Date(at).toISOString())

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
    async run(tools, words, options) {
      refuseExtraArguments(words)
      const db = await tools.database()
      const [lastKnown, now] = [await lastKnownTime(db), tools.clock.now()]
      const ahead = await findFutureDatedRecords(db, now)
      tools.say(`Here it is ${instant(now)}; the installation last knew ${instant(lastKnown)}.`)
      for (const run of ahead.runs) tools.say(`Billed ahead: ${run.name}, for ${run.day}, ${toWire(run.cents)}.`)
      if (ahead.entries > 0) tools.say(`${ahead.entries} charges are dated ahead, ${toWire(ahead.cents)}.`)
      if (ahead.jobs > 0) tools.say(`${ahead.jobs} mails and other jobs are dated ahead.`)
      if (options.redate === true) {
        tools.say(`${await correctFutureJobTimes(db.write, now + CLOCK_TOLERANCE_MS, now)} are due now.`)
      } else for (const cure of repairCommands(ahead)) tools.say(`Type: ${operatorCommand(cure)}`)
      if (options.confirm === true) {
        await saveKnownTime(db, tools.clock, true)
        tools.say('Confirmed: servers bill by this time again, within ten seconds.')
      } else if (clockProblem(lastKnown, now) !== null)
        tools.say(`If the time here is right: ${operatorCommand('clock --confirm')}`)
      return { now: instant(now), known: lastKnown === null ? null : instant(lastKnown), ahead }
    },
  },
}
