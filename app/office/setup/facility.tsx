import { data, Form, redirect, useNavigation } from 'react-router'
import {
  type FacilityField,
  type FacilityForm,
  facilityFormNames,
  facilityForms,
  isOptional,
} from '../../../domain/facility-record.ts'
import { officeNotFound } from '../../../domain/texts/office.ts'
import { facilityFormsAt, SaveFacility } from '../../../modules/facilities/facility-operations.ts'
import { readForm } from '../../request/form-fields.ts'
import { revalidateOnConflict } from '../../request/submit.ts'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { SelectField } from '../../ui/fields/choice.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { TextArea, TextField } from '../../ui/fields/text.tsx'
import type { FieldErrors } from '../../ui/form-checks.ts'
import { callForForm } from '../open-office-page.ts'
import { Section } from '../page.tsx'
import type { Route } from './+types/facility'
import { SetupPage } from './frame.tsx'
import { openSetup } from './open-setup.ts'

export async function loader(args: Route.LoaderArgs) {
  const { page, about } = await openSetup(args)
  const forms = await facilityFormsAt(page.site.services.db.read, about.code)
  return {
    about,
    key: page.site.services.random.uuid(),
    forms: forms.map(({ form, values, before }) => ({
      ...{ form, title: facilityForms[form].title },
      fields: Object.entries(facilityForms[form].fields).map(([name, field]: [string, FacilityField]) => ({
        ...{ name, ...field, optional: isOptional(name), value: values[name] ?? '', before: before[name] ?? '' },
      })),
    })),
  }
}

type ShownForm = Awaited<ReturnType<typeof loader>>['forms'][number]

export async function action(args: Route.ActionArgs) {
  const { page, about } = await openSetup(args)
  const { intent, key, reason = '', ...typed } = await readForm(args.request)
  const form = facilityFormNames.find((one) => one === intent)
  if (!form) throw new Response(officeNotFound, { status: 404 })
  const of = (prefix: string) =>
    Object.fromEntries(
      Object.entries(typed).flatMap(([name, text]) =>
        name.startsWith(prefix) ? [[name.slice(prefix.length), text]] : [],
      ),
    )
  const values = of('is-')
  const input = { location_code: about.code, form, values, before: of('was-'), reason }
  const outcome = await callForForm(page, SaveFacility, input, key)
  if (outcome.ok) throw redirect(`${page.url.pathname}?done=saved#${form}`)
  const fields: FieldErrors = Object.fromEntries(
    Object.entries(outcome.fields ?? { form: outcome.message }).map(([name, says]) => [idOf(form, name), says]),
  )
  const answer = { form, fields, values, reason, key: page.site.services.random.uuid() }
  return data(answer, { status: outcome.status })
}

/** Ids of the fields: several forms stand on the page. */
const idOf = (form: FacilityForm, name: string) => (name === 'form' ? name : `${form}-${name}`)

export const shouldRevalidate = revalidateOnConflict

/** What visitors and tenants read of a facility, and how it lets. */
export default function FacilityPage({ loaderData, actionData }: Route.ComponentProps) {
  const { about, forms, key } = loaderData
  const fields = actionData?.fields ?? {}
  return (
    <SetupPage about={about} at="/facility" title="Hours and texts" failed={Object.keys(fields).length > 0}>
      <ErrorSummary errors={fields} general={['form']} />
      <div className="office-setup-columns">
        {forms.map((shown) => {
          const answer = actionData?.form === shown.form ? actionData : null
          return (
            <Section key={shown.form} title={shown.title}>
              <OneForm
                shown={shown}
                fields={fields}
                formKey={answer?.key ?? key}
                values={answer?.values ?? {}}
                reason={answer?.reason ?? ''}
              />
            </Section>
          )
        })}
      </div>
    </SetupPage>
  )
}

function OneForm({
  shown,
  fields,
  formKey,
  values,
  reason,
}: {
  shown: ShownForm
  fields: FieldErrors
  formKey: string
  values: Record<string, string>
  reason: string
}) {
  const { form } = shown
  const busy = useNavigation().formData?.get('intent') === form
  const why = idOf(form, 'reason')
  return (
    <Form method="post" className="office-form office-setup-form" id={form}>
      <input type="hidden" name="key" value={`${formKey}-${form}`} />
      {shown.fields.map((field) => (
        <div key={field.name} data-short={field.look === 'short' || field.look === 'choice' || undefined}>
          <input type="hidden" name={`was-${field.name}`} value={field.before} />
          <OneField
            {...{ field, id: idOf(form, field.name), value: values[field.name] ?? field.value }}
            error={fields[idOf(form, field.name)]}
          />
        </div>
      ))}
      <div>
        <TextField name="reason" id={why} label="Why" maxLength={500} defaultValue={reason} error={fields[why]} />
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

interface OneFieldProps {
  id: string
  field: ShownForm['fields'][number]
  value: string
  error: string | undefined
}

function OneField({ id, field, value, error }: OneFieldProps) {
  const { name, label, look, hint, optional } = field
  const common = { name: `is-${name}`, id, label, hint, error, optional, defaultValue: value }
  if (look === 'choice') return <SelectField {...common} optional={false} options={yesOrNo} empty={null} width={5} />
  if (look === 'text' || look === 'lines') return <TextArea {...common} rows={look === 'text' ? 6 : 4} />
  return <TextField {...common} />
}
