import { invitePerson } from '../modules/staff/people.ts'
import { audit } from '../platform/audit/audit.ts'
import { type Command, Failed, Misused, needed, noMore } from './command.ts'

export const staffCommands: Record<string, Command> = {
  staff: {
    usage: 'staff owner <e-mail> [--name "…"]',
    summary:
      "Invites the office's first owner, and prints the link that makes the sign-in. Others are invited in the office.",
    details: ['--name   as the office shows them; they may change it when they join'],
    options: { name: { type: 'string' } },
    async run(tools, [verb, address, ...more], options) {
      if (verb !== 'owner') throw new Misused('Say owner.')
      noMore(more)
      const email = needed(address, 'the e-mail address').toLowerCase()
      if (!/^\S+@\S+\.\S+$/.test(email)) throw new Misused(`${email} is no e-mail address.`)
      const name = typeof options.name === 'string' ? options.name : (email.split('@')[0] ?? email)
      const services = await tools.services()
      const invitation = await services.db.transaction(async (tx) => {
        const invited = await invitePerson(tx, services, {
          email,
          name,
          roles: [{ role: 'owner', scope: { all: true } }],
        })
        if (invited)
          await audit(
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
      if (!invitation) throw new Failed([`${email} is on the list of staff already.`])
      const link = `${tools.publicUrl}/office/join/${invitation.token}`
      tools.say(`Open within seven days: ${link}`)
      return { staffId: invitation.staffId, link }
    },
  },
}
