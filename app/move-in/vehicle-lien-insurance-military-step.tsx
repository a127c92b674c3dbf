/** Forms of the details pages: vehicle, lien holder, the renter's own insurance and military service. */

import { formatPhone } from '../../domain/phone.ts'
import { formatUs } from '../../domain/plain-date.ts'
import { policyFaults } from '../../modules/move-in/rules/birth-date-and-policy-errors.ts'
import { lienHolder, military, ownInsurance, vehicle } from '../../modules/move-in/rules/move-in-form.ts'
import type { Answers } from '../../modules/reservations/rules/journey/journey-answers.ts'
import { answerOfStep } from '../../modules/reservations/rules/masked-answers.ts'
import { openStep, visibleStepAnswer } from '../open-journey-step.ts'
import { MaskedAnswer } from '../reserve/keep-or-replace-answer.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { CheckboxField } from '../ui/fields/choice.tsx'
import { FieldPair } from '../ui/fields/field.tsx'
import { DateField, PhoneField, TextArea, TextField, type TextFieldProps } from '../ui/fields/text.tsx'
import type { Route } from './+types/vehicle-lien-insurance-military-step'
import { pathAmong, saveStepForm } from './save-step.ts'
import { StepForm, typedValue } from './step-form.tsx'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

interface Details {
  rule: keyof typeof schemas
  title: string
  lead: string
  onFile: string
  fields: (TextFieldProps & { kind?: 'area' | 'date' | 'phone' })[]
}

const forms = {
  '/vehicle-info': {
    rule: 'vehicle',
    title: 'Your vehicle',
    lead: 'The lease names the vehicle, so that only yours may stand in the space.',
    onFile: 'Your vehicle',
    fields: [
      { name: 'make', label: 'Make', hint: 'Such as Toyota', maxLength: 60 },
      { name: 'model', label: 'Model', hint: 'Such as Tacoma', maxLength: 60 },
      { name: 'color', label: 'Color', width: 10, maxLength: 60 },
      {
        kind: 'area',
        name: 'description',
        label: 'Description',
        optional: true,
        maxLength: 500,
        hint: 'Plate, year, or anything that tells it apart',
      },
    ],
  },
  '/lien-holder-details': {
    rule: 'lienHolder',
    title: 'The lien holder',
    lead: 'We write to them only if the law requires it, before a sale.',
    onFile: 'Lien holder',
    fields: [
      { name: 'lien_name', label: 'Name', hint: 'A person or a company', maxLength: 120 },
      { kind: 'phone', name: 'phone_number', label: 'Phone', autoComplete: 'off' },
      { name: 'address', label: 'Address', optional: true, autoComplete: 'off', maxLength: 140 },
      { kind: 'area', name: 'description', label: 'Description', hint: 'What they have a claim on', maxLength: 500 },
    ],
  },
  '/home-owner-insurance': {
    rule: 'ownInsurance',
    title: 'Your own insurance',
    lead: 'You will find all three on the first page of your policy, or on your insurer’s card.',
    onFile: 'Carrier, policy number and expiration date',
    fields: [
      { name: 'carrier', label: 'Carrier', hint: 'The insurance company', width: 20, maxLength: 100 },
      {
        name: 'policy_number',
        label: 'Policy number',
        width: 20,
        maxLength: 40,
        spellCheck: false,
        autoCapitalize: 'characters',
      },
      { kind: 'date', name: 'expiration_date', label: 'Expiration date' },
    ],
  },
  '/military-details': {
    rule: 'military',
    title: 'Your military service',
    lead: 'So that we can reach your unit before anything happens to what you store.',
    onFile: 'Branch, base and commanding officer',
    fields: [
      {
        name: 'military_branch',
        label: 'Branch',
        width: 20,
        maxLength: 100,
        hint: 'Such as Army, Navy, or Coast Guard',
      },
      { name: 'military_base', label: 'Base', width: 20, maxLength: 100 },
      { name: 'commanding_officer', label: 'Commanding officer', hint: 'Rank and name', width: 20, maxLength: 120 },
    ],
  },
} satisfies Record<string, Details>

/**
 * Validation schemas of the rental's details forms, by the name of their rule. Only the action uses them, so they are
 * separate from `forms`, which the page contains; the browser loads the rules after the page (`useFieldRules`).
 */
const schemas = { vehicle, lienHolder, ownInsurance, military }

export async function loader(args: Route.LoaderArgs) {
  const path = pathAmong(forms, args)
  const page = await openStep(args, path)
  const { onFile, shown } = visibleStepAnswer(page, args.request)
  const saved: Record<string, string | boolean> = {
    ...shown(page.facts.answers[answerOfStep[path]]),
  }
  if (saved.phone_number) saved.phone_number = formatPhone(String(saved.phone_number))
  if (saved.expiration_date) saved.expiration_date = formatUs(String(saved.expiration_date))
  return { chrome: page.chrome, path, onFile, saved }
}

export const action = (args: Route.ActionArgs) => {
  const path = pathAmong(forms, args)
  return saveStepForm(
    args,
    path,
    schemas[forms[path].rule],
    (details): Partial<Answers> => ({ [answerOfStep[path]]: details }),
    (details, { facts }) => ('expiration_date' in details ? policyFaults(details, facts.facility.today) : {}),
  )
}

export default function DetailsStep({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, path, onFile, saved } = loaderData
  const { title, lead, rule, onFile: label, fields }: Details = forms[path]
  if (onFile && !actionData) return <MaskedAnswer chrome={chrome} title={title} label={label} />
  const value = (name: string) => typedValue(actionData, name) ?? saved[name]?.toString()
  return (
    <StepForm chrome={chrome} title={title} lead={lead} rule={rule} returned={actionData}>
      {({ field }) => {
        const [first, second, ...rest] = fields.map((input) => (
          <DetailsField key={input.name} {...input} {...field(input.name)} defaultValue={value(input.name)} />
        ))
        if (path !== '/vehicle-info')
          return (
            <>
              {[first, second, ...rest]}
              {path === '/home-owner-insurance' && (
                <Callout className="mt-6 max-w-text">
                  Check with your insurer that the policy covers things kept away from home.
                </Callout>
              )}
            </>
          )
        return (
          <>
            <FieldPair>{[first, second]}</FieldPair>
            {rest}
            <CheckboxField
              {...field('confirmValid')}
              label="I confirm that the vehicle has valid and current insurance."
              defaultChecked={
                actionData ? typedValue(actionData, 'confirmValid') !== undefined : saved.confirmValid === true
              }
            />
          </>
        )
      }}
    </StepForm>
  )
}

function DetailsField({ kind, ...field }: Details['fields'][number] & { defaultValue: string | undefined }) {
  if (kind === 'area') {
    const { name, label, hint, error, optional, maxLength, defaultValue } = field
    return (
      <TextArea
        rows={3}
        name={name}
        label={label}
        hint={hint}
        error={error}
        optional={optional}
        maxLength={maxLength}
        defaultValue={defaultValue}
      />
    )
  }
  if (kind === 'date') return <DateField {...field} />
  return kind === 'phone' ? <PhoneField {...field} /> : <TextField {...field} />
}
