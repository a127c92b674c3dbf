/** Text fields of writing operations refuse text that the forms refuse, except for the fields listed here. */
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { internalOperations, officeOperations } from '../api/catalogue.ts'
import { line, lines, validate } from '../domain/forms/form-rules.ts'
import { plainLine, unmodifiedText } from '../domain/forms/plain-text-schemas.ts'
import { perform } from '../platform/operations/operation.ts'
import { everyOperation } from './parse-wire-specification.ts'
import { demoServices } from './support/seeded-demo-operator.ts'
import { addStaffCaller } from './support/staff.ts'

const unwelcome = ['\u202e', '\u2066', '\ud800', '\udc00', '\u0007', '\uffff']

const asTyped = 'a password: hashed as it was typed'
const compared = 'a token: compared, never kept'
const decoded = 'base64: decoded or compared, never shown'

/** Fields that accept any text, by operation and field. */
const exceptions: Readonly<Record<string, string>> = {
  'POST /api/gate/{facility}/events events.0':
    'each is read by itself, so that a broken one is named and the others are taken',
  'login password': asTyped,
  'finish-reset password': asTyped,
  'UpdateOnlineAccessPassword password': asTyped,
  'UpdateOnlineAccessPassword current_password': asTyped,
  'UpdateTenantInfo current_password': asTyped,
  'accept-terms hash': compared,
  'check-reset-code code': compared,
  'confirm-email-change changeId': compared,
  'confirm-email-change sessionToken': compared,
  'confirm-email-change token': compared,
  'end-other-sign-ins token': compared,
  'end-sign-in id': compared,
  'keep-passkey answer': 'a passkey: its JSON is read by a schema of its own',
  'keep-passkey browser': compared,
  'remove-passkey id': compared,
  'remove-passkey token': compared,
  'rename-passkey id': compared,
  'renew-sign-in token': compared,
  'undo-account-change link': compared,
  'ConvertReservationtoRentalAndSendLeaseAgreement doc_base64_format': decoded,
  'POST /api/notices/movein_completion lease_pdf_signed_data': decoded,
  'ProcessACHMoveIn SignedLease': decoded,
  'lease-pdf tenant_signature': decoded,
}

interface Described {
  type: string
  message?: unknown
  key?: Described
  entries?: Record<string, Described>
  pipe?: Described[]
  wrapped?: Described
  options?: (Described | string)[]
  item?: Described
  items?: Described[]
  value?: Described
}

type Path = readonly (string | number)[]

interface Field {
  path: Path
  schema: v.GenericSchema
}

/** Returns all fields of an input schema, including those of list entries and of each variant. */
function fieldsOf(described: Described, path: Path = []): Field[] {
  const { entries, item, items, type, value } = described
  if (entries) return Object.entries(entries).flatMap(([name, field]) => fieldsOf(field, [...path, name]))
  if (item) return fieldsOf(item, [...path, 0])
  if (items) return items.flatMap((item, index) => fieldsOf(item, [...path, index]))
  if (type === 'record' && value) return fieldsOf(value, [...path, 'name'])
  const parts = [...(described.pipe ?? []), ...(described.options ?? []), described.wrapped]
  const inside = parts
    .filter((part): part is Described => typeof part === 'object' && part !== described)
    .flatMap((part) => fieldsOf(part, path))
    .filter((field) => field.path.length > path.length)
  const itself = { path, schema: described as unknown as v.GenericSchema }
  return inside.length > 0 ? [...inside, ...(path.length > 0 ? [itself] : [])] : [itself]
}

/** Returns the paths of text fields without a shared text schema. Form texts, which have a message, are left out. */
function bareTexts(described: Described, path: Path = []): Path[] {
  const { pipe, entries, item, items, key, value, options, wrapped, type } = described
  if (pipe) return pipe.flatMap((part) => bareTexts(part, path))
  if (type === 'string') return Object.is(described, unmodifiedText) || described.message !== undefined ? [] : [path]
  if (entries) return Object.entries(entries).flatMap(([name, part]) => bareTexts(part, [...path, name]))
  return [item, ...(items ?? []), key, value, ...(options ?? []), wrapped]
    .filter((part): part is Described => typeof part === 'object')
    .flatMap((part) => bareTexts(part, path))
}

const valueAt = (input: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], input)

