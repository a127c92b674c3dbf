import { parseUs } from '../domain/plain-date.ts'
import { createAppointment } from '../modules/appointments/create-appointment.ts'
import { appointmentStart } from '../modules/appointments/rules/format-appointment-time.ts'
import { type Command, CommandFailed, refuseExtraArguments, requireArgument, UsageError } from './command-definition.ts'
import { requireFacility } from './settings-and-job-commands.ts'

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
    async run(context, [verb, location, ...more], options) {
      if (verb !== 'add') throw new UsageError('Say add.')
      refuseExtraArguments(more)
      const locationCode = requireArgument(location, 'which location')
      const at = /^(\S+)[ T](\d{1,2}):(\d{2})$/.exec(requireArgument(options.at, 'when: --at "2026-11-23 10:00"'))
      const day = at && parseUs(at[1]!)
      const hour = Number(at?.[2])
      const minute = Number(at?.[3])
      if (!day || hour > 23 || minute > 59) throw new UsageError('The time is written as "2026-11-23 10:00".')
      const name = requireArgument(options.name, 'the name: --name')
      const email = requireArgument(options.email, 'the e-mail address: --email')
      const services = await context.services()
      const { time_zone } = await requireFacility(services, locationCode)
      const startsAt = appointmentStart(time_zone, day, hour, minute)
      if (startsAt === null)
        throw new CommandFailed([`The clocks are put forward at ${locationCode} then: there is no ${options.at}.`])
      const appointment = await createAppointment(services, {
        locationCode,
        name,
        email,
        startsAt,
        mail: options['no-mail'] !== true,
        ...(options.phone !== undefined && { phone: String(options.phone) }),
      })
      if (!appointment.ok) throw new CommandFailed([appointment.why], appointment)
      context.say(appointment.link)
      return { appointmentId: appointment.appointmentId, link: appointment.link }
    },
  },
}
