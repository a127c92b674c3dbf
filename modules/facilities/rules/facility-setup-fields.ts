/** Fields of a facility, and how the operator's files and the office write them. */

import { requireValue } from '../../../domain/require-value.ts'
import { keysOf } from '../../../domain/typed-keys.ts'
import {
  type Column,
  code,
  codesOf,
  decimal,
  email,
  flag,
  hours,
  joinEntries,
  list,
  oneOf,
  optional,
  percent,
  phone,
  splitEntries,
  state,
  text,
  timeZone,
  webText,
  whole,
  zip,
} from './csv-column-types.ts'
import { wallNames } from './facility-front-to-draw.ts'
import { securityFeatures } from './security-features.ts'

export const facilityColumns = {
  location_code: code,
  facility_id: whole(1),
  name: text(),
  address: text(),
  city: text(100),
  state,
  zip,
  phone: optional(phone),
  reservation_email: optional(email),
  lat: decimal(-90, 90),
  lng: decimal(-180, 180),
  time_zone: timeZone,
  photo: optional(webText()),
  front: optional(whole(), 0),
  walls: optional(oneOf(...wallNames), null),
  description: optional(webText(4000)),
  directions: optional(text(4000)),
  office_hours: optional(hours, '[]'),
  gate_hours: optional(text()),
  features: optional(list, '[]'),
  security: optional(codesOf(securityFeatures.map(({ code }) => code)), '[]'),
  sboa: optional(flag, 0),
  sboa_brochure: optional(webText()),
  reservation_window: optional(whole(1, 90), 14),
  cc_fee: optional(flag, 0),
  allow_ach: optional(flag, 1),
  facility_map_enabled: optional(flag, 1),
  coming_soon: optional(flag, 0),
  feedback_link: optional(webText(1000)),
  special_instruction_after_rental: optional(text(4000)),
  rent_tax_rate: optional(percent, 0),
  insurance_tax_rate: optional(percent, 0),
  fee_tax_rate: optional(percent, 0),
  auction_after_days: optional(whole(1, 1000), 75),
}

export const contentColumns = {
  website_move_in_completion_screen: optional(webText(20_000)),
}

/** Kind of input in the office. The value of `lines` and of `ticks`, which are checkboxes, has one entry per line. */
type InputKind = 'line' | 'short' | 'text' | 'lines' | 'choice' | 'ticks'

/** A field of an office form about a facility. */
export interface FacilityField {
  label: string
  look: InputKind
  hint?: string
  /** Options of a choice other than yes or no, to which the form adds 'Not said'. */
  options?: readonly string[]
  /** Checkboxes of `ticks`. */
  ticks?: readonly { code: string; label: string }[]
}

/** Forms in which the office edits a facility. None of them changes the path of the facility's page. */
export const facilityForms = {
  contact: {
    title: 'Name, address, contact',
    fields: {
      name: { label: 'Name', look: 'line' },
      address: { label: 'Street address', look: 'line', hint: 'The address of its page stays.' },
      zip: { label: 'ZIP code', look: 'short' },
      phone: { label: 'Phone', look: 'short' },
      reservation_email: { label: 'E-mail for reservations', look: 'line' },
      lat: { label: 'Latitude', look: 'short' },
      lng: { label: 'Longitude', look: 'short' },
    },
  },
  hours: {
    title: 'Hours',
    fields: {
      gate_hours: { label: 'Gate hours', look: 'line', hint: 'Such as 5 AM to 9 PM every day.' },
      office_hours: { label: 'Phone hours', look: 'lines', hint: 'A line for each, such as Mon–Fri: 9 AM to 6 PM.' },
    },
  },
  texts: {
    title: 'Texts',
    fields: {
      description: { label: 'About this place', look: 'text' },
      directions: { label: 'Getting here', look: 'text' },
      features: { label: 'Features', look: 'lines', hint: 'A line for each.' },
      special_instruction_after_rental: {
        label: 'After a rental',
        look: 'text',
        hint: 'Stands in the mail that a new tenant gets.',
      },
    },
  },
  security: {
    title: 'Security',
    fields: {
      security: {
        label: 'What there is here',
        look: 'ticks',
        ticks: securityFeatures,
        hint: 'Renters read it on the page of the facility. Tick only what is true all year.',
      },
    },
  },
  drawing: {
    title: 'Drawing',
    fields: {
      walls: {
        label: 'Walls',
        look: 'choice',
        options: wallNames,
        hint: 'It is shown where there is no photograph. Floors, doors and parking come from the units.',
      },
    },
  },
  completed: {
    title: 'Page after a move-in',
    fields: {
      website_move_in_completion_screen: {
        label: 'Shown when a rental is completed',
        look: 'text',
        hint: 'Text or simple HTML; {review_link} becomes the link below. Scripts and pictures are taken out.',
      },
      feedback_link: { label: 'Review link', look: 'line' },
    },
  },
  rules: {
    title: 'Reserving and paying',
    fields: {
      coming_soon: { label: 'Opening soon: prices are shown, nothing is let', look: 'choice' },
      reservation_window: { label: 'Days in which a move-in may be chosen', look: 'short' },
      sboa: { label: 'Insurance is offered', look: 'choice' },
      cc_fee: { label: 'Card fee is charged', look: 'choice' },
      allow_ach: { label: 'Bank payments are taken', look: 'choice' },
      facility_map_enabled: { label: 'The map is shown', look: 'choice' },
      auction_after_days: { label: 'Days past due until an auction', look: 'short' },
    },
  },
  taxes: {
    title: 'Sales tax, percent',
    fields: {
      rent_tax_rate: { label: 'On rent', look: 'short' },
      insurance_tax_rate: { label: 'On insurance', look: 'short' },
      fee_tax_rate: { label: 'On fees', look: 'short' },
    },
  },
} as const satisfies Record<
  string,
  { title: string; fields: Partial<Record<keyof typeof facilityColumns | keyof typeof contentColumns, FacilityField>> }
>

export type FacilityForm = keyof typeof facilityForms
export const facilityFormNames = keysOf(facilityForms)

const columns: Record<string, Column> = { ...facilityColumns, ...contentColumns }
const columnOf = (name: string): Column => requireValue(columns[name], `column ${name}`)

/** Returns whether a column of a facility's record or contents may be left blank. */
export const isOptional = (name: string): boolean => 'blank' in columnOf(name)

const hasLines = (look: InputKind) => look === 'lines' || look === 'ticks'

/** Returns a field's value as the office shows it; a list has one entry per line. */
export function formatFieldValue(name: string, look: InputKind, value: unknown): string {
  const { write } = columnOf(name)
  const cell = value === null ? '' : write ? write(value) : String(value)
  return hasLines(look) ? splitEntries(cell).join('\n') : cell
}

/** Parses what a staff member typed into a field. Returns the value to store, or the error message in `wrong`. */
export function parseFieldValue(name: string, look: InputKind, input: string): { value: unknown } | { wrong: string } {
  const column = columnOf(name)
  const lines = input
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
  const cell = hasLines(look) ? joinEntries(lines) : input.trim().replaceAll('\r\n', '\n')
  if (cell === '') return 'blank' in column ? { value: column.blank } : { wrong: `Enter ${column.shape}.` }
  const value = column.read(cell)
  return value === undefined ? { wrong: `Enter ${column.shape}.` } : { value }
}
