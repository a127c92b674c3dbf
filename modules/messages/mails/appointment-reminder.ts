import { waitsForLateVisitor } from '../../appointments/rules/reminder-and-grace-times.ts'
import { type AppointmentFacts, appointmentRows, loadAppointmentFacts } from '../internal/appointment-facts.ts'
import * as example from '../internal/example-facts.ts'
import { formatMoment, letterFrom } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

function appointmentReminder(facts: AppointmentFacts): Letter {
  const when = formatMoment(facts.facility.timeZone, facts.startsAt)
  return letterFrom(facts, {
    subject: `Reminder: your appointment at ${facts.facility.name}`,
    heading: 'Your appointment is tomorrow',
    preview: `${when}, with our property manager.`,
    blocks: [
      `${facts.name}, a reminder of your appointment with our property manager.`,
      appointmentRows(facts),
      ...(facts.confirmed
        ? [`You have confirmed it. ${waitsForLateVisitor}`]
        : ['Please tell us that you will be there:', { button: 'Confirm the appointment', href: facts.confirmUrl }]),
      'Can you not come? Ask for another time:',
      { button: 'Ask for another time', href: facts.otherUrl },
    ],
  })
}

export const appointmentReminderMail = mail('appointment_reminder', {
  about: null,
  facts: loadAppointmentFacts,
  letter: appointmentReminder,
  samples: [
    { name: 'appointment-reminder', title: 'Appointment tomorrow', facts: { ...example.appointment, confirmed: true } },
  ],
})