/** Returns a copy of the input with another value at the path. A list on the path has only the changed entry. */
function withValue(input: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value
  const within = (input as Record<string, unknown> | undefined)?.[name]
  if (typeof name === 'number') return [withValue(within, rest, value)]
  return { ...(input as Record<string, unknown>), [name]: withValue(within, rest, value) }
}

const spoil = (text: string, sign: string) => {
  const half = text.length >> 1
  return `${text.slice(0, half)}${sign}${text.slice(half)}`
}

const writing = [...everyOperation, ...internalOperations, ...officeOperations].filter((operation) => operation.writes)

const fields = writing.flatMap((declared) =>
  fieldsOf(declared.input as unknown as Described)
    .filter(({ path }) => path.length > 0)
    .map((field) => ({ ...field, declared, name: `${declared.name} ${field.path.join('.')}` })),
)

const takesText = (schema: v.GenericSchema, text: string) => {
  const parsed = v.safeParse(schema, text)
  return parsed.success && typeof parsed.output !== 'boolean'
}

/** Returns whether a field is a checkbox, for which any text is true or false. */
const isCheckbox = (schema: v.GenericSchema) => typeof v.safeParse(schema, 'Ab cd').output === 'boolean'

it('a text with an unwelcome character is refused by every text field itself, except for the listed ones', () => {
  const accepting = fields.filter(({ declared, path, schema }) => {
    const example = valueAt(declared.example.input, path)
    const texts = ['Ab cd', '12', ...(typeof example === 'string' ? [example] : [])]
    return unwelcome.some((sign) => texts.some((text) => takesText(schema, spoil(text, sign))))
  })
  expect([...new Set(accepting.map(({ name }) => name))].sort()).toEqual(Object.keys(exceptions).sort())
})

it('no input declares its own text schema', () => {
  const all = [...everyOperation, ...internalOperations, ...officeOperations]
  const bare = all.flatMap(({ name, input }) =>
    bareTexts(input as unknown as Described).map((path) => `${name} ${path.join('.')}`),
  )
  expect(bare).toEqual([])
})

it('finds an input with its own text schema', () => {
  const input = v.object({
    note: v.string(),
    of: v.array(v.object({ id: v.optional(v.pipe(v.string(), v.uuid())) })),
    name: v.pipe(plainLine, v.maxLength(60)),
    password: unmodifiedText,
    city: v.nullish(v.string('Enter a city.'), ''),
  })
  expect(bareTexts(input as unknown as Described)).toEqual([['note'], ['of', 'id']])
})

const open = demoServices()

it('a text with an unwelcome character is refused by the operations, which name the field', async () => {
  const services = await open(11)
  const caller = await addStaffCaller(services, 'owner')
  const sent = fields.filter(({ name, declared, path, schema }) => {
    const example = valueAt(declared.example.input, path)
    return typeof example === 'string' && !Object.hasOwn(exceptions, name) && !isCheckbox(schema)
  })
  expect(sent.length).toBeGreaterThan(380)
  for (const { declared, path, name } of sent) {
    const { input } = declared.example
    expect([name, v.safeParse(declared.input, input).success]).toEqual([name, true])
    for (const sign of unwelcome) {
      const spoiledInput = withValue(input, path, spoil(String(valueAt(input, path)), sign))
      const outcome = await perform(services, declared, spoiledInput, caller)
      const refusedFields = outcome.ok ? [] : Object.keys(outcome.fields ?? {})
      expect([name, outcome]).toMatchObject([name, { ok: false, status: 400, code: 'invalid_input' }])
      expect([name, refusedFields.some((field) => field.split('.')[0] === path[0])]).toEqual([name, true])
      // The message is about the characters, not about the type.
      expect([name, ...(outcome.ok ? [] : Object.values(outcome.fields ?? {}))]).not.toContain(
        'must be text or a number',
      )
    }
  }
})

it('a text with an unwelcome character is refused by the forms', () => {
  const form = v.object({ name: line('Name', 60), note: lines('Note', 500) })
  for (const sign of [...unwelcome, '\u2028']) {
    const text = spoil('Ada Reyes', sign)
    expect(validate(form, { name: text, note: text })).toEqual({
      ok: false,
      fields: {
        name: 'Name contains characters we cannot accept',
        note: 'Note contains characters we cannot accept',
      },
    })
  }
  expect(validate(form, { name: 'Łucja García ‎🔒', note: 'One\r\n\ttwo' }).ok).toBe(true)
})
