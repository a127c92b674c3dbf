/**
 * The files of an import, in the order in which they are read: what each column holds, what tells one row from another
 * and which other rows it names. Column names are those of the database wherever the two hold the same.
 */

import type { Tables } from '../platform/schema/tables.ts'
import {
  type Column,
  chosenFees,
  code,
  date,
  decimal,
  email,
  flag,
  gateCode,
  hours,
  json,
  list,
  money,
  oneOf,
  optional,
  percent,
  phone,
  state,
  text,
  timeZone,
  webText,
  whole,
  zip,
} from './columns.ts'
import { keySeparator } from './import/staging.ts'

export type FileName =
  | 'settings'
  | 'states'
  | 'facilities'
  | 'contents'
  | 'unit-types'
  | 'units'
  | 'fixtures'
  | 'insurance'
  | 'fees'
  | 'discounts'
  | 'tenants'
  | 'leases'
  | 'balances'

/** A row of a file: the values of its columns. */
export type Values = Record<string, unknown>

/** What tells rows apart. '' of a row: the rule does not touch it. */
export interface Key {
  /** The column a clash is reported in. */
  column: string
  of(values: Values): string
  /** 'facility_id': how the sentence calls it; the first key of a file is the row itself. */
  name: string
  /** Rows of one owner may share the key; without it, it is the row's alone. */
  owner?(values: Values): string
}

export interface Reference {
  column: string
  to: FileName
  /** Name of the other file's key. */
  key: string
  /** Every one has to be known; '' where the row names nothing. */
  of(values: Values): string | string[]
  what: string
  /** Many rows name the same one. */
  shared: boolean
}

export interface ImportTable {
  file: FileName
  /** Where its rows go. Balances go to the ledger. */
  table: keyof Tables
  columns: Record<string, Column>
  keys: [Key, ...Key[]]
  references: Reference[]
  /** Columns of the table's own key. */
  conflict: string[]
  /** What has to be known of the rows that are there already, besides the table's own key. */
  known?: string[]
}

const joined = (first: string, second?: string): ((values: Values) => string) =>
  second === undefined
    ? (values) => String(values[first])
    : (values) => `${values[first]}${keySeparator}${values[second]}`
/** The row itself, by these columns; reported in the last one. */
const row = (first: string, second?: string): Key => ({
  name: 'row',
  column: second ?? first,
  of: joined(first, second),
})

const atFacility: Reference = {
  column: 'location_code',
  to: 'facilities',
  key: 'row',
  of: joined('location_code'),
  what: 'facility',
  shared: true,
}
/** Tenants, units and leases are named about once each, and not remembered. */
const named: readonly FileName[] = ['tenants', 'units', 'leases']
const within = (column: string, to: FileName, what: string, key = 'row'): Reference => ({
  column,
  to,
  key,
  of: (values) =>
    values[column] === null || values[column] === 0 ? '' : `${values.location_code}${keySeparator}${values[column]}`,
  what,
  shared: !named.includes(to),
})

/** '675 North Ave NE' → '675-north-ave-ne' */
export const slugOf = (words: string): string =>
  words
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const feet = decimal(-100_000, 100_000)
const size = decimal(0, 100_000)
const html = webText(20_000)
const number = whole(1)
const unitOf = joined('location_code', 'unit_number')
const gateCodeOf = joined('location_code', 'gate_code')

