import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { SaveFacility } from '../../../modules/facilities/operations/save-facility.ts'
import { facilityFormNames } from '../../../modules/facilities/rules/facility-setup-fields.ts'
import { loadFacilitySetupForms } from '../../../modules/facilities/views/brand-and-facility-setup-forms.ts'
import { revalidateOnConflict } from '../../request/submit-or-report-offline.ts'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { officeAction, readOfficeForm } from '../office-action.ts'
import { Section } from '../office-page-heading-and-sections.tsx'
import type { Route } from './+types/facility-hours-and-texts'
import { openSetup } from './open-setup.ts'
import { SetupPage } from './setup-frame.tsx'
import { recordFieldId, SetupRecordForm, splitRecordForm } from './setup-record-form.tsx'

export async function loader(args: Route.LoaderArgs) {
  const { page, about } = await openSetup(args)
  const { db, random } = page.site.services
  return { about, key: random.uuid(), forms: await loadFacilitySetupForms(db.read, about.code) }
}

export async function action(args: Route.ActionArgs) {
  const { page, about } = await openSetup(args)
  const submitted = await readOfficeForm(page, args.request)
  const form = facilityFormNames.find((facilityFormName) => facilityFormName === submitted.intent)
  if (!form) throw new Response(officeNotFound, { status: 404 })
  const { values, before } = splitRecordForm(submitted.typed)
  return officeAction(page, submitted, {
    save: {
      operation: SaveFacility,
      input: ({ typed }) => ({ location_code: about.code, form, values, before, reason: typed.reason ?? '' }),
      fieldNames: (name) => recordFieldId(form, name),
      done: 'saved',
      back: `${page.url.pathname}#${form}`,
    },
  })
}

export const shouldRevalidate = revalidateOnConflict

/** Page of a facility's contact, hours, texts, rules and further settings, in several forms. */
export default function FacilityPage({ loaderData, actionData }: Route.ComponentProps) {
  const { about, forms, key } = loaderData
  const fields = actionData?.fields ?? {}
  return (
    <SetupPage about={about} at="/facility" title="Hours and texts" failed={Object.keys(fields).length > 0}>
      <ErrorSummary errors={fields} general={['form']} />
      <div className="office-setup-columns">
        {forms.map((recordForm) => {
          const answer = actionData?.intent === recordForm.form ? actionData : null
          return (
            <Section key={recordForm.form} title={recordForm.title}>
              <SetupRecordForm
                recordForm={recordForm}
                fields={fields}
                formKey={answer?.key ?? key}
                values={answer ? splitRecordForm(answer.values).values : {}}
                reason={answer?.values.reason ?? ''}
              />
            </Section>
          )
        })}
      </div>
    </SetupPage>
  )
}
