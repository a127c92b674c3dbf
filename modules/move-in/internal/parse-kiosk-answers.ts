/**
 * Converts the rental choices that a kiosk sends with `lease-pdf` into answers of the draft, by the same form rules as
 * the pages. The tenant's contact data and all prices come from the record.
 */

import * as v from 'valibot'
import { validate } from '../../../domain/forms/form-rules.ts'
import { flag, lines, optionalText } from '../../../platform/operations/input-fields.ts'
import type { Answers, JourneyFacility } from '../../reservations/rules/journey/journey-answers.ts'
import { defaultNotice, designatedAgent } from '../../reservations/rules/reservation-form.ts'
import { asksForDefaultNotice, asksForDesignatedAgent } from '../../reservations/rules/state-specific-questions.ts'
import { customerInfo, lienHolder, military, ownInsurance, vehicle } from '../rules/move-in-form.ts'
import { selectCoverage } from '../texts/move-in.ts'

const severalLines = () => v.optional(lines(500), '')

/** Fields of a kiosk's request, all optional. */
export const kioskAnswerFields = {
  /** Id of an insurance scheme; 0 for none, which is refused where insurance is offered, except with an own policy. */
  insurance_id: optionalText(9),
  /** Insurance status: 0 none, refused where insurance is offered; 1 scheme; 2 own coverage; 3 the stored vehicle's. */
  insurance_status_id: optionalText(1),
  carrier: optionalText(100),
  policy_number: optionalText(40),
  /** Expiration date of the renter's own policy. */
  expiration_date: optionalText(10),
  vehicle_make: optionalText(60),
  vehicle_model: optionalText(60),
  vehicle_color: optionalText(60),
  vehicle_description: severalLines(),
  lien_name: optionalText(120),
  lien_phone_number: optionalText(20),
  lien_address: optionalText(140),
  lien_description: severalLines(),
  military_branch: optionalText(100),
  military_base: optionalText(100),
  commanding_officer: optionalText(120),
  agent_name: optionalText(120),
  agent_email: optionalText(254),
  agent_address: optionalText(140),
  agent_city: optionalText(60),
  agent_state: optionalText(2),
  agent_zip: optionalText(10),
  default_notice: optionalText(5),
  drivers_license: optionalText(25),
  issued_state: optionalText(2),
  birth_date: optionalText(10),
  license_expiration_date: optionalText(10),
  brief_description: severalLines(),
  full_day_access: v.optional(flag()),
  autopay_bit: v.optional(flag()),
} as const

type KioskFields = v.InferOutput<v.ObjectSchema<typeof kioskAnswerFields, undefined>>

type Facility = Pick<JourneyFacility, 'state' | 'sboa' | 'hasAccessFee'>

const agentFields = ['agent_name', 'agent_email', 'agent_address', 'agent_city', 'agent_state', 'agent_zip'] as const

/** Collects the answers of a kiosk's request, and error messages by field. */
class AnswerReader {
  readonly answers: Partial<Answers> = {}
  readonly fields: Record<string, string> = {}
  readonly request: KioskFields
  readonly savedAnswers: Answers

  constructor(request: KioskFields, savedAnswers: Answers) {
    this.request = request
    this.savedAnswers = savedAnswers
  }

  /**
   * Validates values by a form's schema, and records its errors.
   * @param names request fields by the form's field names, where they differ
   * @returns the form's answers; undefined if they are invalid
   */
  form<Schema extends v.GenericSchema>(
    schema: Schema,
    values: Record<string, unknown>,
    names: Record<string, string> = {},
  ): v.InferOutput<Schema> | undefined {
    const checked = validate(schema, values)
    if (checked.ok) return checked.value
    for (const [name, message] of Object.entries(checked.fields)) this.fields[names[name] ?? name] ??= message
    return undefined
  }

  hasAny(...names: (keyof KioskFields)[]): boolean {
    return names.some((name) => this.request[name] !== '' && this.request[name] !== undefined)
  }

  /** Records an error for each sent field; the caller names fields that this rental does not ask for. */
  refuseUnasked(...names: (keyof KioskFields)[]): void {
    for (const name of names) if (this.hasAny(name)) this.fields[name] = 'is not asked for here'
  }

  vehicle(): void {
    const { request, answers } = this
    const isVehicleInsured = request.insurance_status_id === '3'
    if (!isVehicleInsured && !this.hasAny('vehicle_make', 'vehicle_model', 'vehicle_color', 'vehicle_description')) {
      if (this.savedAnswers.vehicle === undefined) answers.vehicle = false
      return
    }
    answers.vehicle = true
    answers.vehicleDetails = this.form(
      vehicle,
      {
        make: request.vehicle_make,
        model: request.vehicle_model,
        color: request.vehicle_color,
        description: request.vehicle_description,
        // Status 3 states that the renter confirmed valid and current insurance.
        confirmValid: isVehicleInsured ? 'on' : '',
      },
      {
        make: 'vehicle_make',
        model: 'vehicle_model',
        color: 'vehicle_color',
        description: 'vehicle_description',
        confirmValid: 'insurance_status_id',
      },
    )
  }

