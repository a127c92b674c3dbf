import { redirect } from 'react-router'
import { formatUs } from '../../../../domain/plain-date.ts'
import { OpenLienCase } from '../../../../modules/liens/operations/open-lien-case.ts'
import { noRules, notSignedOff } from '../../../../modules/liens/texts/lien-cases.ts'
import { loadCaseOpening } from '../../../../modules/liens/views/rules-and-first-day-of-case-opening.ts'
import { revalidateOnConflict } from '../../../request/submit-or-report-offline.ts'
import { ErrorSummary } from '../../../ui/fields/error-summary.tsx'
import { formatCents } from '../../../ui/money.tsx'
import { officeAction } from '../../office-action.ts'
import { OperationForm } from '../../one-button-form.tsx'
import { openLeasePage } from '../../open-tenant-or-lease-page.ts'
import { displayedLeaseFields, leaseInput } from '../../preview-and-run-money-form.ts'
import { OperationPage, operationFactsOf } from '../lease-operation-page-frame.tsx'
import type { Route } from './+types/lien'

export async function loader(args: Route.LoaderArgs) {
  const file = await openLeasePage(args, OpenLienCase)
  const { services, lease, facts, location } = file
  if (lease.lien_case !== null) throw redirect(`/office/liens/${lease.lien_case}`)
  const opening = await loadCaseOpening(services, {
    state: location.state,
    paidThrough: lease.paid_through,
    today: facts.today,
  })
  return {
    about: operationFactsOf(file),
    owed: lease.balance,
    key: services.random.uuid(),
    madeFrom: displayedLeaseFields(file),
    refused: !opening ? noRules(location.state) : opening.isSignedOff ? '' : notSignedOff(opening.version),
    from: opening && opening.from > facts.today ? formatUs(opening.from) : '',
    version: opening?.version ?? '',
  }
}

export async function action(args: Route.ActionArgs) {
  const file = await openLeasePage(args, OpenLienCase)
  return officeAction(file.page, args.request, {
    open: {
      operation: OpenLienCase,
      input: ({ typed }) => leaseInput(file, typed),
      back: ({ case_id }) => `/office/liens/${case_id}`,
    },
  })
}

export const shouldRevalidate = revalidateOnConflict

/** Page that opens a lien case, when the signed-off rules of the facility's state allow it today. */
export default function Lien({ loaderData, actionData }: Route.ComponentProps) {
  const { about, owed, refused, from, version, madeFrom } = loaderData
  const fields = actionData?.fields ?? {}
  return (
    <OperationPage about={about} title="Lien case" failed={Object.keys(fields).length > 0}>
      <ErrorSummary errors={fields} general={['', 'form', 'balance', 'newest_entry']} />
      {refused || from ? (
        <p>{refused || `By the rules ${version} a case may open from ${from} on.`}</p>
      ) : (
        <OperationForm
          formKey={actionData?.key ?? loaderData.key}
          hidden={madeFrom}
          intent="open"
          button="Open the case"
        >
          <p>
            {formatCents(owed)} is owed. The case counts its days by the rules {version}; from its opening on only the
            full sum is taken by hand.
          </p>
        </OperationForm>
      )}
    </OperationPage>
  )
}
