import { code, flag, money, oneOf, optional, text, webText, whole } from '../columns.ts'
import { atFacility, type ImportTable, number, row, within } from './table.ts'

export const priceTables: readonly ImportTable[] = [
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
]