  lienHolder(): void {
    const { lien_name, lien_phone_number, lien_address, lien_description } = this.request
    if (!this.hasAny('lien_name', 'lien_phone_number', 'lien_address', 'lien_description')) {
      if (this.savedAnswers.hasLienHolder === undefined) this.answers.hasLienHolder = false
      return
    }
    this.answers.hasLienHolder = true
    this.answers.lienHolder = this.form(
      lienHolder,
      { lien_name, phone_number: lien_phone_number, address: lien_address, description: lien_description },
      { phone_number: 'lien_phone_number', address: 'lien_address', description: 'lien_description' },
    )
  }

  insurance({ sboa }: Facility, assumedScheme: number | null): void {
    const { request, answers, fields } = this
    const { insurance_id, insurance_status_id: status } = request
    if (!sboa || (answers.vehicle ?? this.savedAnswers.vehicle)) {
      this.refuseUnasked('carrier', 'policy_number', 'expiration_date')
      if (insurance_id !== '0') this.refuseUnasked('insurance_id')
      if (['1', '2'].includes(status)) this.refuseUnasked('insurance_status_id')
      return
    }
    if (status === '0') fields.insurance_status_id = selectCoverage
    else if (status === '2' || this.hasAny('carrier', 'policy_number', 'expiration_date')) {
      answers.insurance = { status: 2 }
      answers.ownInsurance = this.form(ownInsurance, request)
    } else this.scheme(insurance_id, assumedScheme)
  }

  /**
   * Records the insurance scheme: the sent one, else a saved choice, else the scheme that the price assumes. A sent 0
   * keeps a saved own policy.
   */
  scheme(insuranceId: string, assumedScheme: number | null): void {
    const { insurance } = this.savedAnswers
    const isAnswered = insuranceId === '' ? insurance !== undefined : insuranceId === '0' && insurance?.status === 2
    if (isAnswered) return
    // Where insurance is offered, coverage is required: 0 is no choice, and nothing is charged in its place.
    const sentScheme = /^0*[1-9]\d*$/.test(insuranceId) ? Number(insuranceId) : null
    const schemeId = insuranceId === '' ? assumedScheme : sentScheme
    if (schemeId === null) this.fields.insurance_id = selectCoverage
    else this.answers.insurance = { status: 1, schemeId }
  }

  military(): void {
    if (this.hasAny('military_branch', 'military_base', 'commanding_officer')) {
      this.answers.activeMilitary = true
      this.answers.military = this.form(military, this.request)
    } else if (this.savedAnswers.activeMilitary === undefined) this.answers.activeMilitary = false
  }

  /** Reads state-specific answers: the designated agent (Georgia) and how default notices are sent (South Carolina). */
  stateAnswers({ state }: Facility): void {
    const { request, savedAnswers, answers } = this
    if (!asksForDesignatedAgent(state)) this.refuseUnasked(...agentFields)
    else if (this.hasAny(...agentFields)) {
      if (savedAnswers.contact) answers.contact = { ...savedAnswers.contact, designated_agent: true }
      answers.wantsAgent = true
      answers.designatedAgent = this.form(designatedAgent, request)
    }
    if (!asksForDefaultNotice(state)) this.refuseUnasked('default_notice')
    // Without a choice, default notices are sent by mail.
    else if (request.default_notice) answers.defaultNotice = this.form(defaultNotice, request)?.default_notice
    else if (savedAnswers.defaultNotice === undefined) answers.defaultNotice = 'mail'
  }

  /** Reads the answers about identity, 24-hour access and autopay. */
  identityAccessAndAutopay({ hasAccessFee }: Facility): void {
    const { request, answers } = this
    if (this.hasAny('drivers_license', 'issued_state', 'birth_date', 'license_expiration_date', 'brief_description')) {
      const values = { ...request, expiration_date: request.license_expiration_date }
      answers.customerInfo = this.form(customerInfo, values, { expiration_date: 'license_expiration_date' })
    }
    if (!hasAccessFee) {
      if (request.full_day_access === true) this.fields.full_day_access = 'is not offered at this location'
    } else if (request.full_day_access !== undefined) answers.fullDayAccess = request.full_day_access
    else if (this.savedAnswers.fullDayAccess === undefined) answers.fullDayAccess = false
    if (request.autopay_bit !== undefined) answers.autopay = request.autopay_bit
  }
}

/**
 * Returns the answers that a kiosk's request adds. A yes/no question that neither request nor draft answers counts as
 * no, except autopay, which is on by default. Insurance that was offered but not chosen is the scheme assumed by the
 * price, so that the charge and the lease agree.
 * @param assumedScheme id of the insurance scheme in the price as shown; null for none
 * @returns the answers, or error messages by field
 */
export function kioskAnswers(
  request: KioskFields,
  savedAnswers: Answers,
  facility: Facility,
  assumedScheme: number | null,
): { ok: true; answers: Partial<Answers> } | { ok: false; fields: Record<string, string> } {
  const reader = new AnswerReader(request, savedAnswers)
  reader.vehicle()
  reader.lienHolder()
  reader.insurance(facility, assumedScheme)
  reader.military()
  reader.stateAnswers(facility)
  reader.identityAccessAndAutopay(facility)
  const { fields, answers } = reader
  return Object.keys(fields).length > 0 ? { ok: false, fields } : { ok: true, answers }
}
