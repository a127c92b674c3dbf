import { ownInsurance } from '../../domain/forms/move-in.ts'
import { formatUs } from '../../domain/plain-date.ts'
import { policyExpired } from '../../domain/texts/move-in.ts'
import { keptDetails, openStep } from '../journey.ts'
import { submit } from '../request/submit.ts'
import { DateField, TextField } from '../ui/fields/text.tsx'
import { Callout } from '../ui/surfaces.tsx'
import type { Route } from './+types/home-owner-insurance'
import { takeAnswers } from './answering.ts'
import { OnFile } from './on-file.tsx'
import { StepForm, typed } from './step-form.tsx'

export const meta = () => []

export async function loader(args: Route.LoaderArgs) {
  const page = await openStep(args, '/home-owner-insurance')
  const { chrome, facts } = page
  const { onFile, shown } = keptDetails(page, args.request)
  const saved = shown(facts.answers.ownInsurance)
  return { chrome, onFile, saved: saved && { ...saved, expiration_date: formatUs(saved.expiration_date) } }
}

export const action = (args: Route.ActionArgs) =>
  takeAnswers(
    args,
    '/home-owner-insurance',
    ownInsurance,
    (own) => ({ ownInsurance: own }),
    ({ expiration_date }, { facts }): Record<string, string> =>
      expiration_date < facts.facility.today ? { expiration_date: policyExpired } : {},
  )

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => submit(() => serverAction())

/** The renter's own policy (spec 1 §5: all three required). */
export default function HomeOwnerInsurance({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, onFile, saved } = loaderData
  if (onFile && !actionData)
    return <OnFile chrome={chrome} title="Your own insurance" label="Carrier, policy number and expiration date" />
  const value = (name: 'carrier' | 'policy_number' | 'expiration_date') => typed(actionData, name) ?? saved?.[name]
  return (
    <StepForm
      chrome={chrome}
      title="Your own insurance"
      lead="You will find all three on the first page of your policy, or on your insurer’s card."
      rule="ownInsurance"
      returned={actionData}
    >
      {({ field }) => (
        <>
          <TextField
            {...field('carrier')}
            label="Carrier"
            hint="The insurance company"
            width={20}
            maxLength={100}
            defaultValue={value('carrier')}
          />
          <TextField
            {...field('policy_number')}
            label="Policy number"
            width={20}
            maxLength={40}
            spellCheck={false}
            autoCapitalize="characters"
            defaultValue={value('policy_number')}
          />
          <DateField {...field('expiration_date')} label="Expiration date" defaultValue={value('expiration_date')} />
          <div className="mt-6 max-w-text">
            <Callout>Check with your insurer that the policy covers things kept away from home.</Callout>
          </div>
        </>
      )}
    </StepForm>
  )
}
