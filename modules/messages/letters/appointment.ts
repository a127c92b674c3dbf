import type { Instant } from '../../../domain/dates.ts'
import type { Notice, NoticeBrand } from '../letter.tsx'
import { addressOf, filled, letterFrom, moment, type NoticePlace } from './shared.ts'

export interface AppointmentFacts {
  brand: NoticeBrand
  facility: NoticePlace
  name: string
  startsAt: Instant
  confirmed: boolean
  confirmUrl: string
  otherUrl: string
}

const appointmentRows = (facts: AppointmentFacts) =>
  filled(
    ['When', moment(facts.facility.timeZone, facts.startsAt)],
    ['Where', facts.facility.name],
    ['Address', addressOf(facts.facility)],
  )

export function appointmentProposed(facts: AppointmentFacts): Notice {
  const when = moment(facts.facility.timeZone, facts.startsAt)
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

export function appointmentReminder(facts: AppointmentFacts): Notice {
  const when = moment(facts.facility.timeZone, facts.startsAt)
  return letterFrom(facts, {
    subject: `Reminder: your appointment at ${facts.facility.name}`,
    heading: 'Your appointment is tomorrow',
    preview: `${when}, with our property manager.`,
    blocks: [
      `${facts.name}, a reminder of your appointment with our property manager.`,
      appointmentRows(facts),
      ...(facts.confirmed
        ? ['You have confirmed it. Should you be late, we wait for 15 minutes.']
        : ['Please tell us that you will be there:', { button: 'Confirm the appointment', href: facts.confirmUrl }]),
      'Can you not come? Ask for another time:',
      { button: 'Ask for another time', href: facts.otherUrl },
    ],
  })
}
