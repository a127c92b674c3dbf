import { gateAccessOf } from '../modules/gate/gate.ts'
import { requireTerms } from '../modules/leases/lease.ts'
import { type Command, Failed, Misused, needed, noMore, wholeNumber } from './command.ts'

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
      const place = await read
        .selectFrom('locations')
        .select(['time_zone', 'gate_hours'])
        .where('location_code', '=', locationCode)
        .executeTakeFirst()
      if (!place) throw new Failed([`There is no facility ${locationCode}.`])
      const codes = (await gateAccessOf(read, locationCode, tools.clock.now())).map((one) => ({
        code: one.gateCode,
        units: one.units,
        allowed: one.opens,
        why: one.opens ? '' : one.suspended ? 'suspended by the office' : `overlocked: ${one.overlocked.join(', ')}`,
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
        : { locationCode: needed(location, 'which location, or --all'), leaseNumber: wholeNumber(lease, 'which lease') }
      const db = await tools.database()
      const leases = await requireTerms(db.write, one)
      if (one !== null && leases === 0)
        throw new Failed([`There is no open lease ${one.leaseNumber} at ${one.locationCode}.`])
      tools.say(`${leases} ${leases === 1 ? 'lease asks' : 'leases ask'} for the updated terms.`)
      return { leases }
    },
  },
}
