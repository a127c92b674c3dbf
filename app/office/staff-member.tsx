import { Form } from 'react-router'
import { officeRoles, roleNames } from '../../domain/office/roles-and-permissions.ts'
import { officeNotFound } from '../../domain/texts/office-refusals.ts'
import { EndStaff } from '../../modules/staff/operations/end-staff.ts'
import { EndStaffSignIns } from '../../modules/staff/operations/end-staff-sign-ins.ts'
import { InviteStaffAgain } from '../../modules/staff/operations/reinvite-former-staff-member.ts'
import { ResetStaffCredentials } from '../../modules/staff/operations/reset-staff-credentials.ts'
import { SetRoles } from '../../modules/staff/operations/set-roles.ts'
import { parseRoles } from '../../modules/staff/views/role-and-scope-fields.ts'
import { loadStaffMemberPage } from '../../modules/staff/views/staff-member-page.ts'
import { Button, ButtonRow } from '../ui/buttons.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import type { Route } from './+types/staff-member'
import { loadStoredFormOfPage } from './form-awaiting-second-factor.ts'
import { MAX_OPTIONS } from './list-limits-and-page-slicing.ts'
import { FormWhyField, reasonOfForm } from './note-and-reason-fields.tsx'
import { officeAction, readOfficeForm, type SentForm } from './office-action.ts'
import { OfficePageFrame, Section } from './office-page-heading-and-sections.tsx'
import { openOfficePage } from './open-office-page.ts'
import { RoleFields, readSubmittedRoles } from './role-assignment-fields.tsx'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args, 'staff.manage')
  const { site } = page
  const staffMember = await loadStaffMemberPage(site.services, args.params.staffId, MAX_OPTIONS)
  if (!staffMember) throw new Response(officeNotFound, { status: 404 })
  return { ...staffMember, storedForm: await loadStoredFormOfPage(page), brand: site.brand.name }
}

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args, 'staff.manage')
  const { staffId: staff_id } = args.params
  const back = '/office/staff'
  const form = await readOfficeForm(page, args.request)
  const fieldNames = reasonOfForm(form.intent)
  const withReason = ({ typed }: SentForm) => ({ staff_id, reason: typed.reason ?? '' })
  return officeAction(page, form, {
    roles: {
      operation: SetRoles,
      input: async ({ all, typed }) => ({
        staff_id,
        roles: await parseRoles(page.site.services, all),
        before: typed.before ?? '',
        reason: typed.reason ?? '',
      }),
      fieldNames,
      done: 'roles-saved',
      back,
    },
    end: { operation: EndStaff, input: withReason, fieldNames, done: 'access-ended', back },
    reset: { operation: ResetStaffCredentials, input: withReason, fieldNames, done: 'invited', back },
    invite: { operation: InviteStaffAgain, input: withReason, fieldNames, done: 'invited', back },
    'sign-ins': { operation: EndStaffSignIns, input: () => ({ staff_id }), done: 'sign-ins-ended', back },
  })
}

/** Page of a staff member: roles, end of all sign-ins, new invitation, and end of access. */
export default function StaffPerson({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, name, email, state, roles, before, scopes } = loaderData
  const sentForm = actionData ?? loaderData.storedForm
  const fields = actionData?.fields ?? {}
  const sent = { values: sentForm?.values ?? {}, fields }
  const { intent } = sent.values
  const inviteIntent = state === 'ended' ? 'invite' : 'reset'
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
                submitted={sentForm && intent === 'roles' ? readSubmittedRoles(sentForm.all) : undefined}
                scopes={scopes}
                names={officeRoles.map((role) => [role, roleNames[role]])}
              />
              <FormWhyField form="roles" sent={sent} />
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
          <FormWhyField form={inviteIntent} sent={sent} />
          <ButtonRow>
            <Button kind="secondary" name="intent" value={inviteIntent}>
              Mail a new invitation
            </Button>
          </ButtonRow>
        </Form>
      </Section>
      {state !== 'ended' && (
        <Section title="Leaving">
          <Form method="post" className="office-form">
            <FormWhyField form="end" sent={sent} />
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
