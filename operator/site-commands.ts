/** The site, its facilities and its tenants. */
import { readFileSync } from 'node:fs'
import { Temporal } from 'temporal-polyfill'
import { catalogue } from '../api/catalogue.ts'
import { brandProblem } from '../domain/brand.ts'
import { toWire } from '../domain/money.ts'
import { formatUs, parseUs } from '../domain/plain-date.ts'
import { makeAppointment } from '../modules/appointments/appointments.ts'
import { setSetting } from '../modules/facilities/settings.ts'
import { gateAccessOf } from '../modules/leases/gate.ts'
import { decideProof } from '../modules/leases/insurance/decide.ts'
import { policiesEnded, proofsAwaitingDecision, unitsOf } from '../modules/leases/insurance/proofs.ts'
import { verifyMoveOut } from '../modules/leases/move-outs/complete.ts'
import { bumpContentVersion } from '../platform/database/content-version.ts'
import { deadJobs, reviveJob } from '../platform/jobs/dead-jobs.ts'
import { type Command, Failed, Misused, needed, noMore, type Tools, wholeNumber } from './command.ts'
import { chosenFacility, knownFacility } from './money-commands.ts'

const onOff = (word: string | undefined): boolean => {
  if (word !== 'on' && word !== 'off') throw new Misused('Say on or off.')
  return word === 'on'
}

async function changeSetting(tools: Tools, name: string, value: string): Promise<void> {
  const db = await tools.database()
  await db.transaction(async (tx) => {
    await setSetting(tx, name, value, tools.clock.now())
    await bumpContentVersion(tx)
  })
}

/** The settings there are, and what is wrong with a value. */
const settings: Record<string, (value: string) => string | null> = {
  app_banner: () => null,
  maintenance: (value) => (value === 'true' || value === 'false' ? null : 'maintenance is true or false.'),
  brand: brandProblem,
}

const settingNamed = (word: string | undefined): string => {
  const name = needed(word, `which setting: ${Object.keys(settings).join(', ')}`)
  if (!Object.hasOwn(settings, name)) throw new Misused(`The settings are ${Object.keys(settings).join(', ')}.`)
  return name
}

