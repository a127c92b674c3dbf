import { useState } from 'react'
import { Link } from 'react-router'
import { formatShort } from '../../../domain/plain-date.ts'
import { photoFaultMessages } from '../../../modules/facilities/rules/photograph.ts'
import { RecordLock } from '../../../modules/gate/operations/record-overlock-set-or-removed.ts'
import { loadFieldTasks } from '../../../modules/leases/views/field-tasks.ts'
import { VerifyMoveOut } from '../../../modules/move-outs/operations/inspect-unit-after-move-out.ts'
import { revalidateOnConflict } from '../../request/submit-or-report-offline.ts'
import { useHydrated } from '../../ui/buttons.tsx'
import { RadioCards } from '../../ui/fields/choice.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { DateField, FileField, TextField } from '../../ui/fields/text.tsx'
import { loadFacilitiesInView } from '../facilities-in-view.ts'
import { NoteField } from '../note-and-reason-fields.tsx'
import { officeAction, readOfficeForm, type SentForm } from '../office-action.ts'
import { OfficePageFrame } from '../office-page-heading-and-sections.tsx'
import { OperationForm } from '../one-button-form.tsx'
import { openOfficePageAtFacility } from '../open-office-page-at-facility.ts'
import type { Route } from './+types/on-site-task'

export async function loader(args: Route.LoaderArgs) {
  const { page, services, facts, location } = await openOfficePageAtFacility(args, 'lock.set')
  const tasks = await loadFieldTasks(services, [location])
  const task = tasks.find((task) => String(task.leaseNumber) === args.params.lease)
  return {
    brand: page.site.brand.name,
    facility: facts.location.name,
    query: (await loadFacilitiesInView(page, 'lock.set')).query,
    task: task
      ? { kind: task.kind, unit: task.unitNumber, floor: task.floor, since: task.since && formatShort(task.since) }
      : null,
    formKey: services.random.uuid(),
  }
}

export async function action(args: Route.ActionArgs) {
  const { page, location } = await openOfficePageAtFacility(args, 'lock.set')
  const { query } = await loadFacilitiesInView(page, 'lock.set')
  const leaseKey = { location_code: location, lease_number: args.params.lease }
  const filesOfForm = { operation: VerifyMoveOut, tooLarge: photoFaultMessages.too_large }
  const form = await readOfficeForm(page, args.request, filesOfForm)
  const [photo] = form.files
  const lock = { operation: RecordLock, back: `/office/field${query}` }
  const lockSet = ({ intent, typed }: SentForm) => ({ ...leaseKey, state: intent, note: typed.note ?? '' })
  return officeAction(page, form, {
    verify: {
      operation: VerifyMoveOut,
      input: ({ typed }) => ({ ...typed, ...leaseKey, photo }),
      back: `/office/field${query}`,
    },
    on: { ...lock, input: lockSet },
    off: { ...lock, input: lockSet },
  })
}

export const shouldRevalidate = revalidateOnConflict

/** Page of a task at a unit, with buttons large enough for a thumb. */
export default function FieldTaskPage({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, facility, query, task } = loaderData
  const fields = actionData?.fields ?? {}
  const form = { fields, values: actionData?.values ?? {}, formKey: actionData?.key ?? loaderData.formKey }
  return (
    <OfficePageFrame
      title={task ? `Unit ${task.unit}` : 'Done already'}
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={
        <>
          <Link to={`/office/field${query}`}>{facility}</Link>
          {task && ` · floor ${task.floor}`}
          {task?.since && ` · left ${task.since}`}
        </>
      }
    >
      <ErrorSummary errors={fields} general={['', 'form', 'state']} />
      {!task && <p>Nothing is to be done at this door any more.</p>}
      {task?.kind === 'verify' && <Verify {...form} />}
      {task?.kind === 'set lock' && <Lock {...form} state="on" />}
      {task?.kind === 'take lock off' && <Lock {...form} state="off" />}
    </OfficePageFrame>
  )
}

interface FormState {
  formKey: string
  fields: Record<string, string>
  values: Record<string, string>
}

function Verify({ formKey, fields, values }: FormState) {
  const hydrated = useHydrated()
  const [found, setFound] = useState(values.found ?? '')
  return (
    <OperationForm
      formKey={formKey}
      intent="verify"
      button="Done"
      className="office-form field-form"
      encType="multipart/form-data"
    >
      <RadioCards
        name="found"
        legend="How is it?"
        options={[
          { value: 'clean', label: 'Empty and clean', detail: 'It is let again at once' },
          { value: 'not clean', label: 'Not fit to let', detail: 'It goes out of service' },
        ]}
        value={found}
        onChange={setFound}
        error={fields.found}
      />
      {(!hydrated || found === 'not clean') && (
        <>
          <TextField
            name="note"
            label="What is wrong"
            optional={!hydrated}
            maxLength={500}
            defaultValue={values.note}
            error={fields.note}
          />
          <DateField
            name="back_on"
            label="Expected back"
            optional
            defaultValue={values.back_on}
            error={fields.back_on}
          />
        </>
      )}
      <FileField
        name="photo"
        label="Photograph"
        hint="Of the open unit. Where it was taken is left out."
        optional
        accept="image/jpeg,image/png,image/webp"
        capture="environment"
        error={fields.photo}
      />
    </OperationForm>
  )
}

const Lock = ({ formKey, fields, values, state }: FormState & { state: 'on' | 'off' }) => (
  <OperationForm
    formKey={formKey}
    intent={state}
    button={state === 'on' ? 'The lock is on' : 'The lock is off'}
    className="office-form field-form"
  >
    <p>{state === 'on' ? 'The unit is overlocked: set our lock beside the tenant’s.' : 'Take our lock off.'}</p>
    <NoteField values={values} fields={fields} />
  </OperationForm>
)
