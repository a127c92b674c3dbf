import { yesOrNo } from '../../modules/move-in/rules/move-in-form.ts'
import { vehicleQuestion } from '../../modules/move-in/texts/move-in.ts'
import type { Answers } from '../../modules/reservations/rules/journey/journey-answers.ts'
import { openStep } from '../open-journey-step.ts'
import type { Route } from './+types/yes-no-step'
import { pathAmong, saveStepForm, yesNoValue } from './save-step.ts'
import { Question } from './step-form.tsx'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

/** Yes-no questions of the rental, by page path. Yes leads to the details page, No clears the details (spec 1 §2). */
const questions = {
  '/vehicle': {
    answers: 'vehicle',
    title: vehicleQuestion,
    lead: 'A car, motorcycle, boat, trailer, or RV. Tell us now, because the lease names it and it needs insurance of its own.',
    yes: 'We ask for its make, model, and color next. Its own insurance covers it, so you need no plan from us.',
    no: 'Furniture, boxes, tools, stock: anything without a license plate.',
  },
  '/lien-holder': {
    answers: 'hasLienHolder',
    title: 'Is there a lien holder?',
    lead: 'A lien holder is a lender or company with a claim on something you store, such as the bank behind a boat loan or a shop you buy furniture from in installments.',
    yes: 'We ask for their name and phone next.',
    no: 'Everything I store is paid for, and nobody else has a claim on it.',
  },
  '/military': {
    answers: 'activeMilitary',
    title: 'Are you on active military duty?',
    lead: 'Federal law, the Servicemembers Civil Relief Act, protects what you store while you serve. It costs you nothing to tell us.',
    yes: 'We ask for your branch, base, and commanding officer next.',
    no: undefined,
  },
} as const

export async function loader(args: Route.LoaderArgs) {
  const path = pathAmong(questions, args)
  const { chrome, facts } = await openStep(args, path)
  const { contact, ...answers } = facts.answers
  // A renter who checked the box in the contact form has already answered this question with yes.
  const contactAnswer = path === '/military' && contact?.active_military ? true : undefined
  return { chrome, path, chosen: yesNoValue(answers[questions[path].answers] ?? contactAnswer) }
}

export const action = (args: Route.ActionArgs) => {
  const path = pathAmong(questions, args)
  return saveStepForm(args, path, yesOrNo, ({ answer }): Partial<Answers> => ({ [questions[path].answers]: answer }))
}

export default function YesOrNo({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, path, chosen } = loaderData
  const { title, lead, yes, no } = questions[path]
  return (
    <Question
      chrome={chrome}
      title={title}
      lead={lead}
      chosen={chosen}
      returned={actionData}
      yes={{ detail: yes }}
      no={no === undefined ? {} : { detail: no }}
    />
  )
}
