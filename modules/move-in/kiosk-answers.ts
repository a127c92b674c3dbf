/**
 * What a kiosk says of the rental with `lease-pdf`, as answers of the draft: the same forms as on the pages, by the names
 * that the operations use. Names, prices and numbers are not among them; those come from the record.
 */
import * as v from 'valibot'
import { customerInfo, lienHolder, military, ownInsurance, vehicle } from '../../domain/forms/move-in.ts'
import { defaultNotice, designatedAgent } from '../../domain/forms/reservation.ts'
import { validate } from '../../domain/forms/rules.ts'
import type { Answers, Place } from '../../domain/journey/answers.ts'
import { selectCoverage } from '../../domain/texts/move-in.ts'
import { flag, lines, optional } from '../../platform/operations/input-fields.ts'

const several = () => v.optional(lines(500), '')

/** All may be left out. */
export const kioskAnswerFields = {
  /** A scheme's number, 0 for none of them. */
  insurance_id: optional(9),
  /** 1 a scheme, 2 own coverage, 3 vehicle. */
  insurance_status_id: optional(1),
  carrier: optional(100),
  policy_number: optional(40),
  /** Of the own policy. */
  expiration_date: optional(10),
  vehicle_make: optional(60),
  vehicle_model: optional(60),
  vehicle_color: optional(60),
  vehicle_description: several(),
  lien_name: optional(120),
  lien_phone_number: optional(20),
  lien_address: optional(140),
  lien_description: several(),
  military_branch: optional(100),
  military_base: optional(100),
  commanding_officer: optional(120),
  agent_name: optional(120),
  agent_email: optional(254),
  agent_address: optional(140),
  agent_city: optional(60),
  agent_state: optional(2),
  agent_zip: optional(10),
  default_notice: optional(5),
  drivers_license: optional(25),
  issued_state: optional(2),
  birth_date: optional(10),
  license_expiration_date: optional(10),
  brief_description: several(),
  full_day_access: v.optional(flag()),
  autopay_bit: v.optional(flag()),
} as const

type Said = v.InferOutput<v.ObjectSchema<typeof kioskAnswerFields, undefined>>

/**
 * The answers that a kiosk's call adds. A question that was never answered counts as no; insurance that was offered and
 * not chosen is the scheme that the price takes for granted, so that what is charged is what the lease says.
 * @param assumedScheme of the price as shown; null where no insurance is offered
 * @returns messages by field where something does not hold
 */
export function kioskAnswers(
  said: Said,
  known: Answers,
  place: Pick<Place, 'state' | 'sboa' | 'hasAccessFee'>,
  assumedScheme: number | null,
): { ok: true; answers: Partial<Answers> } | { ok: false; fields: Record<string, string> } {
  const answers: Partial<Answers> = {}
  const fields: Record<string, string> = {}
  const form = <Schema extends v.GenericSchema>(schema: Schema, values: Record<string, unknown>, names = {}) => {
    const checked = validate(schema, values)
    if (checked.ok) return checked.value
    const wireNames: Record<string, string> = names
    for (const [name, message] of Object.entries(checked.fields)) fields[wireNames[name] ?? name] ??= message
    return undefined
  }

  const any = (...names: (keyof Said)[]) => names.some((name) => said[name] !== '' && said[name] !== undefined)
  const notAsked = (...names: (keyof Said)[]) => {
    for (const name of names) if (any(name)) fields[name] = 'is not asked for here'
  }

  if (
    any('vehicle_make', 'vehicle_model', 'vehicle_color', 'vehicle_description') ||
    said.insurance_status_id === '3'
  ) {
    answers.vehicle = true
    answers.vehicleDetails = form(
      vehicle,
      {
        make: said.vehicle_make,
        model: said.vehicle_model,
        color: said.vehicle_color,
        description: said.vehicle_description,
        // Status 3 says so: the renter confirmed valid and current insurance.
        confirmValid: said.insurance_status_id === '3' ? 'on' : '',
      },
      {
        make: 'vehicle_make',
        model: 'vehicle_model',
        color: 'vehicle_color',
        description: 'vehicle_description',
        confirmValid: 'insurance_status_id',
      },
    )
  } else if (known.vehicle === undefined) answers.vehicle = false

  if (any('lien_name', 'lien_phone_number', 'lien_address', 'lien_description')) {
    answers.hasLienHolder = true
    answers.lienHolder = form(
      lienHolder,
      {
        lien_name: said.lien_name,
        phone_number: said.lien_phone_number,
        address: said.lien_address,
        description: said.lien_description,
      },
      { phone_number: 'lien_phone_number', address: 'lien_address', description: 'lien_description' },
    )
  } else if (known.hasLienHolder === undefined) answers.hasLienHolder = false

  if (place.sboa && !(answers.vehicle ?? known.vehicle)) {
    // No cover at all is not to be had where insurance is offered, and is not to be charged for unasked either.
    if (said.insurance_status_id === '0') fields.insurance_status_id = selectCoverage
    else if (said.insurance_status_id === '2' || any('carrier', 'policy_number', 'expiration_date')) {
      answers.insurance = { status: 2 }
      answers.ownInsurance = form(ownInsurance, said)
    } else if (said.insurance_id !== '' && said.insurance_id !== '0') {
      if (/^\d+$/.test(said.insurance_id)) answers.insurance = { status: 1, schemeId: Number(said.insurance_id) }
      else fields.insurance_id = selectCoverage
    } else if (known.insurance === undefined) {
      if (assumedScheme === null) fields.insurance_id = selectCoverage
      else answers.insurance = { status: 1, schemeId: assumedScheme }
    }
  } else {
    notAsked('carrier', 'policy_number', 'expiration_date')
    if (said.insurance_id !== '0') notAsked('insurance_id')
    if (['1', '2'].includes(said.insurance_status_id)) notAsked('insurance_status_id')
  }

  if (any('military_branch', 'military_base', 'commanding_officer')) {
    answers.activeMilitary = true
    answers.military = form(military, said)
  } else if (known.activeMilitary === undefined) answers.activeMilitary = false

  const agentFields = ['agent_name', 'agent_email', 'agent_address', 'agent_city', 'agent_state', 'agent_zip'] as const
  if (place.state !== 'GA') notAsked(...agentFields)
  else if (any(...agentFields)) {
    if (known.contact) answers.contact = { ...known.contact, designated_agent: true }
    answers.wantsAgent = true
    answers.designatedAgent = form(designatedAgent, said)
  }
  if (place.state === 'SC') {
    // Without a choice they come by mail, as they would on paper.
    if (said.default_notice) answers.defaultNotice = form(defaultNotice, said)?.default_notice
    else if (known.defaultNotice === undefined) answers.defaultNotice = 'mail'
  } else notAsked('default_notice')
  if (any('drivers_license', 'issued_state', 'birth_date', 'license_expiration_date', 'brief_description')) {
    answers.customerInfo = form(
      customerInfo,
      { ...said, expiration_date: said.license_expiration_date },
      { expiration_date: 'license_expiration_date' },
    )
  }
  if (place.hasAccessFee) {
    if (said.full_day_access !== undefined) answers.fullDayAccess = said.full_day_access
    else if (known.fullDayAccess === undefined) answers.fullDayAccess = false
  } else if (said.full_day_access === true) fields.full_day_access = 'is not offered at this location'
  if (said.autopay_bit !== undefined) answers.autopay = said.autopay_bit
  return Object.keys(fields).length > 0 ? { ok: false, fields } : { ok: true, answers }
}