export const importTables: readonly ImportTable[] = [
  {
    file: 'settings',
    table: 'settings',
    columns: { name: oneOf('brand', 'app_banner'), value: optional(webText(100_000)) },
    keys: [row('name')],
    references: [],
    conflict: ['name'],
  },
  {
    file: 'states',
    table: 'states',
    columns: {
      short_name: state,
      full_name: text(40),
      map_img: optional(webText()),
      general_contact_number: optional(phone),
    },
    keys: [row('short_name')],
    references: [],
    conflict: ['short_name'],
  },
  {
    file: 'facilities',
    table: 'locations',
    columns: {
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
      description: optional(webText(4000)),
      directions: optional(text(4000)),
      office_hours: optional(hours, '[]'),
      gate_hours: optional(text()),
      features: optional(list, '[]'),
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
    },
    keys: [
      row('location_code'),
      { name: 'facility_id', column: 'facility_id', of: joined('facility_id') },
      {
        name: 'page address',
        column: 'address',
        of: ({ state, city, address }) => [state, slugOf(String(city)), slugOf(String(address))].join(keySeparator),
      },
    ],
    references: [],
    conflict: ['location_code'],
    known: ['facility_id', 'state', 'city', 'address', 'time_zone'],
  },
  {
    file: 'contents',
    table: 'location_contents',
    columns: {
      location_code: code,
      website_move_in_completion_screen: optional(html),
      fee_for_24hr_access: optional(money(), null),
    },
    keys: [row('location_code')],
    references: [atFacility],
    conflict: ['location_code'],
  },
  {
    file: 'unit-types',
    table: 'unit_types',
    columns: {
      location_code: code,
      unit_type_id: number,
      unit_type_code: text(40),
      category_name: text(100),
      length: size,
      breadth: size,
      rent: money(),
      internet_price: money(),
      internet_price_available: optional(flag, 1),
      description: optional(webText(1000)),
      detailed_description: optional(webText(4000)),
      features: optional(list, '[]'),
    },
    keys: [row('location_code', 'unit_type_id')],
    references: [atFacility],
    conflict: ['location_code', 'unit_type_id'],
  },
  {
    file: 'units',
    table: 'units',
    columns: {
      location_code: code,
      unit_id: number,
      unit_number: text(20),
      unit_type_id: number,
      status: optional(oneOf('free', 'off'), 'free'),
      floor_no: optional(whole(-5, 100), 1),
      left_coordinate: optional(feet, null),
      top_coordinate: optional(feet, null),
      length: size,
      width: size,
      rotate: optional(decimal(-360, 360), 0),
    },
    keys: [
      row('location_code', 'unit_id'),
      { name: 'unit_number', column: 'unit_number', of: joined('location_code', 'unit_number') },
    ],
    references: [atFacility, within('unit_type_id', 'unit-types', 'unit type')],
    conflict: ['location_code', 'unit_id'],
    known: ['unit_number'],
  },
  {
    file: 'fixtures',
    table: 'map_fixtures',
    columns: {
      location_code: code,
      fixture_id: number,
      category_name: text(100),
      floor_no: optional(whole(-5, 100), 1),
      left_coordinate: feet,
      top_coordinate: feet,
      length: size,
      width: size,
      rotate: optional(decimal(-360, 360), 0),
      system_rotation: optional(decimal(-360, 360), 0),
    },
    keys: [row('location_code', 'fixture_id')],
    references: [atFacility],
    conflict: ['location_code', 'fixture_id'],
  },
  {
    file: 'insurance',
    table: 'insurance_schemes',
    columns: {
      location_code: code,
      scheme_id: number,
      scheme_name: text(),
      coverage: money(),
      premium: money(),
      terminology: optional(webText(4000)),
    },
    keys: [row('location_code', 'scheme_id')],
    references: [atFacility],
    conflict: ['location_code', 'scheme_id'],
  },
  {
    file: 'fees',
    table: 'fees',
    columns: {
      location_code: code,
      fee_id: number,
      unit_type_id: optional(number, null),
      description: text(),
      amount: money(),
      charged: oneOf('move_in', 'period', 'on_choice', 'card', 'late'),
    },
    keys: [row('location_code', 'fee_id')],
    references: [atFacility, within('unit_type_id', 'unit-types', 'unit type')],
    conflict: ['location_code', 'fee_id'],
    known: ['description'],
  },
  {
    file: 'discounts',
    table: 'discounts',
    columns: {
      location_code: code,
      discount_id: number,
      unit_type_id: optional(number, null),
      description: text(),
      // Of type 1 a percentage, else the price of the first period: two decimals either way.
      amount: money(),
      type: whole(1, 9),
      displayable: optional(flag, 1),
      revenue_managed: optional(flag, 1),
      available: optional(flag, 1),
    },
    keys: [row('location_code', 'discount_id')],
    references: [atFacility, within('unit_type_id', 'unit-types', 'unit type')],
    conflict: ['location_code', 'discount_id'],
  },
  {
    file: 'tenants',
    table: 'tenants',
    columns: {
      location_code: code,
      tenant_id: number,
      first: text(60),
      middle: optional(text(60)),
      last: text(60),
      company: optional(text(100)),
      email: optional(email),
      cell_phone: optional(phone),
      home_phone: optional(phone),
      work_phone: optional(phone),
      address: optional(text()),
      city: optional(text(100)),
      state: optional(state),
      zip: optional(zip),
      company_address: optional(text()),
      company_city: optional(text(100)),
      company_state: optional(state),
      company_zip: optional(zip),
      company_phone: optional(phone),
      company_email: optional(email),
      active_military: optional(flag, 0),
      military: optional(json, '{}'),
    },
    keys: [row('location_code', 'tenant_id')],
    references: [atFacility],
    conflict: ['location_code', 'tenant_id'],
  },
  {
    file: 'leases',
    table: 'leases',
    columns: {
      location_code: code,
      lease_number: number,
      tenant_id: number,
      unit_number: text(20),
      move_in_date: date,
      paid_through: date,
      rent: money(),
      insurance_status: optional(whole(0, 3), null),
      insurance_scheme_id: optional(whole(), 0),
      insurance_premium: optional(money(), 0),
      insurance_notes: optional(json, '{}'),
      discount_id: optional(whole(), 0),
      recurring_fees: optional(chosenFees, []),
      gate_code: optional(gateCode),
      combo_code: optional(text(20), '0000'),
      auction_prepped: optional(flag, 0),
      terms_required: optional(flag, 0),
      closed_on: optional(date, null),
      scheduled_move_out: optional(date, null),
      signed_on: optional(date, null),
      imported_from: optional(text(100), 'earlier system'),
      details: optional(json, '{}'),
    },
    keys: [
      row('location_code', 'lease_number'),
      {
        name: 'open lease of the unit',
        column: 'unit_number',
        of: (values) => (values.closed_on === null ? unitOf(values) : ''),
      },
      {
        // A tenant's leases share one.
        name: 'gate_code',
        column: 'gate_code',
        of: (values) => (values.closed_on === null && values.gate_code !== '' ? gateCodeOf(values) : ''),
        owner: joined('location_code', 'tenant_id'),
      },
    ],
    references: [
      atFacility,
      within('tenant_id', 'tenants', 'tenant'),
      within('unit_number', 'units', 'unit', 'unit_number'),
      within('insurance_scheme_id', 'insurance', 'insurance scheme'),
      {
        column: 'recurring_fees',
        to: 'fees',
        key: 'row',
        of: ({ location_code, recurring_fees }) =>
          (recurring_fees as { feeId: number }[]).map(({ feeId }) => `${location_code}${keySeparator}${feeId}`),
        what: 'fee',
        shared: true,
      },
    ],
    conflict: ['location_code', 'lease_number'],
    known: ['unit_number', 'tenant_id', 'gate_code', 'status'],
  },
  {
    file: 'balances',
    table: 'ledger_entries',
    columns: {
      location_code: code,
      lease_number: number,
      amount: money({ negative: true }),
      posted_on: optional(date, null),
      period_start: optional(date, null),
    },
    keys: [
      {
        // A row for each period that is owed, and one for everything else.
        ...row('location_code', 'lease_number'),
        of: (values) => [values.location_code, values.lease_number, values.period_start].join(keySeparator),
      },
    ],
    references: [atFacility, within('lease_number', 'leases', 'lease')],
    conflict: ['location_code', 'lease_number', 'once'],
  },
]
