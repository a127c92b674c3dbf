import { Form } from 'react-router'
import { formatUs, parseUs } from '../../domain/plain-date.ts'
import { invalidDate } from '../../domain/texts/field-errors.ts'
import { truncate } from '../../domain/truncate.ts'
import { recordOf } from '../../domain/typed-keys.ts'
import { auditGroups } from '../../modules/staff/rules/audit-groups.ts'
import { loadAuditPage } from '../../modules/staff/views/audit-page.ts'
import { SubmitButton } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { SelectField } from '../ui/fields/choice.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { DateField, TextField } from '../ui/fields/text.tsx'
import { formatCents } from '../ui/money.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import type { Route } from './+types/audit'
import { MAX_OPTIONS } from './list-limits-and-page-slicing.ts'
import { OfficePageFrame } from './office-page-heading-and-sections.tsx'
import { MoreRows, OfficeTable } from './office-table.tsx'
import { loadTimeFormatter } from './office-time.ts'
import { hasPermission, openOfficePage } from './open-office-page.ts'
import { tenantPath } from './tenant-paths.ts'

const fields = ['person', 'group', 'from', 'through', 'tenant', 'at'] as const

export async function loader(args: Route.LoaderArgs) {
  const officePage = await openOfficePage(args, 'audit.read')
  const { site, staff, url } = officePage
  const filter = recordOf(fields, (name) => (url.searchParams.get(name) ?? '').slice(0, 100))
  const timeAt = await loadTimeFormatter(officePage)
  const { events, older, people, email, checked } = await loadAuditPage(site.services, staff, {
    filter,
    before: url.searchParams.get('before'),
    mostPeople: MAX_OPTIONS,
  })
  const filterParams = new URLSearchParams(fields.flatMap((name) => (filter[name] ? [[name, filter[name]]] : [])))
  return {
    brand: site.brand.name,
    events: events.map((event) => ({ ...event, at: timeAt(event.at, event.locationCode) })),
    people: people.map(({ staffId, name }) => ({ value: staffId, label: name })),
    email,
    filter,
    errors: {
      ...(filter.from && parseUs(filter.from) === null && { from: invalidDate }),
      ...(filter.through && parseUs(filter.through) === null && { through: invalidDate }),
    },
    query: filterParams.size > 0 ? `?${filterParams}` : '',
    older,
    mayExport: hasPermission(staff, 'audit.export'),
    checked: checked && {
      through: checked.through === null ? '' : formatUs(checked.through),
      fault: checked.wrong && `The audit of ${formatUs(checked.wrong.day)} does not agree: ${checked.wrong.why}.`,
    },
  }
}

/** Read-only page of audit events: who did what and when. */
export default function Audit({ loaderData }: Route.ComponentProps) {
  const { brand, events, older, query, mayExport, checked, filter, errors } = loaderData
  return (
    <OfficePageFrame
      title="Audit"
      brand={brand}
      failed={Object.keys(errors).length > 0}
      lead={checked?.through ? `Held against its hashes through ${checked.through}.` : undefined}
      actions={
        mayExport && (
          <Form method="post" action={`/office/audit/file${query}`} reloadDocument>
            <SubmitButton kind="secondary">CSV</SubmitButton>
          </Form>
        )
      }
    >
      {checked?.fault && (
        <Callout tone="error">
          <p>{checked.fault}</p>
        </Callout>
      )}
      <ErrorSummary errors={errors} />
      <AuditFilter {...loaderData} />
      <div className="office-blocks max-[48rem]:[&_td:nth-child(3)]:basis-full max-[48rem]:[&_th]:basis-auto max-[48rem]:[&_tr]:gap-y-0 max-[48rem]:[&_tr]:py-2">
        <OfficeTable
          caption="Audit events, the newest first"
          rows={events}
          rowKey={(row) => row.id}
          open={({ locationCode: location, tenantId: tenant }) =>
            location === null || tenant === null ? null : tenantPath({ location, tenant })
          }
          empty={Object.values(filter).some(Boolean) ? 'Nothing is like this.' : 'Nothing yet.'}
          columns={[
            { label: 'When', cell: (row) => <span className="whitespace-nowrap">{row.at}</span> },
            {
              label: 'Who',
              cell: (row) =>
                row.staffId ? (
                  <a
                    className="whitespace-nowrap"
                    href={`?${new URLSearchParams(Object.entries({ ...filter, person: row.staffId }).filter(([, value]) => value))}`}
                  >
                    {row.actor}
                  </a>
                ) : (
                  row.actor
                ),
            },
            { label: 'What', cell: (row) => <EventText sentence={row.sentence} changes={row.changes} /> },
            {
              label: 'About',
              wide: true,
              cell: (row) => (
                <span className="whitespace-nowrap">{[row.locationCode, row.tenantId].filter(Boolean).join(' ')}</span>
              ),
            },
            { label: 'Amount', right: true, cell: (row) => (row.cents === null ? '' : formatCents(row.cents)) },
            { label: 'Reason', wide: true, cell: (row) => row.reason },
            { label: 'From', wide: true, cell: (row) => row.address },
          ]}
        />
      </div>
      <MoreRows next={older} name="before" label="Older" />
    </OfficePageFrame>
  )
}

const MAX_SHOWN_CHARACTERS = 160

const shorten = (value: string): string => truncate(value, MAX_SHOWN_CHARACTERS) || 'none'

function EventText({
  sentence,
  changes,
}: Pick<Route.ComponentProps['loaderData']['events'][number], 'sentence' | 'changes'>) {
  return (
    <>
      {withNoBreakSpaces(sentence)}
      {changes === 'erased' ? (
        <div className="small soft">What it was has been erased.</div>
      ) : (
        changes.map(([field, before, after]) => (
          <div key={field} className="small soft wrap-anywhere">
            {field}: {shorten(before)} → {shorten(after)}
          </div>
        ))
      )}
    </>
  )
}

function AuditFilter({
  people,
  email,
  filter,
  errors,
}: Pick<Route.ComponentProps['loaderData'], 'people' | 'email' | 'filter' | 'errors'>) {
  return (
    <Form className="office-inline office-filter">
      {filter.at && <input type="hidden" name="at" value={filter.at} />}
      <SelectField
        name="group"
        label="What"
        empty="Everything"
        optional
        defaultValue={filter.group}
        options={Object.entries(auditGroups).map(([value, { label }]) => ({ value, label }))}
      />
      {people.length > 0 ? (
        <SelectField
          name="person"
          label="Who"
          empty="All staff members"
          optional
          defaultValue={filter.person}
          options={people}
        />
      ) : email !== null ? (
        <TextField name="person" label="Who" optional placeholder="E-mail" maxLength={100} defaultValue={email} />
      ) : (
        filter.person && <input type="hidden" name="person" value={filter.person} />
      )}
      <DateField name="from" label="From" hint="" optional defaultValue={filter.from} error={errors.from} />
      <DateField name="through" label="Through" hint="" optional defaultValue={filter.through} error={errors.through} />
      <TextField
        name="tenant"
        label="Tenant"
        optional
        maxLength={40}
        autoComplete="off"
        placeholder="ATL01 1001"
        defaultValue={filter.tenant}
      />
      <SubmitButton kind="secondary">Show</SubmitButton>
    </Form>
  )
}
