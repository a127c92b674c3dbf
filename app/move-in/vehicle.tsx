import { yesOrNo } from '../../domain/forms/move-in.ts'
import { storingAVehicle } from '../../domain/texts/move-in.ts'
import { openStep } from '../journey.ts'
import { submit } from '../request/submit.ts'
import type { Route } from './+types/vehicle'
import { spoken, takeAnswers } from './answering.ts'
import { Question } from './step-form.tsx'

export const meta = () => []

export async function loader(args: Route.LoaderArgs) {
  const { chrome, facts } = await openStep(args, '/vehicle')
  return { chrome, title: storingAVehicle, chosen: spoken(facts.answers.vehicle) }
}

export const action = (args: Route.ActionArgs) =>
  takeAnswers(args, '/vehicle', yesOrNo, ({ answer }) => ({ vehicle: answer }))

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => submit(() => serverAction())

/** 'Storing a Vehicle?' (spec 1 §2): yes leads to its details and takes the insurance pages away. */
export default function Vehicle({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <Question
      {...loaderData}
      returned={actionData}
      lead="A car, motorcycle, boat, trailer, or RV. Tell us now, because the lease names it and it needs insurance of its own."
      yes={{
        detail: 'We ask for its make, model, and color next. Its own insurance covers it, so you need no plan from us.',
      }}
      no={{ detail: 'Furniture, boxes, tools, stock: anything without a license plate.' }}
    />
  )
}
