import { type AppointmentFacts, appointmentRows, loadAppointmentFacts } from '../internal/appointment-facts.ts'
import * as example from '../internal/example-facts.ts'
import { formatMoment, letterFrom } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

function appointmentProposed(facts: AppointmentFacts): Letter {
  const when = formatMoment(facts.facility.timeZone, facts.startsAt)
  return letterFrom(facts, {
    subject: `Please confirm your appointment at ${facts.facility.name}`,
    heading: 'Please confirm your appointment',
    preview: `${when}, with our property manager.`,
    blocks: [
      `${facts.name}, our property manager would like to meet you.`,
      appointmentRows(facts),
      { button: 'Confirm the appointment', href: facts.confirmUrl },
      'Does the time not suit you? Ask for another one:',
      { button: 'Ask for another time', href: facts.otherUrl },
    ],
  })
}

export const appointmentProposedMail = mail('appointment_proposed', {
  about: null,
  facts: loadAppointmentFacts,
  letter: appointmentProposed,
  samples: [{ name: 'appointment-proposed', title: 'Appointment to confirm', facts: example.appointment }],
})
