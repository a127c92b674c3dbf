import { deadJobs, reviveJob } from '../platform/jobs/dead-jobs.ts'
import { type Command, Failed, Misused, needed, noMore } from './command.ts'

export const noticeCommands: Record<string, Command> = {
  jobs: {
    usage: 'jobs [revive <job id>]',
    summary: 'Lists jobs that were given up (mail that could not be sent, …); revive tries one again.',
    async run(tools, [verb, id, ...more]) {
      noMore(more)
      const db = await tools.database()
      if (verb === 'revive') {
        const job = needed(id, 'which job')
        if (!(await reviveJob(db, job, tools.clock.now())))
          throw new Failed([`There is no job ${job} that was given up.`])
        tools.say('The job will be tried again.')
        return { revived: job }
      }
      if (verb !== undefined) throw new Misused(`What is ${verb}?`)
      const dead = await deadJobs(db)
      for (const job of dead) tools.say(`${job.job_id}  ${job.kind}  ${job.attempts} tries  ${job.last_error ?? ''}`)
      if (dead.length === 0) tools.say('No job was given up.')
      return dead
    },
  },
}
