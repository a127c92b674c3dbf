import { yesOrNo } from '../../domain/forms/move-in.ts'
import { openStep } from '../journey.ts'
import { submit } from '../request/submit.ts'
import type { Route } from './+types/military'
import { spoken, takeAnswers } from './answering.ts'
import { Question } from './step-form.tsx'

export const meta = () => []

export async function loader(args: Route.LoaderArgs) {
  const { chrome, facts } = await openStep(args, '/military')
  const { activeMilitary, contact } = facts.answers
  // Whoever ticked the box on the contact form need not say it twice.
  return { chrome, chosen: spoken(activeMilitary ?? (contact?.active_military ? true : undefined)) }
}

export const action = (args: Route.ActionArgs) =>
  takeAnswers(args, '/military', yesOrNo, ({ answer }) => ({ activeMilitary: answer }))

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => submit(() => serverAction())

/** Military service; no clears what was said about it (spec 1 §2). */
export default function Military({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <Question
      {...loaderData}
      returned={actionData}
      title="Are you on active military duty?"
      lead="Federal law, the Servicemembers Civil Relief Act, protects what you store while you serve. It costs you nothing to tell us."
      yes={{ detail: 'We ask for your branch, base, and commanding officer next.' }}
    />
  )
}
