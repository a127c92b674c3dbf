import { Form, useNavigation } from 'react-router'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { CheckboxField, SelectField } from '../../ui/fields/choice.tsx'
import { FieldSet } from '../../ui/fields/field.tsx'
import { TextArea, TextField } from '../../ui/fields/text.tsx'
import type { FieldErrors, FormValues } from '../../ui/use-form-checks.ts'
import { WhyField } from '../note-and-reason-fields.tsx'

/** Form of some of a record's fields, with the stored values. */
interface ShownForm {
  form: string
  fields: {
    name: string
    label: string
    look: 'line' | 'short' | 'text' | 'lines' | 'choice' | 'color' | 'ticks'
    hint?: string
    options?: readonly string[]
    ticks?: readonly { code: string; label: string }[]
    optional: boolean
    value: string
    /** Hash of the stored value; submitted, so that a change in the meantime is noticed. */
    before: string
  }[]
}

/** Splits a submitted setup form into the typed values and the hashes of the values that the form showed at first. */
export function splitRecordForm(typed: FormValues) {
  const fieldsWithPrefix = (prefix: string) =>
    Object.fromEntries(
      Object.entries(typed).flatMap(([name, text]) =>
        name.startsWith(prefix) ? [[name.slice(prefix.length), text ?? '']] : [],
      ),
    )
  const values = fieldsWithPrefix('is-')
  // A checkbox is named by its field and code, since of a repeated name only the first value is read.
  for (const tick of Object.keys(fieldsWithPrefix('tick-'))) {
    const [name = '', code = ''] = tick.split('/')
    values[name] = [values[name], code].filter(Boolean).join('\n')
  }
  return { values, before: fieldsWithPrefix('was-') }
}

/** Returns a field's id, prefixed because several forms share the page; 'form', for errors without a field, stays. */
export const recordFieldId = (form: string, name: string) => (name === 'form' ? name : `${form}-${name}`)

/**
 * Setup form of a record. It sends a hash of each field's original value, so that a refusal can name the fields changed
 * since.
 * @param reason undefined if the form does not ask for a reason
 */
export function SetupRecordForm({
  recordForm,
  fields,
  formKey,
  values,
  reason,
}: {
  recordForm: ShownForm
  fields: FieldErrors
  formKey: string
  values: Record<string, string>
  reason?: string | undefined
}) {
  const { form } = recordForm
  const busy = useNavigation().formData?.get('intent') === form
  const reasonId = recordFieldId(form, 'reason')
  return (
    <Form method="post" className="office-form grid grid-cols-[1fr_1fr] items-end gap-x-4" id={form}>
      <input type="hidden" name="key" value={`${formKey}-${form}`} />
      {recordForm.fields.map((field) => (
        <div
          key={field.name}
          className={['line', 'text', 'lines', 'ticks'].includes(field.look) ? 'col-span-full' : undefined}
        >
          <input type="hidden" name={`was-${field.name}`} value={field.before} />
          <RecordField
            field={field}
            id={recordFieldId(form, field.name)}
            value={values[field.name] ?? field.value}
            error={fields[recordFieldId(form, field.name)]}
          />
        </div>
      ))}
      <div className="col-span-full">
        {reason !== undefined && <WhyField id={reasonId} value={reason} error={fields[reasonId]} />}
        <ButtonRow>
          <Button kind="secondary" name="intent" value={form} busy={busy}>
            Save
          </Button>
        </ButtonRow>
      </div>
    </Form>
  )
}

const yesOrNo = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]

interface RecordFieldProps {
  id: string
  field: ShownForm['fields'][number]
  value: string
  error: string | undefined
}

function RecordField({ id, field, value, error }: RecordFieldProps) {
  const { name, label, look, hint, optional, options, ticks } = field
  const common = { name: `is-${name}`, id, label, hint, error, optional, defaultValue: value }
  if (options)
    return (
      <SelectField
        {...common}
        options={options.map((option) => ({
          value: option,
          label: option.replace(/^./, (first) => first.toUpperCase()),
        }))}
        empty="Not said"
      />
    )
  if (ticks)
    return (
      <FieldSet name={id} legend={label} hint={hint} error={error}>
        <input type="hidden" name={`is-${name}`} value="" />
        {ticks.map(({ code, label }, index) => (
          <CheckboxField
            key={code}
            id={index === 0 ? id : `${id}-${code}`}
            name={`tick-${name}/${code}`}
            label={label}
            defaultChecked={value.split('\n').includes(code)}
          />
        ))}
      </FieldSet>
    )
  if (look === 'choice') return <SelectField {...common} optional={false} options={yesOrNo} empty={null} width={5} />
  if (look === 'text' || look === 'lines') return <TextArea {...common} rows={look === 'text' ? 6 : 4} />
  // The hint of a color field begins with the default color: '#1f5c3a if left empty.'
  if (look === 'color')
    return (
      <TextField {...common} width={10} label={<Swatch color={value || (hint ?? '').slice(0, 7)} label={label} />} />
    )
  return <TextField {...common} />
}

const Swatch = ({ color, label }: { color: string; label: string }) => (
  <>
    {label}{' '}
    {/^#[0-9a-f]{6}$/i.test(color) && (
      <svg className="inline-block size-[1em] border border-edge align-[-0.1em]" viewBox="0 0 1 1" aria-hidden="true">
        <rect width="1" height="1" fill={color} />
      </svg>
    )}
  </>
)
