import '../styles/move-in.css'
import { splitPlanTerms } from '../../modules/agreements/texts/split-shared-insurance-plan-sentences.ts'
import { insuranceChoice } from '../../modules/move-in/rules/move-in-form.ts'
import { selectCoverage } from '../../modules/move-in/texts/move-in.ts'
import { openStep } from '../open-journey-step.ts'
import { RadioCards } from '../ui/fields/choice.tsx'
import { formatCents } from '../ui/money.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import type { Route } from './+types/insurance-schemes'
import { saveStepForm } from './save-step.ts'
import { StepForm, typedValue } from './step-form.tsx'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

export async function loader(args: Route.LoaderArgs) {
  const { chrome, facts } = await openStep(args, '/insurance-schemes')
  const { schemes, location } = facts.facility
  const { insurance } = facts.answers
  const terms = splitPlanTerms(schemes)
  return {
    chrome,
    chosen: insurance && (insurance.status === 2 ? 'own' : String(insurance.schemeId)),
    plans: schemes.map(({ scheme_id, scheme_name, coverage, premium }, index) => ({
      id: String(scheme_id),
      name: scheme_name,
      coverage,
      premium,
      terms: terms.own[index] ?? [],
    })),
    shared: terms.shared,
    brochure: facts.place.hasBrochure ? `/brochure/${location.location_code}` : null,
  }
}

export const action = (args: Route.ActionArgs) =>
  saveStepForm(
    args,
    '/insurance-schemes',
    insuranceChoice,
    ({ coverage }) => ({ insurance: coverage }),
    // Only the facility's own plans can be chosen, whatever number the form sends.
    ({ coverage }, { facts }): Record<string, string> =>
      coverage.status === 2 || facts.facility.schemes.some(({ scheme_id }) => scheme_id === coverage.schemeId)
        ? {}
        : { coverage: selectCoverage },
  )

export default function InsuranceSchemes({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, chosen, plans, shared, brochure } = loaderData
  return (
    <StepForm
      chrome={chrome}
      title="Protect what you store"
      lead="Everything in a unit must be insured. Take one of these plans, or use a policy you already have."
      rule="insuranceChoice"
      returned={actionData}
      below={
        <section className="mt-12 max-w-text" aria-labelledby="plans-cover">
          <h2 id="plans-cover">What the plans cover</h2>
          {plans.map(
            ({ id, name, terms }) =>
              terms.length > 0 && (
                <details key={id} className="terms">
                  <summary>{name}</summary>
                  <ul>
                    {terms.map((term) => (
                      <li key={term}>{withNoBreakSpaces(term)}</li>
                    ))}
                  </ul>
                </details>
              ),
          )}
          {shared.length > 0 && (
            <>
              <h3 className="mt-6">For every plan</h3>
              <ul className="terms-list">
                {shared.map((term) => (
                  <li key={term}>{withNoBreakSpaces(term)}</li>
                ))}
              </ul>
            </>
          )}
          {brochure && (
            <p className="mt-4">
              <a href={brochure}>Read the brochure (PDF)</a>
            </p>
          )}
        </section>
      }
    >
      {(checks) => (
        <RadioCards
          {...checks.field('coverage')}
          legend="Your coverage"
          defaultValue={typedValue(actionData, 'coverage') ?? chosen}
          options={[
            ...plans.map(({ id, name, coverage, premium }) => ({
              value: id,
              label: name,
              detail: `Pays up to ${formatCents(coverage, true)} for your things`,
              side: <Premium cents={premium} />,
            })),
            {
              value: 'own',
              label: 'I have my own coverage',
              detail: 'A homeowner’s or renter’s policy that covers things in storage. We ask for its number next.',
              side: <Premium cents={0} />,
            },
          ]}
        />
      )}
    </StepForm>
  )
}

function Premium({ cents }: { cents: number }) {
  return (
    <span className="premium">
      {formatCents(cents)}
      <span className="small soft">{withNoBreakSpaces('every 30 days')}</span>
    </span>
  )
}
