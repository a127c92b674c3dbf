import { military } from '../../domain/forms/move-in.ts'
import { keptDetails, openStep } from '../journey.ts'
import { submit } from '../request/submit.ts'
import { TextField } from '../ui/fields/text.tsx'
import type { Route } from './+types/military-details'
import { takeAnswers } from './answering.ts'
import { OnFile } from './on-file.tsx'
import { StepForm, typed } from './step-form.tsx'

export const meta = () => []

export async function loader(args: Route.LoaderArgs) {
  const page = await openStep(args, '/military-details')
  const { chrome, facts } = page
  const { onFile, shown } = keptDetails(page, args.request)
  return { chrome, onFile, saved: shown(facts.answers.military) }
}

export const action = (args: Route.ActionArgs) =>
  takeAnswers(args, '/military-details', military, (details) => ({ military: details }))

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => submit(() => serverAction())

/** Branch, base and commanding officer (spec 1 §5: all required). */
export default function MilitaryDetails({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, onFile, saved } = loaderData
  if (onFile && !actionData)
    return <OnFile chrome={chrome} title="Your military service" label="Branch, base and commanding officer" />
  const value = (name: 'military_branch' | 'military_base' | 'commanding_officer') =>
    typed(actionData, name) ?? saved?.[name]
  return (
    <StepForm
      chrome={chrome}
      title="Your military service"
      lead="So that we can reach your unit before anything happens to what you store."
      rule="military"
      returned={actionData}
    >
      {({ field }) => (
        <>
          <TextField
            {...field('military_branch')}
            label="Branch"
            hint="Such as Army, Navy, or Coast Guard"
            width={20}
            maxLength={100}
            defaultValue={value('military_branch')}
          />
          <TextField
            {...field('military_base')}
            label="Base"
            width={20}
            maxLength={100}
            defaultValue={value('military_base')}
          />
          <TextField
            {...field('commanding_officer')}
            label="Commanding officer"
            hint="Rank and name"
            width={20}
            maxLength={120}
            defaultValue={value('commanding_officer')}
          />
        </>
      )}
    </StepForm>
  )
}
