import { toWire } from '../domain/money.ts'
import { formatUs, parseUs } from '../domain/plain-date.ts'
import { appointmentStart, makeAppointment } from '../modules/appointments/appointments.ts'
import { decideProof } from '../modules/insurance/decide.ts'
import { policiesEnded, proofsAwaitingDecision, unitsOf } from '../modules/insurance/proofs.ts'
import { type Command, Failed, type Given, Misused, needed, noMore, type Tools } from './command.ts'
import { chosenFacility, knownFacility } from './facilities.ts'

export const tenantCommands: Record<string, Command> = {
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
      const startsAt = appointmentStart(time_zone, day, hour, minute)
      if (startsAt === null)
        throw new Failed([`The clocks are put forward at ${locationCode} then: there is no ${options.at}.`])
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
    reads: ([verb], options) => (verb !== 'accept' && verb !== 'refuse') || options['dry-run'] === true,
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
      const decides = options['dry-run'] === true || options.because !== undefined
      if (verb === undefined && !decides)
        return options.ended === true ? listEnded(tools, options) : listProofs(tools, options)
      if (verb !== 'accept' && verb !== 'refuse') throw new Misused('Say accept or refuse.')
      return decide(tools, verb, id, options)
    },
  },
}

async function listEnded(tools: Tools, options: Given): Promise<unknown> {
  const services = await tools.services()
  const locationCode = await chosenFacility(services, options.location)
  if (options.all === true) throw new Misused('--all and --ended are two lists.')
  const ended = await policiesEnded(services, locationCode ?? undefined)
  for (const one of ended)
    tools.say(
      `${one.location_code} ${one.unit_number}  lease ${one.lease_number}  ${one.carrier} ${one.policyNumber} until ${formatUs(one.expires)}`,
    )
  if (ended.length === 0) tools.say('No own policy has ended.')
  return ended
}

async function listProofs(tools: Tools, options: Given): Promise<unknown> {
  const services = await tools.services()
  const locationCode = await chosenFacility(services, options.location)
  const found = await proofsAwaitingDecision(services, {
    ...(locationCode !== null && { locationCode }),
    all: options.all === true,
  })
  for (const one of found)
    tools.say(
      `${one.proof_id}  ${one.location_code} ${unitsOf(one)}  ${one.tenant_name}  ${one.insurance_carrier} ${one.policy_number} until ${formatUs(one.expiration_date)}  ${one.file_key}  ${one.decision ?? ''}`.trimEnd(),
    )
  if (found.length === 0) tools.say('No proof of insurance waits.')
  return found.map(({ unit_numbers, ...proof }) => ({ ...proof, unit_numbers: JSON.parse(unit_numbers) as string[] }))
}

async function decide(tools: Tools, verb: 'accept' | 'refuse', id: string | undefined, options: Given) {
  if (options.location !== undefined || options.all === true || options.ended === true)
    throw new Misused('--location, --all and --ended are for the list.')
  const proofId = needed(id, 'which proof')
  if (verb === 'accept' && options.because !== undefined) throw new Misused('--because is for refuse.')
  const dryRun = options['dry-run'] === true
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
}
