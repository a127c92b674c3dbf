import { requireTerms } from '../modules/leases/lease.ts'
import {
  type Command,
  CommandFailed,
  refuseExtraArguments,
  requireArgument,
  requireWholeNumber,
  UsageError,
} from './command-definition.ts'

export const leaseCommands: Record<string, Command> = {
  terms: {
    usage: 'terms require <location> <lease> | terms require --all',
    summary: 'The tenant must accept the updated terms at the next log-in.',
    options: { all: { type: 'boolean' } },
    async run(context, [verb, location, lease, ...more], options) {
      if (verb !== 'require') throw new UsageError('Say require.')
      refuseExtraArguments(more)
      const all = options.all === true
      if (all && location !== undefined) throw new UsageError('Say one lease, or --all.')
      const leaseKey = all
        ? null
        : {
            locationCode: requireArgument(location, 'which location, or --all'),
            leaseNumber: requireWholeNumber(lease, 'which lease'),
          }
      const db = await context.database()
      const leases = await requireTerms(db.write, leaseKey)
      if (leaseKey !== null && leases === 0)
        throw new CommandFailed([`There is no open lease ${leaseKey.leaseNumber} at ${leaseKey.locationCode}.`])
      context.say(`${leases} ${leases === 1 ? 'lease asks' : 'leases ask'} for the updated terms.`)
      return { leases }
    },
  },
}
