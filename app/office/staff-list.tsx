import { Form } from 'react-router'
import { officeRoles, roleNames } from '../../domain/office/roles-and-permissions.ts'
import { InviteStaff } from '../../modules/staff/operations/invite-staff.ts'
import { formatRoles } from '../../modules/staff/rules/format-roles.ts'
import { loadScopeOptions, parseRoles } from '../../modules/staff/views/role-and-scope-fields.ts'
import { loadStaffPage } from '../../modules/staff/views/staff-list.ts'
import { Button, ButtonRow } from '../ui/buttons.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { EmailField, TextField } from '../ui/fields/text.tsx'
import type { Route } from './+types/staff-list'
import { loadStoredFormOfPage } from './form-awaiting-second-factor.ts'
import { MAX_OPTIONS, PAGE_SIZE } from './list-limits-and-page-slicing.ts'
import { officeAction } from './office-action.ts'
import { OfficePageFrame, Section } from './office-page-heading-and-sections.tsx'
import { ListFilter, MoreRows, OfficeTable } from './office-table.tsx'
import { openOfficePage } from './open-office-page.ts'
import { RoleFields, readSubmittedRoles } from './role-assignment-fields.tsx'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args, 'staff.manage')
  const { site, url } = page
  const storedForm = await loadStoredFormOfPage(page)
  const search = (url.searchParams.get('q') ?? '').trim().slice(0, 100)
  const after = url.searchParams.get('after')
  const { people, next } = await loadStaffPage(site.services.db.read, { text: search, after, most: PAGE_SIZE })
  return {
    search,
    next,
    hasFilter: next !== null || after !== null || search !== '',
    brand: site.brand.name,
    formKey: site.services.random.uuid(),
    people: people.map((person) => ({
      id: person.staffId,
      name: person.name,
      email: person.email,
      roles: formatRoles(person.roles),
      state: person.state,
    })),
    scopes: await loadScopeOptions(site.services, MAX_OPTIONS),
    storedForm,
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args, 'staff.manage')
  return officeAction(page, args.request, {
    invite: {
      operation: InviteStaff,
      input: async ({ all, typed }) => ({
        email: typed.email ?? '',
        name: typed.name ?? '',
        roles: await parseRoles(page.site.services, all),
      }),
      done: 'invited',
      back: '/office/staff',
    },
  })
}

/** Page of all staff members, with the form that invites one. */
export default function Staff({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, formKey, people, scopes, search, next, hasFilter } = loaderData
  const sentForm = actionData ?? loaderData.storedForm
  const fields = actionData?.fields ?? {}
  return (
    <OfficePageFrame title="Staff" brand={brand} failed={Object.keys(fields).length > 0}>
      {hasFilter && <ListFilter label="Name or e-mail" search={search} />}
      <OfficeTable
        caption="People of the office"
        rows={people}
        rowKey={(row) => row.id}
        open={(row) => `/office/staff/${row.id}`}
        empty={search ? 'No staff member has that name.' : 'There are no staff members yet.'}
        columns={[
          { label: 'Name', cell: (row) => row.name },
          { label: 'E-mail', wide: true, cell: (row) => row.email },
          { label: 'Roles', cell: (row) => row.roles || 'none' },
          { label: 'State', cell: (row) => ({ active: 'Active', invited: 'Invited', ended: 'Ended' })[row.state] },
        ]}
      />
      <MoreRows next={next} />
      <Section title="Invite a staff member">
        {/* The new key after each invitation empties the form. */}
        <Form method="post" className="office-form" key={formKey}>
          <ErrorSummary errors={fields} general={['', 'form', 'roles']} />
          <TextField name="name" label="Name" defaultValue={sentForm?.values.name} maxLength={60} error={fields.name} />
          <EmailField
            name="email"
            label="E-mail"
            autoComplete="off"
            defaultValue={sentForm?.values.email}
            error={fields.email}
          />
          <RoleFields
            roles={[]}
            submitted={sentForm ? readSubmittedRoles(sentForm.all) : undefined}
            scopes={scopes}
            names={officeRoles.map((role) => [role, roleNames[role]])}
          />
          <ButtonRow>
            <Button>Send the invitation</Button>
          </ButtonRow>
        </Form>
      </Section>
    </OfficePageFrame>
  )
}
