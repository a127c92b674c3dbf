/** `clock`: what this machine's clock says beside what the installation last knew, and what is dated ahead of both. */
import { toWire } from '../domain/money.ts'
import { datedAhead } from '../modules/reports/dated-ahead.ts'
import { clockProblem, knownTime, learnTime } from '../platform/known-time.ts'
import { operatorCommand } from '../platform/operator-command.ts'
import { type Command, noMore } from './command.ts'

const instant = (at: number | null) => (at === null ? 'nothing yet' : new Date(at).toISOString())

export const clockCommands: Record<string, Command> = {
  clock: {
    usage: 'clock [--confirm]',
    summary: 'Says what time it is here, what the installation last knew, and which rows are dated ahead.',
    details: [
      '--confirm  the time here is right: servers start and bill by it again. Look at the date first: timedatectl',
    ],
    options: { confirm: { type: 'boolean' } },
    reads: (_, options) => options.confirm !== true,
    async run(tools, words, options) {
      noMore(words)
      const db = await tools.database()
      const [known, now] = [await knownTime(db), tools.clock.now()]
      const ahead = await datedAhead(db, now)
      tools.say(`Here it is ${instant(now)}; the installation last knew ${instant(known)}.`)
      for (const run of ahead.runs)
        tools.say(
          `Billed ahead: ${run.name}, for ${run.day}, ${toWire(run.cents)}. Take it back: billing --reverse ${run.name}`,
        )
      if (ahead.entries > 0) tools.say(`${ahead.entries} ledger entries are dated ahead, ${toWire(ahead.cents)}.`)
      if (ahead.jobs > 0)
        tools.say(`${ahead.jobs} mails and other jobs are dated ahead. See: ${operatorCommand('jobs')}`)
      if (options.confirm === true) {
        await learnTime(db, tools.clock, true)
        tools.say('Confirmed: servers that start now go by this time. Restart those that run.')
      } else if (clockProblem(known, now) !== null) tools.say('If the time here is right: clock --confirm')
      return { now: instant(now), known: known === null ? null : instant(known), ahead }
    },
  },
}
