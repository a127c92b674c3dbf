import type { CodeAccess } from '../domain/gate.ts'
import { gateAccessOf } from '../modules/gate/gate.ts'
import { requireTerms } from '../modules/leases/lease.ts'
import { type Command, Failed, Misused, needed, noMore, wholeNumber } from './command.ts'

function whyRefused({ refused, overlocked }: CodeAccess): string {
  if (refused === 'no lease') return 'no open lease'
  if (refused === 'suspended') return 'suspended by the office'
  return refused === 'overlocked' ? `overlocked: ${overlocked.join(', ')}` : ''
}

export const leaseCommands: Record<string, Command> = {
  'gate-codes': {
    reads: true,
    usage: 'gate-codes <location>',
    summary: 'What the gate controller of a facility needs: each code, its units, its hours, and whether it opens now.',
    details: [
      'Codes that are not listed do not open. A code is refused while a unit of it is overlocked, and opens again with the payment.',
    ],
    async run(tools, [location, ...more]) {
      const locationCode = needed(location, 'which location')
      noMore(more)
      const { read } = await tools.database()
      const facility = await read
        .selectFrom('locations')
        .select(['time_zone', 'gate_hours'])
        .where('location_code', '=', locationCode)
        .executeTakeFirst()
      if (!facility) throw new Failed([`There is no facility ${locationCode}.`])
      const codes = (await gateAccessOf(read, locationCode, tools.clock.now())).map((access) => ({
        code: access.code,
        units: access.units,
        allowed: access.opens,
        why: whyRefused(access),
        hours: access.hours === '24-hour' ? 'at any hour' : facility.gate_hours,
      }))
      tools.say(`${locationCode}  ${facility.time_zone}  ${facility.gate_hours}`)
      for (const entry of codes)
        tools.say(
          `${entry.code}  ${entry.allowed ? 'allowed' : 'denied '}  ${entry.hours}  ${entry.units.join(', ')}  ${entry.why}`.trimEnd(),
        )
      return { location_code: locationCode, time_zone: facility.time_zone, gate_hours: facility.gate_hours, codes }
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
      const chosen = all
        ? null
        : { locationCode: needed(location, 'which location, or --all'), leaseNumber: wholeNumber(lease, 'which lease') }
      const db = await tools.database()
      const leases = await requireTerms(db.write, chosen)
      if (chosen !== null && leases === 0)
        throw new Failed([`There is no open lease ${chosen.leaseNumber} at ${chosen.locationCode}.`])
      tools.say(`${leases} ${leases === 1 ? 'lease asks' : 'leases ask'} for the updated terms.`)
      return { leases }
    },
  },
}
