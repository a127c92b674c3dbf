import * as v from 'valibot'
import { ADDRESS_MAX, NAME_MAX } from '../../../domain/field-lengths.ts'
import {
  checkboxTicked,
  email,
  lastFourDigits,
  line,
  locationCode,
  oneOf,
  required,
  requiredDate,
  requiredPhone,
  requiredState,
  requiredZip,
} from '../../../domain/forms/form-rules.ts'
import {
  chooseOne,
  emailIncorrect,
  emailRequired,
  firstNameRequired,
  lastNameRequired,
} from '../../../domain/texts/field-errors.ts'

/** Form of /reservation-date. first-and-last-reservable-day.ts limits the day. */
export const moveInDate = v.object({ move_in_date: requiredDate('Move-in date') })

export const contact = v.object({
  first: line('First Name', NAME_MAX, firstNameRequired),
  last: line('Last Name', NAME_MAX, lastNameRequired),
  email: email(emailIncorrect, emailRequired),
  cell_phone: requiredPhone,
  company: line('Company', 100),
  address: required('Address', ADDRESS_MAX),
  city: required('City'),
  state: requiredState,
  zip: requiredZip,
  active_military: checkboxTicked,
  designated_agent: checkboxTicked,
})
export type Contact = v.InferOutput<typeof contact>

export const designatedAgent = v.object({
  agent_name: required('Name', 120),
  agent_email: email(emailIncorrect, emailRequired),
  agent_address: required('Address', ADDRESS_MAX),
  agent_state: requiredState,
  agent_city: required('City'),
  agent_zip: requiredZip,
})
export type DesignatedAgent = v.InferOutput<typeof designatedAgent>

export const defaultNotice = v.object({
  default_notice: oneOf(['mail', 'email'], chooseOne('mail or email')),
})
export type DefaultNotice = v.InferOutput<typeof defaultNotice>['default_notice']

export const findReservation = v.object({
  location_code: locationCode,
  last_name: line('Last Name', NAME_MAX, lastNameRequired),
  phone_last_four: lastFourDigits,
})
export type FindReservation = v.InferOutput<typeof findReservation>
