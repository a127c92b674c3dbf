import { ACCESS_FEE_ADVERTISED } from '../../modules/gate/rules/advertised-full-day-access-price.ts'
import { yesOrNo } from '../../modules/move-in/rules/move-in-form.ts'
import { fullDayAccessFeeOf } from '../../modules/pricing/rules/unit-type-fees.ts'
import { fee24HourAccess } from '../../modules/pricing/texts/full-day-access-fee-name.ts'
import { openStep } from '../open-journey-step.ts'
import { formatCents } from '../ui/money.tsx'
import type { Route } from './+types/full-day-access-step'
import { saveStepForm, yesNoValue } from './save-step.ts'
import { Question } from './step-form.tsx'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

export async function loader(args: Route.LoaderArgs) {
  const { chrome, facts, draft } = await openStep(args, '/full-day-access')
  const { location } = facts.facility
  return {
    chrome,
    chosen: yesNoValue(facts.answers.fullDayAccess),
    // The step is only shown when there is such a fee.
    fee: fullDayAccessFeeOf(facts.facility, draft.unitTypeId)?.amount ?? 0,
    feeName: fee24HourAccess,
    advertised: ACCESS_FEE_ADVERTISED,
    facilityName: location.name,
    gateHours: location.gate_hours,
  }
}

export const action = (args: Route.ActionArgs) =>
  saveStepForm(args, '/full-day-access', yesOrNo, ({ answer }) => ({ fullDayAccess: answer }))

export default function FullDayAccessStep({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, chosen, fee, feeName, advertised, facilityName, gateHours } = loaderData
  return (
    <Question
      chrome={chrome}
      chosen={chosen}
      returned={actionData}
      title="Would you like 24-hour access?"
      lead={
        <>
          {gateHours && (
            <>
              The gate at {facilityName} opens {gateHours.charAt(0).toLowerCase() + gateHours.slice(1)}.{' '}
            </>
          )}
          With 24-hour access your code works at any hour.
        </>
      }
      yes={{
        detail: `${feeName}: ${formatCents(fee)} per month, billed every 30 days${
          fee === advertised ? '' : ` (${formatCents(advertised)} at most of our facilities)`
        }, plus tax where there is any`,
        side: formatCents(fee),
      }}
      no={{ detail: 'I come during gate hours.', side: formatCents(0) }}
    />
  )
}
