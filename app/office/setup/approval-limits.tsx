import { Form, Link, useNavigation } from 'react-router'
import { format, toWire } from '../../../domain/money.ts'
import {
  type Grant,
  grantOf,
  type OfficeRole,
  officeRoles,
  roleNames,
} from '../../../domain/office/roles-and-permissions.ts'
import { SetLimits } from '../../../modules/staff/operations/set-amount-limits-per-role.ts'
import {
  DUAL_CONTROL_ABOVE_CENTS,
  defaultLimits,
  type LimitedPermission,
  limitedGrants,
  limitedPermissions,
} from '../../../modules/staff/rules/approval-limits.ts'
import { limitNames } from '../../../modules/staff/texts/approval-limits.ts'
import { loadApprovalLimitsPage } from '../../../modules/staff/views/approval-limits-page.ts'
import { revalidateOnConflict } from '../../request/submit-or-report-offline.ts'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { inputClass } from '../../ui/fields/field.tsx'
import type { FieldErrors, FormValues } from '../../ui/use-form-checks.ts'
import { loadStoredFormOfPage } from '../form-awaiting-second-factor.ts'
import { WhyField } from '../note-and-reason-fields.tsx'
import { officeAction, readOfficeForm } from '../office-action.ts'
import { OfficePageFrame, Section } from '../office-page-heading-and-sections.tsx'
import { openOfficePage } from '../open-office-page.ts'
import { parseDollars } from '../parse-dollars.ts'
import type { Route } from './+types/approval-limits'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args, 'staff.manage')
  const { site } = page
  return {
    storedValues: (await loadStoredFormOfPage(page))?.values,
    brand: site.brand.name,
    key: site.services.random.uuid(),
    limits: await loadApprovalLimitsPage(site.services),
  }
}

const idOf = (part: 'act' | 'day' | 'was', role: OfficeRole, permission: LimitedPermission) =>
  `${part}-${role}-${permission.replace('.', '-')}`

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args, 'staff.manage')
  const form = await readOfficeForm(page, args.request)
  const limits = parseLimits(form.values)
  return officeAction(page, form, {
    save: {
      operation: SetLimits,
      input: () => ({ limits, reason: form.typed.reason ?? '' }),
      fieldNames: (name) => {
        const [, index, part] = /^limits\.(\d+)(?:\.(act|day))?$/.exec(name) ?? []
        const limit = index === undefined ? undefined : limits[Number(index)]
        return limit ? idOf(part === 'day' ? 'day' : 'act', limit.role, limit.permission) : name
      },
      done: 'limits',
    },
  })
}

/**
 * Parses the form of approval limits: for each role and permission that the form showed, the entered amounts and, in
 * `before`, the amounts shown. Amounts are in cents; NaN stands for a text that is no amount.
 */
const parseLimits = (form: FormValues) =>
  limitedGrants.flatMap(({ role, permission }) => {
    const shownAmounts = form[idOf('was', role, permission)]
    if (shownAmounts === undefined) return []
    const [act = Number.NaN, day = Number.NaN] = shownAmounts.split(' ').map(Number)
    const entered = (part: 'act' | 'day') => parseDollars(form[idOf(part, role, permission)])
    return [{ role, permission, act: entered('act'), day: entered('day'), before: { act, day } }]
  })

export const shouldRevalidate = revalidateOnConflict

const formatWithoutZeroCents = (cents: number) => format(cents).replace(/\.00$/, '')

/** Page of the approval limits, by permission and role. */
export default function Limits({ loaderData, actionData }: Route.ComponentProps) {
  const { brand } = loaderData
  const fields = actionData?.fields ?? {}
  const values = actionData?.values ?? loaderData.storedValues
  const busy = useNavigation().state === 'submitting'
  return (
    <OfficePageFrame
      title="Approval limits"
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={
        <>
          <Link to="/office/setup">Setup</Link> · Above a limit the same form asks, and a second person decides. Above{' '}
          {format(DUAL_CONTROL_ABOVE_CENTS)} it always does.
        </>
      }
    >
      <ErrorSummary errors={fields} general={['form', 'limits']} />
      <Form method="post">
        <input type="hidden" name="key" value={actionData?.key ?? loaderData.key} />
        <div className="office-halves">
          {limitedPermissions.map((permission) => (
            <Section key={permission} title={limitNames[permission]}>
              <PermissionLimits permission={permission} limits={loaderData.limits} fields={fields} values={values} />
            </Section>
          ))}
        </div>
        <div className="office-form">
          <WhyField value={values?.reason} error={fields.reason} />
          <ButtonRow>
            <Button busy={busy}>Save the limits</Button>
          </ButtonRow>
          <p className="small soft">
            They count from the next act on. What was asked for before still waits for its second person.
          </p>
        </div>
      </Form>
    </OfficePageFrame>
  )
}

/** Text shown for a permission that has no limit to set, by how it is granted. */
const limitlessGrantTexts: Record<Exclude<Grant, 'limited'>, string> = {
  yes: `alone, up to ${format(DUAL_CONTROL_ABOVE_CENTS)} an act`,
  asks: 'always asks',
  own: 'always asks',
  reads: 'may not',
}

interface PermissionLimitsProps {
  permission: LimitedPermission
  limits: Route.ComponentProps['loaderData']['limits']
  fields: FieldErrors
  values: Record<string, string> | undefined
}

function PermissionLimits({ permission, limits, fields, values }: PermissionLimitsProps) {
  return (
    <div className="relative overflow-x-auto">
      <table className="office-table">
        <caption className="sr">{limitNames[permission]}: what each role does alone, in dollars</caption>
        <thead>
          <tr>
            <th scope="col">Role</th>
            <th scope="col">An act</th>
            <th scope="col">In 24 hours</th>
          </tr>
        </thead>
        <tbody>
          {officeRoles.map((role) => {
            const grant = grantOf(role, permission)
            const limit = limits.find((roleLimit) => roleLimit.role === role && roleLimit.permission === permission)
            const { act, day } = limit ?? { act: 0, day: 0 }
            const initial = defaultLimits[role][permission]
            return (
              <tr key={role}>
                <th scope="row">
                  {roleNames[role]}
                  {grant === 'limited' && initial && (initial.act !== act || initial.day !== day) && (
                    <span className="small soft num block max-w-[6.5rem] font-normal whitespace-normal">
                      at first {formatWithoutZeroCents(initial.act)} / {formatWithoutZeroCents(initial.day)}
                    </span>
                  )}
                </th>
                {grant === 'limited' ? (
                  ([['act', act] as const, ['day', day] as const] as const).map(([part, cents]) => {
                    const id = idOf(part, role, permission)
                    return (
                      <td key={part}>
                        <input
                          type="text"
                          inputMode="decimal"
                          autoComplete="off"
                          maxLength={14}
                          id={id}
                          name={id}
                          aria-label={`${limitNames[permission]}, ${roleNames[role]}, ${part === 'act' ? 'an act' : 'in 24 hours'}, dollars`}
                          aria-invalid={fields[id] ? true : undefined}
                          defaultValue={values?.[id] ?? toWire(cents)}
                          className={`${inputClass(5)} num`}
                        />
                        {part === 'act' && (
                          <input type="hidden" name={idOf('was', role, permission)} value={`${act} ${day}`} />
                        )}
                      </td>
                    )
                  })
                ) : (
                  <td colSpan={2} className="soft">
                    {grant ? limitlessGrantTexts[grant] : 'may not'}
                  </td>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
