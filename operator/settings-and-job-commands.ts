import { catalogue } from '../api/catalogue.ts'
import { setSetting } from '../modules/facilities/operator-settings-and-brand.ts'
import { channels } from '../modules/messages/message-handlers.ts'
import { bumpContentVersion } from '../platform/database/content-version.ts'
import { listDeadJobs, requeueDeadJob, requeueDeadJobs } from '../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
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

const parseOnOff = (word: string | undefined): boolean => {
  if (word !== 'on' && word !== 'off') throw new UsageError('Say on or off.')
  return word === 'on'
}

async function changeSetting(context: CommandContext, name: string, value: string): Promise<void> {
  const db = await context.database()
  await db.transaction(async (tx) => {
    await setSetting(tx, name, value, context.clock.now())
    await bumpContentVersion(tx)
  })
}

const settings: readonly string[] = ['app_banner', 'maintenance', 'brand']

const parseSettingName = (word: string): string => {
  if (!settings.includes(word)) throw new UsageError(`The settings are ${settings.join(', ')}.`)
  return word
}

export const facilityCommands: Record<string, Command> = {
  catalogue: {
    reads: true,
    usage: 'catalogue',
    summary: 'Lists every operation and resource that can be called.',
    async run(context) {
      const all = catalogue()
      for (const name of [...all.operations, ...all.resources]) context.say(name)
      return all
    },
  },
  banner: {
    usage: 'banner "<html>" | banner off',
    summary: 'Shows a site-wide banner, or takes it away. The HTML is sanitised where it is shown.',
    async run(context, [html, ...more]) {
      if (html === undefined) throw new UsageError('Say what the banner is to say, or off.')
      refuseExtraArguments(more)
      await changeSetting(context, 'app_banner', html === 'off' ? '' : html)
      context.say(html === 'off' ? 'The banner is gone.' : 'The banner is shown.')
      return { banner: html === 'off' ? '' : html }
    },
  },
  maintenance: {
    usage: 'maintenance on|off',
    summary: 'Blocks the site with the maintenance notice, or opens it again.',
    async run(context, [word, ...more]) {
      const active = parseOnOff(word)
      refuseExtraArguments(more)
      await changeSetting(context, 'maintenance', String(active))
      context.say(active ? 'The site shows the maintenance notice.' : 'The site is open.')
      return { maintenance: active }
    },
  },
  settings: {
    reads: true,
    usage: 'settings get [<name>]',
    summary: 'Shows a setting: brand (JSON), app_banner (HTML), maintenance (true or false). The office changes them.',
    async run(context, [verb, word, ...more]) {
      refuseExtraArguments(more)
      if (verb !== 'get') throw new UsageError('Say get.')
      const name = word === undefined ? null : parseSettingName(word)
      const db = await context.database()
      const rows = await db.read
        .selectFrom('settings')
        .select(['name', 'value'])
        .where('name', 'in', name === null ? [...settings] : [name])
        .orderBy('name')
        .execute()
      for (const row of rows) context.say(name === null ? `${row.name}: ${row.value}` : row.value)
      return Object.fromEntries(rows.map((row) => [row.name, row.value]))
    },
  },
  jobs: {
    reads: ([verb]) => verb === undefined,
    usage: 'jobs [revive <job id> | revive --all [--kind mail] [--since <day or instant>] [--rate 5/s]]',
    summary: 'Lists dead jobs, which failed for good (mail that could not be sent, …); revive tries one again, or all.',
    details: [
      '--kind is mail, or a kind as the list shows it. --since is of their last attempt. --rate is 5/s.',
      'What is too late to be of use, such as a code that has run out, is dropped.',
    ],
    options: {
      all: { type: 'boolean' },
      kind: { type: 'string' },
      since: { type: 'string' },
      rate: { type: 'string' },
    },
    async run(context, [verb, id, ...more], options) {
      refuseExtraArguments(more)
      if (options.all && (verb !== 'revive' || id !== undefined))
        throw new UsageError('Say revive <job id>, or revive --all.')
      const alone = (['kind', 'since', 'rate'] as const).find((name) => options[name] !== undefined && !options.all)
      if (alone) throw new UsageError(`--${alone} goes with revive --all.`)
      const filter = options.all ? parseJobFilter(options) : null
      const db = await context.database()
      if (filter) {
        const revived = await requeueDeadJobs(db.write, { ...filter, now: context.clock.now() })
        context.say(`${revived} jobs will be tried again.`)
        return { revived }
      }
      if (verb === 'revive') {
        const job = requireArgument(id, 'which job')
        if (!(await requeueDeadJob(db.write, job, context.clock.now())))
          throw new CommandFailed([`There is no dead job ${job}.`])
        context.say('The job will be tried again.')
        return { revived: job }
      }
      if (verb !== undefined) throw new UsageError(`What is ${verb}?`)
      const dead = await listDeadJobs(db)
      for (const job of dead) context.say(`${job.job_id}  ${job.kind}  ${job.attempts} tries  ${job.last_error ?? ''}`)
      if (dead.length === 0) context.say('No job is dead.')
      return dead
    },
  },
}

/** Parses which dead jobs to retry, and how fast. @throws UsageError */
function parseJobFilter({
  kind,
  since,
  rate = '5/s',
}: CommandOptions): Omit<Parameters<typeof requeueDeadJobs>[1], 'now'> {
  const perSecond = /^(\d{1,4}(?:\.\d+)?)\/s$/.exec(String(rate))?.[1]
  if (!Number(perSecond)) throw new UsageError('--rate is so many a second, such as 5/s.')
  const from = since === undefined ? undefined : Date.parse(String(since))
  if (Number.isNaN(from))
    throw new UsageError('--since is a day or an instant, such as 2026-11-20 or 2026-11-20T15:00:00Z.')
  return {
    everyMs: 1000 / Number(perSecond),
    ...(from !== undefined && { since: from }),
    ...(kind === 'mail'
      ? { kinds: channels.find(({ name }) => name === 'mail')!.kinds }
      : kind !== undefined && { kinds: [String(kind)] }),
  }
}

/** Loads a facility. @throws CommandFailed if it does not exist */
export async function requireFacility(services: Services, locationCode: string): Promise<{ time_zone: string }> {
  const facility = await services.db.read
    .selectFrom('locations')
    .select('time_zone')
    .where('location_code', '=', locationCode)
    .executeTakeFirst()
  if (!facility) throw new CommandFailed([`There is no facility ${locationCode}.`])
  return facility
}

/**
 * Returns the location code of an option; null if it was left out.
 * @throws CommandFailed if the facility does not exist
 */
export async function parseFacilityOption(services: Services, location: unknown): Promise<string | null> {
  if (location === undefined) return null
  const locationCode = String(location)
  await requireFacility(services, locationCode)
  return locationCode
}
