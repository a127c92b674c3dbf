/** Forms by which the office edits the brand record, and conversion of their fields from and to text. */

import { validate } from '../../../domain/forms/form-rules.ts'
import { hasFields, isListOf, parseJson } from '../../../domain/parse-json-and-check-shape.ts'
import { normalizePhone } from '../../../domain/phone.ts'
import { isRecord, keysOf } from '../../../domain/typed-keys.ts'
import { findEmail } from '../../accounts/rules/account-forms.ts'
import { type BrandFault, brandFault, type ColorName, palette, parseBrand } from './brand.ts'
import { type Column, hours, joinEntries, splitEntries } from './csv-column-types.ts'
import type { FacilityField } from './facility-setup-fields.ts'

interface BrandField extends Omit<FacilityField, 'look'> {
  look: FacilityField['look'] | 'color'
  /** Path of the field in the brand record. */
  at: readonly [string, ...string[]]
}

const colorLabels: Record<ColorName, string> = {
  paper: 'Page',
  card: 'Card',
  wash: 'Shaded part',
  line: 'Line',
  edge: 'Edge of a field',
  ink: 'Text',
  soft: 'Small text',
  door: 'Main button',
  doorEdge: 'Its edge',
  onDoor: 'Text on it',
  link: 'Link',
  pine: 'Good news',
  brick: 'Bad news',
}

const colorsOf = (scheme: 'light' | 'dark'): Record<string, BrandField> =>
  Object.fromEntries(
    keysOf(colorLabels).map((name) => [
      `${scheme}_${name}`,
      {
        label: colorLabels[name],
        look: 'color',
        at: ['colors', scheme, name] as const,
        hint: `${palette[scheme][name]} if left empty.`,
      },
    ]),
  )

export const brandForms = {
  names: {
    title: 'Name and contact',
    fields: {
      name: { label: 'Name', look: 'line', at: ['name'] },
      legal_name: {
        label: 'Legal name',
        look: 'line',
        at: ['legalName'],
        hint: 'Stands in leases, receipts and mails.',
      },
      tagline: { label: 'Tagline', look: 'line', at: ['tagline'] },
      phone: { label: 'Phone', look: 'short', at: ['phone'] },
      email: { label: 'E-mail', look: 'short', at: ['email'] },
      street: { label: 'Street', look: 'line', at: ['address', 'street'] },
      city: { label: 'City', look: 'short', at: ['address', 'city'] },
      state: { label: 'State', look: 'short', at: ['address', 'state'] },
      zip: { label: 'ZIP code', look: 'short', at: ['address', 'zip'] },
      hours: {
        label: 'Phone hours',
        look: 'lines',
        at: ['hours'],
        hint: 'A line for each, such as Mon–Fri: 9 AM to 6 PM.',
      },
    },
  },
  texts: {
    title: 'Texts of the first page',
    fields: {
      hero: { label: 'Headline', look: 'line', at: ['texts', 'hero'] },
      hero_note: { label: 'Under the headline', look: 'text', at: ['texts', 'heroNote'] },
      why: {
        label: 'Reasons',
        look: 'lines',
        at: ['texts', 'why'],
        hint: 'A line for each, such as No visit: Sign online.',
      },
      footer: { label: 'At the foot of every page', look: 'text', at: ['texts', 'footer'] },
    },
  },
  light: { title: 'Colors', fields: colorsOf('light') },
  dark: { title: 'Colors on a dark screen', fields: colorsOf('dark') },
} as const satisfies Record<string, { title: string; fields: Record<string, BrandField> }>

export type BrandForm = keyof typeof brandForms
export const brandFormNames = keysOf(brandForms)
export const brandFields = (form: BrandForm) => Object.entries<BrandField>(brandForms[form].fields)

/** Parses the reasons to rent that the home page shows, one per line, such as 'No visit: Sign online.' */
const reasons: Pick<Column, 'shape' | 'read' | 'write'> = {
  shape: 'a line for each, such as No visit: Sign online.',
  read(text) {
    const lines = text.split('\n').map((line) => /^([^:]+): (.+)$/.exec(line))
    return lines.includes(null) ? undefined : lines.map((line) => ({ title: line![1]!.trim(), text: line![2]!.trim() }))
  },
}

const isReasonList = isListOf(hasFields<{ title: string; text: string }>('title', 'text'))

const partOf = (record: unknown, at: readonly string[]): unknown =>
  at.reduce<unknown>((part, name) => (isRecord(part) ? part[name] : undefined), record)

/** Returns a value of the operator's brand record as its form shows it. */
export function formatBrandField(name: string, value: unknown): string {
  if (name === 'hours') return splitEntries(hours.write?.(JSON.stringify(value)) ?? '').join('\n')
  if (isReasonList(value) && name === 'why') return value.map((reason) => `${reason.title}: ${reason.text}`).join('\n')
  return typeof value === 'string' ? value : ''
}

/**
 * Returns the values to show in a brand form.
 * @param text stored brand record as JSON
 */
export function brandValues(text: string, form: BrandForm): Record<string, string> {
  const record = parseBrand(text)
  return Object.fromEntries(
    brandFields(form).map(([name, { at }]) => [name, formatBrandField(name, partOf(record, at))]),
  )
}

type ReadValue = { value: unknown } | { wrong: string }

/** Parsers of single fields, by field name. `parseBrandField` parses the other fields by their `look`. */
const readers: Record<string, (text: string) => ReadValue> = {
  hours(text) {
    if (text === '') return { value: [] }
    const value = hours.read(joinEntries(text.split('\n')))
    return typeof value === 'string' ? { value: JSON.parse(value) } : { wrong: `Enter ${hours.shape}.` }
  },
  why(text) {
    if (text === '') return { value: [] }
    const value = reasons.read(text)
    return value === undefined ? { wrong: `Enter ${reasons.shape}.` } : { value }
  },
  phone: (text) => ({ value: normalizePhone(text) }),
  email: (text) =>
    text === '' || validate(findEmail, { email: text }).ok ? { value: text } : { wrong: 'Enter an e-mail address.' },
}

/** Parses a typed value of a brand form to the value that is stored (undefined for an empty color), or to an error. */
export function parseBrandField(name: string, { look }: BrandField, input: string): ReadValue {
  const text = input
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => look !== 'lines' || line !== '')
    .join('\n')
    .trim()
  const read = readers[name]
  if (read) return read(text)
  if (look === 'color') return { value: text === '' ? undefined : text.toUpperCase() }
  return { value: text }
}

/**
 * Returns the brand record's JSON text with new values, by field of the form; undefined removes a value. Parts that the
 * form does not show stay.
 */
export function updateBrandRecord(text: string, form: BrandForm, set: Record<string, unknown>): string {
  const record = parseJson(text, isRecord)
  for (const [name, { at }] of brandFields(form)) {
    if (!Object.hasOwn(set, name)) continue
    const last = at.at(-1) ?? at[0]
    const part = at.slice(0, -1).reduce((parent, step) => {
      const inner = isRecord(parent[step]) ? parent[step] : {}
      parent[step] = inner
      return inner
    }, record)
    if (set[name] === undefined) delete part[last]
    else part[last] = set[name]
  }
  return JSON.stringify(record)
}

/** Returns the error of an invalid brand record by the form's field, or by 'form' if the form has no such field. */
export function brandFaults(text: string, form: BrandForm): Record<string, string> {
  const fault: BrandFault | null = brandFault(text)
  if (fault === null) return {}
  const field = brandFields(form).find(([, { at }]) => `${fault.at}.`.startsWith(`${at.join('.')}.`))
  return { [field?.[0] ?? 'form']: fault.says }
}
