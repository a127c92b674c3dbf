import { data, Form, redirect } from 'react-router'
import { officeRoles, roleNames, scopeText } from '../../domain/office/roles.ts'
import { EndStaff } from '../../modules/staff/operations/end-staff.ts'
import { EndStaffSignIns } from '../../modules/staff/operations/end-staff-sign-ins.ts'
import { InviteStaffAgain } from '../../modules/staff/operations/invite-staff-again.ts'
import { ResetStaffFactors } from '../../modules/staff/operations/reset-staff-factors.ts'
import { SetRoles } from '../../modules/staff/operations/set-roles.ts'
import { personById, rolesText } from '../../modules/staff/people.ts'
import { readForm } from '../request/form-fields.ts'
import { Button, ButtonRow } from '../ui/buttons.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import type { FieldErrors, FormValues } from '../ui/form-checks.ts'
import type { Route } from './+types/person'
import type { DoneCode } from './done-sentences.ts'
import { keptFormOf } from './kept-form.ts'
import { WhyField } from './note-field.tsx'
import { callForForm, openOfficePage } from './open-office-page.ts'
import { OfficePageFrame, Section } from './page.tsx'
import { RoleFields } from './role-fields.tsx'
import { rolesGiven, rolesTyped, scopeOptions } from './role-form.ts'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args, 'staff.manage')
  const { site } = page
  const person = await personById(site.services.db.read, args.params.staffId)
  if (!person) throw new Response('', { status: 404 })
  const kept = await keptFormOf(page)
  return {
    kept: kept && typedOf(kept.all, kept.values, {}),
    brand: site.brand.name,
    name: person.name,
    email: person.email,
    state: person.state,
    roles: person.roles.map(({ role, scope }) => ({ role, scope: scopeText(scope) })),
    before: rolesText(person.roles),
    scopes: await scopeOptions(site.services),
  }
}

const typedOf = (
  all: Iterable<readonly [string, FormDataEntryValue]>,
  { intent = '', reason = '' }: FormValues,
  fields: FieldErrors,
) => ({ intent, reason, fields, roles: intent === 'roles' ? rolesTyped(all) : undefined })

/** Code of the success sentence in the staff list, by the form's intent. */
const doneOf: Partial<Record<string, DoneCode>> = {
  roles: 'roles-saved',
  end: 'access-ended',
  reset: 'invited',
  invite: 'invited',
}

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args, 'staff.manage')
  const form = await args.request.clone().formData()
  const { intent, reason = '', before = '' } = await readForm(args.request)
  const staff_id = args.params.staffId
  const roles = (await rolesGiven(page.site.services, form)).map(({ role, scope }) => ({
    role,
    scope: scopeText(scope),
  }))
  const done =
    intent === 'roles'
      ? await callForForm(page, SetRoles, { staff_id, roles, before, reason })
      : intent === 'end'
        ? await callForForm(page, EndStaff, { staff_id, reason })
        : intent === 'reset'
          ? await callForForm(page, ResetStaffFactors, { staff_id, reason })
          : intent === 'invite'
            ? await callForForm(page, InviteStaffAgain, { staff_id, reason })
            : await callForForm(page, EndStaffSignIns, { staff_id })
  if (done.ok) throw redirect(`/office/staff?done=${doneOf[intent ?? ''] ?? 'sign-ins-ended'}`)
  const fields: FieldErrors = done.fields ?? { form: done.message }
  return data(typedOf(form, { intent: intent ?? '', reason }, fields), { status: done.status })
}

/** Page of a staff member: roles, new invitation, reset and end of access. */
export default function StaffPerson({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, name, email, state, roles, before, scopes } = loaderData
  const typed = actionData ?? loaderData.kept
  const fields = typed?.fields ?? {}
  const again = state === 'ended' ? 'invite' : 'reset'
  const why = (id: string) => {
    const sent = typed?.intent === id ? typed : undefined
    return <WhyField id={`reason-${id}`} value={sent?.reason} error={sent?.fields.reason} />
  }
  return (
    <OfficePageFrame
      title={name}
      brand={brand}
      lead={`${email} · ${{ active: 'active', invited: 'invited', ended: 'access ended' }[state]}`}
      failed={Object.keys(fields).length > 0}
    >
      <ErrorSummary errors={fields} general={['', 'form', 'roles', 'before']} />
      {state !== 'ended' && (
        <>
          <Section title="Access">
            <Form method="post" className="office-form">
              <input type="hidden" name="before" value={before} />
              <RoleFields
                roles={roles}
                typed={typed?.roles}
                scopes={scopes}
                names={officeRoles.map((role) => [role, roleNames[role]])}
              />
              {why('roles')}
              <ButtonRow>
                <Button name="intent" value="roles">
                  Save roles
                </Button>
              </ButtonRow>
              <p className="small soft">Saving ends all sign-ins of this person.</p>
            </Form>
          </Section>
          <Section title="Sign-ins">
            <Form method="post">
              <Button kind="secondary" name="intent" value="sign-ins">
                End all sign-ins
              </Button>
            </Form>
          </Section>
        </>
      )}
      <Section title={state === 'ended' ? 'Invite again' : 'Lost password or factor'}>
        <Form method="post" className="office-form">
          {why(again)}
          <ButtonRow>
            <Button kind="secondary" name="intent" value={again}>
              Mail a new invitation
            </Button>
          </ButtonRow>
        </Form>
      </Section>
      {state !== 'ended' && (
        <Section title="Leaving">
          <Form method="post" className="office-form">
            {why('end')}
            <ButtonRow>
              <Button kind="danger" name="intent" value="end">
                End access
              </Button>
            </ButtonRow>
          </Form>
        </Section>
      )}
    </OfficePageFrame>
  )
}