export const siteCommands: Record<string, Command> = {
  catalogue: {
    usage: 'catalogue',
    summary: 'Lists every operation and resource that can be called.',
    async run(tools) {
      const all = catalogue()
      for (const name of [...all.operations, ...all.resources]) tools.say(name)
      return all
    },
  },
  banner: {
    usage: 'banner "<html>" | banner off',
    summary: 'Shows a site-wide banner, or takes it away. The HTML is sanitised where it is shown.',
    async run(tools, [html, ...more]) {
      if (html === undefined) throw new Misused('Say what the banner is to say, or off.')
      noMore(more)
      await changeSetting(tools, 'app_banner', html === 'off' ? '' : html)
      tools.say(html === 'off' ? 'The banner is gone.' : 'The banner is shown.')
      return { banner: html === 'off' ? '' : html }
    },
  },
  maintenance: {
    usage: 'maintenance on|off',
    summary: 'Blocks the site with the maintenance notice, or opens it again.',
    async run(tools, [word, ...more]) {
      const active = onOff(word)
      noMore(more)
      await changeSetting(tools, 'maintenance', String(active))
      tools.say(active ? 'The site shows the maintenance notice.' : 'The site is open.')
      return { maintenance: active }
    },
  },
  settings: {
    usage: 'settings get [<name>] | settings set <name> <value>',
    summary: 'Shows or changes a setting: brand (JSON), app_banner (HTML), maintenance (true or false).',
    details: ['A value that begins with @ names a file to read it from: settings set brand @brand.json'],
    async run(tools, [verb, word, value, ...more]) {
      noMore(more)
      if (verb === 'get') {
        const db = await tools.database()
        const name = word === undefined ? null : settingNamed(word)
        const rows = await db.read
          .selectFrom('settings')
          .select(['name', 'value'])
          .where('name', 'in', name === null ? Object.keys(settings) : [name])
          .orderBy('name')
          .execute()
        for (const row of rows) tools.say(name === null ? `${row.name}: ${row.value}` : row.value)
        return Object.fromEntries(rows.map((row) => [row.name, row.value]))
      }
      if (verb !== 'set') throw new Misused('Say get or set.')
      const name = settingNamed(word)
      if (value === undefined) throw new Misused('Say the value.')
      const said = value.startsWith('@') ? textOf(value.slice(1)) : value
      const wrong = settings[name]!(said.trim())
      if (wrong !== null) throw new Misused(wrong)
      await changeSetting(tools, name, said.trim())
      tools.say(`${name} is set.`)
      return { [name]: said.trim() }
    },
  },
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
  appointment: {
    usage: 'appointment add <location> --name … --email … --at "2026-11-23 10:00" [--phone …] [--no-mail]',
    summary: 'Proposes an appointment: mails its link, and a reminder the day before.',
    details: ["--at  in the facility's own time, on 24 hours", '--no-mail  prints the link and mails nothing'],
    options: {
      name: { type: 'string' },
      email: { type: 'string' },
      phone: { type: 'string' },
      at: { type: 'string' },
      'no-mail': { type: 'boolean' },
    },
    async run(tools, [verb, location, ...more], options) {
      if (verb !== 'add') throw new Misused('Say add.')
      noMore(more)
      const locationCode = needed(location, 'which location')
      const at = /^(\S+)[ T](\d{1,2}):(\d{2})$/.exec(needed(options.at, 'when: --at "2026-11-23 10:00"'))
      const day = at && parseUs(at[1]!)
      const [hour, minute] = [Number(at?.[2]), Number(at?.[3])]
      if (!day || hour > 23 || minute > 59) throw new Misused('The time is written as "2026-11-23 10:00".')
      const name = needed(options.name, 'the name: --name')
      const email = needed(options.email, 'the e-mail address: --email')
      const services = await tools.services()
      const { time_zone } = await knownFacility(services, locationCode)
      const local = Temporal.PlainDate.from(day).toPlainDateTime({ hour, minute })
      const start = local.toZonedDateTime(time_zone)
      if (!start.toPlainDateTime().equals(local))
        throw new Failed([`The clocks are put forward at ${locationCode} then: there is no ${options.at}.`])
      const startsAt = start.epochMilliseconds
      const made = await makeAppointment(services, {
        locationCode,
        name,
        email,
        startsAt,
        mail: options['no-mail'] !== true,
        ...(options.phone !== undefined && { phone: String(options.phone) }),
      })
      if (!made.ok) throw new Failed([made.why], made)
      tools.say(made.link)
      return { appointmentId: made.appointmentId, link: made.link }
    },
  },
  proofs: {
    usage:
      'proofs [--location <code>] [--all | --ended] | proofs accept <proof> | proofs refuse <proof> --because "<text>"',
    summary: "Lists tenants' proofs of their own insurance that wait; accepts or refuses one, and mails the tenant.",
    details: [
      '--all       also those that were decided',
      '--ended     instead, the leases whose own policy has ended; their tenants were told, and nothing was added',
      '--because   why it is refused, as the tenant reads it',
      '--dry-run   says what accepting or refusing would do, and keeps nothing',
      'Accepted, the leases of its units go by that policy: what is charged already stays, and the next period has no insurance.',
    ],
    options: {
      location: { type: 'string' },
      all: { type: 'boolean' },
      ended: { type: 'boolean' },
      because: { type: 'string' },
      'dry-run': { type: 'boolean' },
    },
    async run(tools, [verb, id, ...more], options) {
      noMore(more)
      const dryRun = options['dry-run'] === true
      if (verb === undefined) {
        if (dryRun || options.because !== undefined) throw new Misused('Say accept or refuse.')
        const services = await tools.services()
        const locationCode = await chosenFacility(services, options.location)
        if (options.ended === true) {
          if (options.all === true) throw new Misused('--all and --ended are two lists.')
          const ended = await policiesEnded(services, locationCode ?? undefined)
          for (const one of ended)
            tools.say(
              `${one.location_code} ${one.unit_number}  lease ${one.lease_number}  ${one.carrier} ${one.policyNumber} until ${formatUs(one.expires)}`,
            )
          if (ended.length === 0) tools.say('No own policy has ended.')
          return ended
        }
        const found = await proofsAwaitingDecision(services, {
          ...(locationCode !== null && { locationCode }),
          all: options.all === true,
        })
        const proofs = found.map(({ unit_numbers, ...proof }) => ({
          ...proof,
          unit_numbers: JSON.parse(unit_numbers) as string[],
        }))
        for (const one of found)
          tools.say(
            `${one.proof_id}  ${one.location_code} ${unitsOf(one)}  ${one.tenant_name}  ${one.insurance_carrier} ${one.policy_number} until ${formatUs(one.expiration_date)}  ${one.file_key}  ${one.decision ?? ''}`.trimEnd(),
          )
        if (found.length === 0) tools.say('No proof of insurance waits.')
        return proofs
      }
      if (verb !== 'accept' && verb !== 'refuse') throw new Misused('Say accept or refuse.')
      if (options.location !== undefined || options.all === true || options.ended === true)
        throw new Misused('--location, --all and --ended are for the list.')
      const proofId = needed(id, 'which proof')
      if (verb === 'accept' && options.because !== undefined) throw new Misused('--because is for refuse.')
      const asked =
        verb === 'accept'
          ? { accept: true as const, dryRun }
          : { accept: false as const, because: needed(options.because, 'why: --because "…"'), dryRun }
      const decided = await decideProof(await tools.services(), proofId, asked)
      if (!decided.ok) throw new Failed([decided.why], decided)
      for (const lease of decided.leases)
        tools.say(
          lease.charged_until === null
            ? `Lease ${lease.lease_number}, unit ${lease.unit_number}: no insurance of ours was charged.`
            : `Lease ${lease.lease_number}, unit ${lease.unit_number}: ${toWire(lease.premium_ended)} for a period ends after ${formatUs(lease.charged_until)}.`,
        )
      const done = verb === 'accept' ? 'accepted' : 'refused'
      tools.say(dryRun ? `Nothing was changed; it would be ${done}.` : `It is ${done}, and the tenant is told by mail.`)
      return { proof_id: proofId, decision: done, dry_run: dryRun, leases: decided.leases }
    },
  },
  'move-out': {
    usage: 'move-out verify <location> <lease>',
    summary: 'The unit of an ended lease was found empty and clean: it may be let again.',
    async run(tools, [verb, location, lease, ...more]) {
      if (verb !== 'verify') throw new Misused('Say verify.')
      noMore(more)
      const of = {
        locationCode: needed(location, 'which location'),
        leaseNumber: wholeNumber(lease, 'which lease'),
      }
      const db = await tools.database()
      const unit = await db.transaction((tx) => verifyMoveOut(tx, of))
      if (unit === null)
        throw new Failed([`No unit of lease ${of.leaseNumber} at ${of.locationCode} waits to be checked.`])
      tools.say(`Unit ${unit} may be let again.`)
      return { unit }
    },
  },
  'gate-codes': {
    usage: 'gate-codes <location>',
    summary: 'What the gate controller of a facility needs: each code, its units, its hours, and whether it opens now.',
    details: [
      'Codes that are not listed do not open. A code is refused while a unit of it is overlocked, and opens again with the payment.',
    ],
    async run(tools, [location, ...more]) {
      const locationCode = needed(location, 'which location')
      noMore(more)
      const { read } = await tools.database()
      const place = await read
        .selectFrom('locations')
        .select(['time_zone', 'gate_hours'])
        .where('location_code', '=', locationCode)
        .executeTakeFirst()
      if (!place) throw new Failed([`There is no facility ${locationCode}.`])
      const codes = (await gateAccessOf(read, locationCode)).map((one) => ({
        code: one.gateCode,
        units: one.units,
        allowed: one.opens,
        why: one.opens ? '' : `overlocked: ${one.overlocked.join(', ')}`,
        hours: one.hours === '24-hour' ? 'at any hour' : place.gate_hours,
      }))
      tools.say(`${locationCode}  ${place.time_zone}  ${place.gate_hours}`)
      for (const one of codes)
        tools.say(
          `${one.code}  ${one.allowed ? 'allowed' : 'denied '}  ${one.hours}  ${one.units.join(', ')}  ${one.why}`.trimEnd(),
        )
      return { location_code: locationCode, time_zone: place.time_zone, gate_hours: place.gate_hours, codes }
    },
  },
  terms: {
    usage: 'terms require <location> <lease> | terms require --all',
    summary: 'The tenant must accept the updated terms at the next log-in.',
    options: { all: { type: 'boolean' } },
    async run(tools, [verb, location, lease, ...more], options) {
      if (verb !== 'require') throw new Misused('Say require.')
      noMore(more)
      const all = options.all === true
      if (all && location !== undefined) throw new Misused('Say one lease, or --all.')
      const one = all
        ? null
        : { code: needed(location, 'which location, or --all'), number: wholeNumber(lease, 'which lease') }
      const db = await tools.database()
      const changed = await db.write
        .updateTable('leases')
        .set({ terms_required: 1 })
        .where('status', '!=', 'Closed')
        .$if(one !== null, (query) =>
          query.where('location_code', '=', one!.code).where('lease_number', '=', one!.number),
        )
        .executeTakeFirst()
      const leases = Number(changed.numUpdatedRows)
      if (one !== null && leases === 0) throw new Failed([`There is no open lease ${one.number} at ${one.code}.`])
      tools.say(`${leases} ${leases === 1 ? 'lease asks' : 'leases ask'} for the updated terms.`)
      return { leases }
    },
  },
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Misused(`${file} cannot be read: ${(error as Error).message}`)
  }
}
