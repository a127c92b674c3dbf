import { Link } from 'react-router'
import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { SaveBrand } from '../../../modules/facilities/operations/save-brand.ts'
import { brandFormNames } from '../../../modules/facilities/rules/brand-form.ts'
import { loadBrandForms } from '../../../modules/facilities/views/brand-and-facility-setup-forms.ts'
import { revalidateOnConflict } from '../../request/submit-or-report-offline.ts'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { officeAction, readOfficeForm } from '../office-action.ts'
import { OfficePageFrame, Section } from '../office-page-heading-and-sections.tsx'
import type { Route } from './+types/brand'
import { openWholeSetup } from './open-setup.ts'
import { recordFieldId, SetupRecordForm, splitRecordForm } from './setup-record-form.tsx'

export async function loader(args: Route.LoaderArgs) {
  const { brand, services } = (await openWholeSetup(args)).site
  return {
    brand: brand.name,
    key: services.random.uuid(),
    forms: await loadBrandForms(services.db.read),
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openWholeSetup(args)
  const submitted = await readOfficeForm(page, args.request)
  const form = brandFormNames.find((brandFormName) => brandFormName === submitted.intent)
  if (!form) throw new Response(officeNotFound, { status: 404 })
  const { values, before } = splitRecordForm(submitted.typed)
  return officeAction(page, submitted, {
    save: {
      operation: SaveBrand,
      input: () => ({ form, values, before }),
      fieldNames: (name) => recordFieldId(form, name),
      done: 'saved',
      back: `${page.url.pathname}#${form}`,
    },
  })
}

export const shouldRevalidate = revalidateOnConflict

/** Page for the operator's name, contact, texts and colors. */
export default function Brand({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, forms, key } = loaderData
  const fields = actionData?.fields ?? {}
  return (
    <OfficePageFrame
      title="Brand"
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={
        <>
          <Link to="/office/setup">Setup</Link> · <Link to="/office/setup/brand/pictures">Logo, icon, share image</Link>{' '}
          ·{' '}
          <a href="/" target="_blank" rel="noopener">
            as visitors see it
          </a>
        </>
      }
    >
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
              />
            </Section>
          )
        })}
      </div>
    </OfficePageFrame>
  )
}
