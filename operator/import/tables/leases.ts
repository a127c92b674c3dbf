import { chosenFees, code, date, flag, gateCode, json, money, optional, text, whole } from '../columns.ts'
import { keySeparator } from '../staging.ts'
import { atFacility, gateCodeOf, type ImportTable, joined, number, row, unitOf, within } from './table.ts'

export const leaseTables: readonly ImportTable[] = [
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
