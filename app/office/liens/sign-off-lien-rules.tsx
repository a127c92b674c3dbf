import { advertisementWays, type LienRules, noticeWays } from '../../../domain/office/lien-rules.ts'
import { formatUs } from '../../../domain/plain-date.ts'
import { keysOf } from '../../../domain/typed-keys.ts'
import { SignOffLienRules } from '../../../modules/liens/operations/sign-off-lien-rules.ts'
import { loadSignableRules } from '../../../modules/liens/views/signable-rules.ts'
import { revalidateOnConflict } from '../../request/submit-or-report-offline.ts'
import { Callout, Tag } from '../../ui/card-tag-and-callout.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { loadStoredFormOfPage } from '../form-awaiting-second-factor.ts'
import { reasonOfForm, WhyField } from '../note-and-reason-fields.tsx'
import { officeAction, readOfficeForm } from '../office-action.ts'
import { OfficePageFrame, Section } from '../office-page-heading-and-sections.tsx'
import { loadTimeFormatter } from '../office-time.ts'
import { OperationForm } from '../one-button-form.tsx'
import { hasPermission, openOfficePage } from '../open-office-page.ts'
import { FactList } from '../tenant-contacts-documents-and-sealed-data.tsx'
import type { Route } from './+types/sign-off-lien-rules'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args, 'lien.step')
  const { services, brand } = page.site
  const timeAt = await loadTimeFormatter(page)
  const rules = await loadSignableRules(services)
  return {
    storedValues: (await loadStoredFormOfPage(page))?.values ?? null,
    brand: brand.name,
    rules: rules.map(({ signed, ...stateRules }) => ({
      ...stateRules,
      signed: signed && `${signed.by}, ${timeAt(signed.at)}`,
    })),
    mayDecide: hasPermission(page.staff, 'lien.sign-off'),
    key: services.random.uuid(),
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args, 'lien.step')
  const form = await readOfficeForm(page, args.request)
  const fieldNames = reasonOfForm(form.typed.version ?? '')
  return officeAction(page, form, {
    sign: {
      operation: SignOffLienRules,
      input: ({ typed }) => ({ ...typed, on: '1' }),
      fieldNames,
      done: 'signed-off',
    },
    withdraw: {
      operation: SignOffLienRules,
      input: ({ typed }) => ({ ...typed, on: '0' }),
      fieldNames,
      done: 'withdrawn',
    },
  })
}

export const shouldRevalidate = revalidateOnConflict

/** Page of each state's lien rules, and whether the operator has signed them off. */
export default function Rules({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, rules, mayDecide } = loaderData
  const fields = actionData?.fields ?? {}
  const values = actionData?.values ?? loaderData.storedValues
  return (
    <OfficePageFrame
      title="Lien rules"
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead="What the office counts days by. It is no legal advice: have your counsel read each line before it is signed off. In other states no case opens."
    >
      <ErrorSummary errors={fields} general={['', 'form', 'version', 'digest', 'on']} />
      {rules.map((rule) => (
        <Section key={rule.version} title={`${rule.state}: ${rule.statute}`}>
          <p>
            {rule.signed ? <Tag tone="good">Signed off</Tag> : <Tag tone="bad">Not signed off</Tag>}{' '}
            {rule.signed ?? 'No case opens by these rules.'}
          </p>
          <div className="office-halves">
            <FactList facts={factsOf(rule)} />
            <div>
              <h3 className="max-[48rem]:mt-3">The notice has to say</h3>
              <ul className="list-disc pl-[1.2rem]">
                {rule.notice.wording.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
              {rule.toVerify.length > 0 && (
                <Callout tone="warn" title="Not confirmed" level={3} className="mt-3">
                  <ul>
                    {rule.toVerify.map((line) => (
                      <li key={line}>{line}</li>
                    ))}
                  </ul>
                </Callout>
              )}
            </div>
          </div>
          {mayDecide && (
            <SignOffForm
              formKey={actionData?.key ?? loaderData.key}
              rules={rule}
              value={values?.version === rule.version ? values.reason : undefined}
              error={fields[reasonOfForm(rule.version).reason]}
            />
          )}
        </Section>
      ))}
    </OfficePageFrame>
  )
}

function SignOffForm({
  formKey,
  rules: { version, digest, signed },
  value,
  error,
}: {
  formKey: string
  rules: Pick<Route.ComponentProps['loaderData']['rules'][number], 'version' | 'digest' | 'signed'>
  value: string | undefined
  error: string | undefined
}) {
  return (
    <OperationForm
      formKey={formKey}
      intent={signed ? 'withdraw' : 'sign'}
      button={signed ? 'Withdraw the sign-off' : `Sign off ${version}`}
      kind={signed ? 'danger' : 'primary'}
      hidden={{ version, digest }}
    >
      <WhyField
        id={reasonOfForm(version).reason}
        label={signed ? 'Why it is withdrawn' : 'Whose counsel has read them'}
        max={300}
        value={value}
        error={error}
      />
    </OperationForm>
  )
}

const formatDays = (count: number): string => `${count} ${count === 1 ? 'day' : 'days'}`

function factsOf(rules: LienRules): [string, string][] {
  const { notice, advertisement } = rules
  const ways = keysOf(notice.ways).map((way) => {
    const fallback = notice.ways[way]?.unansweredNeeds
    return fallback ? `${noticeWays[way]} (unanswered: ${noticeWays[fallback].toLowerCase()} too)` : noticeWays[way]
  })
  return [
    ['Version', rules.version],
    ['In force from', formatUs(rules.inForceFrom)],
    ['Reviewed', formatUs(rules.reviewedOn)],
    ['A case opens after', `${formatDays(rules.defaultDays)} of continuous default`],
    ['Military', 'Status looked up at the opening and again on the day before the sale'],
    ['Notice', ways.join(', ')],
    ['Copies', notice.copies.map((to) => `the ${to} on file`).join(', ')],
    ['To pay', `${formatDays(notice.payDays)} from delivery`],
    [
      'Advertisement',
      `${advertisement.times === 1 ? 'once' : `${advertisement.times} times, ${formatDays(advertisement.daysApart)} apart`}: ${advertisement.ways.map((way) => advertisementWays[way].toLowerCase()).join(' or ')}`,
    ],
    [
      'Sale',
      `not before ${formatDays(rules.saleAfterDays)} after the first advertisement, nor before the days that the lease promises`,
    ],
    ['Two people', 'The check on the day before, and the sale'],
    ['Surplus', `held ${formatDays(rules.surplusDays)}`],
  ]
}
