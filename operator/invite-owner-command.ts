import { inviteStaffMember } from '../modules/staff/staff-members.ts'
import { writeAuditEvent } from '../platform/audit/audit.ts'
import { type Command, CommandFailed, refuseExtraArguments, requireArgument, UsageError } from './command-definition.ts'

export const staffCommands: Record<string, Command> = {
  staff: {
    usage: 'staff owner <e-mail> [--name "…"]',
    summary:
      "Invites the office's first owner, and prints the link that makes the sign-in. Others are invited in the office.",
    details: ['--name   as the office shows them; they may change it when they join'],
    options: { name: { type: 'string' } },
    async run(context, [verb, address, ...more], options) {
      if (verb !== 'owner') throw new UsageError('Say owner.')
      refuseExtraArguments(more)
      const email = requireArgument(address, 'the e-mail address').toLowerCase()
      if (!/^\S+@\S+\.\S+$/.test(email)) throw new UsageError(`${email} is no e-mail address.`)
      const name = typeof options.name === 'string' ? options.name : (email.split('@')[0] ?? email)
      const services = await context.services()
      const invitation = await services.db.transaction(async (tx) => {
        const invited = await inviteStaffMember(tx, services, {
          email,
          name,
          roles: [{ role: 'owner', scope: { all: true } }],
        })
        if (invited)
          await writeAuditEvent(
            tx,
            services,
            { command: 'operator staff owner' },
            {
              kind: 'staff.invited',
              details: { person: name },
              subject: invited.staffId,
            },
          )
        return invited
      })
      if (!invitation) throw new CommandFailed([`${email} is on the list of staff already.`])
      const link = `${context.publicUrl}/office/join/${invitation.token}`
      context.say(`Open within seven days: ${link}`)
      return { staffId: invitation.staffId, link }
    },
  },
}
