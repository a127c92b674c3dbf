import { yesOrNo } from '../../domain/forms/move-in.ts'
import { openStep } from '../journey.ts'
import { submit } from '../request/submit.ts'
import type { Route } from './+types/lien-holder'
import { spoken, takeAnswers } from './answering.ts'
import { Question } from './step-form.tsx'

export const meta = () => []

export async function loader(args: Route.LoaderArgs) {
  const { chrome, facts } = await openStep(args, '/lien-holder')
  return { chrome, chosen: spoken(facts.answers.hasLienHolder) }
}

export const action = (args: Route.ActionArgs) =>
  takeAnswers(args, '/lien-holder', yesOrNo, ({ answer }) => ({ hasLienHolder: answer }))

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => submit(() => serverAction())

/** Whether anybody has a lien on what will be stored; no clears what was said about one (spec 1 §2). */
export default function LienHolder({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <Question
      {...loaderData}
      returned={actionData}
      title="Is there a lien holder?"
      lead="A lien holder is a lender or company with a claim on something you store, such as the bank behind a boat loan or a shop you buy furniture from in installments."
      yes={{ detail: 'We ask for their name and phone next.' }}
      no={{ detail: 'Everything I store is paid for, and nobody else has a claim on it.' }}
    />
  )
}
