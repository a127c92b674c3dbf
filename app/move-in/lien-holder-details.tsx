import { lienHolder } from '../../domain/forms/move-in.ts'
import { formatPhone } from '../../domain/phone.ts'
import { keptDetails, openStep } from '../journey.ts'
import { submit } from '../request/submit.ts'
import { PhoneField, TextArea, TextField } from '../ui/fields/text.tsx'
import type { Route } from './+types/lien-holder-details'
import { takeAnswers } from './answering.ts'
import { OnFile } from './on-file.tsx'
import { StepForm, typed } from './step-form.tsx'

export const meta = () => []

export async function loader(args: Route.LoaderArgs) {
  const page = await openStep(args, '/lien-holder-details')
  const { chrome, facts } = page
  const { onFile, shown } = keptDetails(page, args.request)
  const saved = shown(facts.answers.lienHolder)
  return { chrome, onFile, saved: saved && { ...saved, phone_number: formatPhone(saved.phone_number) } }
}

export const action = (args: Route.ActionArgs) =>
  takeAnswers(args, '/lien-holder-details', lienHolder, (details) => ({ lienHolder: details }))

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => submit(() => serverAction())

/** Who has a claim on what, for the lease and for the notices the law requires (spec 1 §5). */
export default function LienHolderDetails({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, onFile, saved } = loaderData
  if (onFile && !actionData) return <OnFile chrome={chrome} title="The lien holder" label="Lien holder" />
  const value = (name: 'lien_name' | 'phone_number' | 'address' | 'description') =>
    typed(actionData, name) ?? saved?.[name]
  return (
    <StepForm
      chrome={chrome}
      title="The lien holder"
      lead="We write to them only if the law requires it, before a sale."
      rule="lienHolder"
      returned={actionData}
    >
      {({ field }) => (
        <>
          <TextField
            {...field('lien_name')}
            label="Name"
            hint="A person or a company"
            maxLength={120}
            defaultValue={value('lien_name')}
          />
          <PhoneField
            {...field('phone_number')}
            label="Phone"
            autoComplete="off"
            defaultValue={value('phone_number')}
          />
          <TextField
            {...field('address')}
            label="Address"
            optional
            autoComplete="off"
            maxLength={140}
            defaultValue={value('address')}
          />
          <TextArea
            {...field('description')}
            label="Description"
            hint="What they have a claim on"
            rows={3}
            maxLength={500}
            defaultValue={value('description')}
          />
        </>
      )}
    </StepForm>
  )
}
