import { vehicle } from '../../domain/forms/move-in.ts'
import { keptDetails, openStep } from '../journey.ts'
import { submit } from '../request/submit.ts'
import { CheckboxField } from '../ui/fields/choice.tsx'
import { FieldPair } from '../ui/fields/field.tsx'
import { TextArea, TextField } from '../ui/fields/text.tsx'
import type { Route } from './+types/vehicle-info'
import { takeAnswers } from './answering.ts'
import { OnFile } from './on-file.tsx'
import { StepForm, typed } from './step-form.tsx'

export const meta = () => []

export async function loader(args: Route.LoaderArgs) {
  const page = await openStep(args, '/vehicle-info')
  const { chrome, facts } = page
  const { onFile, shown } = keptDetails(page, args.request)
  return { chrome, onFile, saved: shown(facts.answers.vehicleDetails) }
}

export const action = (args: Route.ActionArgs) =>
  takeAnswers(args, '/vehicle-info', vehicle, (vehicleDetails) => ({ vehicleDetails }))

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => submit(() => serverAction())

/** The vehicle, as the lease will name it (spec 1 §5). */
export default function VehicleInfo({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, onFile, saved } = loaderData
  if (onFile && !actionData) return <OnFile chrome={chrome} title="Your vehicle" label="Your vehicle" />
  const value = (name: 'make' | 'model' | 'color' | 'description') => typed(actionData, name) ?? saved?.[name]
  return (
    <StepForm
      chrome={chrome}
      title="Your vehicle"
      lead="The lease names the vehicle, so that only yours may stand in the space."
      rule="vehicle"
      returned={actionData}
    >
      {({ field }) => (
        <>
          <FieldPair>
            <TextField
              {...field('make')}
              label="Make"
              hint="Such as Toyota"
              maxLength={60}
              defaultValue={value('make')}
            />
            <TextField
              {...field('model')}
              label="Model"
              hint="Such as Tacoma"
              maxLength={60}
              defaultValue={value('model')}
            />
          </FieldPair>
          <TextField {...field('color')} label="Color" width={10} maxLength={60} defaultValue={value('color')} />
          <TextArea
            {...field('description')}
            label="Description"
            optional
            hint="Plate, year, or anything that tells it apart"
            rows={3}
            maxLength={500}
            defaultValue={value('description')}
          />
          <CheckboxField
            {...field('confirmValid')}
            label="I confirm that the vehicle has valid and current insurance."
            defaultChecked={actionData ? typed(actionData, 'confirmValid') !== undefined : saved?.confirmValid === true}
          />
        </>
      )}
    </StepForm>
  )
}
