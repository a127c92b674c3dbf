import { Link } from 'react-router'
import { tenantFlags } from '../../domain/office/tenant-flags.ts'
import { officeNotFound } from '../../domain/texts/office-refusals.ts'
import { formatInstantIn, todayIn } from '../../domain/time-zone-dates.ts'
import { maySeeAnyDrawer } from '../../modules/cash-drawers/views/drawers-visible-to-staff.ts'
import { AssignTask } from '../../modules/staff/operations/assign-task.ts'
import { CompleteTask } from '../../modules/staff/operations/complete-task.ts'
import { loadTenantApprovalRequests } from '../../modules/staff/views/approval-and-task-queue-items.ts'
import { GetTenantFile } from '../../modules/tenant-view/operations/get-tenant-file.ts'
import { ShowSensitive } from '../../modules/tenant-view/operations/show-sensitive.ts'
import { AddStaffNote } from '../../modules/tenants/operations/add-staff-note.ts'
import { StopTexts } from '../../modules/tenants/operations/stop-texts-by-staff.ts'
import { loadTextConsentState } from '../../modules/tenants/views/text-consent-state.ts'
import { grantAt } from '../../platform/operations/facilities-of-staff.ts'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import type { Route } from './+types/tenant'
import { formatShortDay, Ledger, ledgerRows } from './ledger-table.tsx'
import { MAX_OPTIONS } from './list-limits-and-page-slicing.ts'
import { officeAction } from './office-action.ts'
import { OfficePageFrame, Section } from './office-page-heading-and-sections.tsx'
import { formatShortTime } from './office-time.ts'
import { type OfficePage, openOfficePage } from './open-office-page.ts'
import { loadLedger } from './open-tenant-or-lease-page.ts'
import { OperationShortcutLinks } from './operation-shortcut-links.tsx'
import { parseRecordNumber } from './parse-record-number.ts'
import { TenantDetailsSection } from './tenant-contacts-documents-and-sealed-data.tsx'
import { TenantHeader } from './tenant-header.tsx'
import { LedgerSwitch, TenantLeases } from './tenant-leases.tsx'
import { listOperationLinks, waivePath } from './tenant-operation-links.ts'
import { leasePath, type TenantPageKey, tenantPath } from './tenant-paths.ts'
import { NoteForm, OpenTasks, TenantTimeline } from './tenant-timeline-panel.tsx'

const tenantKeyOf = ({ location, tenant }: { location: string; tenant: string }) => ({
  location_code: location,
  tenant_id: tenant,
})

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args)
  const fileQuery = {
    ...tenantKeyOf(args.params),
    lease_number: parseRecordNumber(page.url.searchParams.get('lease')),
    before: parseRecordNumber(page.url.searchParams.get('before')) ?? null,
    all: page.url.searchParams.get('all') === '1',
    after_lease: parseRecordNumber(page.url.searchParams.get('leases')),
  }
  const outcome = await page.site.call(GetTenantFile, fileQuery)
  if (!outcome.ok) throw new Response(officeNotFound, { status: 404 })
  const file = outcome.value
  const { facts, tenant, looked } = file
  const { location, today } = facts
  const key = { location: location.location_code, tenant: tenant.tenant_id }
  const ledger = looked && (await loadLedger({ services: page.site.services, page }, looked))
  const formatTime = (at: number) => formatShortTime(at, location.time_zone, today)
  return {
    brand: page.site.brand.name,
    key,
    facility: location.name,
    today,
    who: whoOf(file),
    texts: tenant.cell_phone === '' ? null : await loadTextConsentState(page.site.services.db.read, tenant.cell_phone),
    portal: {
      account: file.portal.account,
      emailToConfirm: file.portal.emailToConfirm,
      lastSignIn: file.portal.lastSignIn === null ? '' : formatTime(file.portal.lastSignIn),
    },
    flags: flagsOf(file),
    requests: await loadRequests(page, key, formatTime),
    leases: file.leases,
    count: file.leasesOnFile.length,
    nextLease: file.nextLease,
    all: fileQuery.all,
    ledgerChoices: file.leasesOnFile.filter(({ number }) => file.first.includes(number)),
    about: file.leasesOnFile.filter(({ status }) => status !== 'Closed').slice(0, MAX_OPTIONS),
    lookedAt: looked?.lease_number ?? null,
    ledger: ledger
      ? {
          unit: looked.unit_number,
          rows: ledgerRows(ledger, maySeeAnyDrawer(page.staff)),
          older: ledger.older,
          waive: waivePath(page.staff, key, tenant, looked.lease_number),
        }
      : null,
    tasks: file.tasks.map((task) => ({
      id: task.task_id,
      kind: task.kind,
      note: task.note,
      due: task.due_on,
      late: task.due_on < today,
      by: task.name ?? '',
      mine: task.assigned_to === page.staff.staffId,
    })),
    timeline: file.timeline.items.map((item) => ({ ...item, at: formatTime(item.at) })),
    older: file.timeline.older,
    documents: file.documents.map((document) => ({ ...document, at: formatTime(document.at) })),
    reservations: file.reservations
      .filter((reservation) => reservation.status === 'active')
      .map((reservation) => ({
        code: reservation.reservation_code,
        unit: reservation.unit_number,
        on: formatShortDay(reservation.required_date),
        until: `${formatInstantIn(location.time_zone, reservation.hold_until)}, ${formatShortDay(todayIn(location.time_zone, reservation.hold_until))}`,
      })),
    sensitive: isAllowed(page, key.location, 'sensitive.show') ? file.sensitive : [],
    mayWrite: tenant.erased_at === null && isAllowed(page, key.location, 'note.write'),
    erased: tenant.erased_at === null ? '' : formatTime(tenant.erased_at),
    noteKey: page.site.services.random.uuid(),
    acts: listOperationLinks(
      page.staff,
      key,
      tenant,
      looked
        ? {
            number: looked.lease_number,
            status: looked.status,
            balance: looked.balance,
            others: file.leasesOnFile.length - 1,
          }
        : null,
    ),
  }
}

type File = Extract<Awaited<ReturnType<typeof GetTenantFile.run>>, { ok: true }>['value']

async function loadRequests({ site, staff }: OfficePage, key: TenantPageKey, formatTime: (at: number) => string) {
  const { location: locationCode, tenant: tenantId } = key
  const mayDecide = grantAt(staff, 'approval.decide', locationCode) !== undefined
  const requests = await loadTenantApprovalRequests(site.services, { locationCode, tenantId })
  return requests.map((request) => ({
    ...request,
    at: formatTime(request.at),
    mayOpen: mayDecide || request.by === staff.staffId,
  }))
}

const whoOf = ({ tenant, facts, leasesOnFile }: File) => ({
  name: `${tenant.first} ${tenant.middle} ${tenant.last}`.replace(/\s+/g, ' ').trim(),
  company: tenant.company,
  email: tenant.email,
  cell: tenant.cell_phone,
  home: tenant.home_phone,
  work: tenant.work_phone,
  companyPhone: tenant.company_phone,
  companyEmail: tenant.company_email,
  address: [tenant.address, tenant.city, `${tenant.state} ${tenant.zip}`.trim()].filter(Boolean),
  since: formatShortDay(
    leasesOnFile.map((lease) => lease.movedIn).sort()[0] ?? todayIn(facts.location.time_zone, tenant.created_at),
  ),
})

/** Lists the tenant's flags and the leases with a lien case. */
const flagsOf = ({ flags, leasesOnFile }: File): { flag: string; label: string; note: string }[] => [
  ...flags.map(({ flag, note }) => ({ flag, label: tenantFlags[flag].label, note })),
  ...leasesOnFile
    .filter((lease) => lease.lienCase !== null)
    .map((lease) => ({ flag: `lien ${lease.number}`, label: `Lien case ${lease.unit}`, note: '' })),
]

const isAllowed = (page: OfficePage, location: string, permission: 'note.write' | 'sensitive.show'): boolean =>
  !['reads', undefined].includes(grantAt(page.staff, permission, location))

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args)
  const tenantKey = tenantKeyOf(args.params)
  const back = tenantPath({ location: args.params.location, tenant: Number(args.params.tenant) })
  return officeAction(page, args.request, {
    show: {
      operation: ShowSensitive,
      input: ({ typed }) => ({ ...tenantKey, what: typed.what, lease_number: parseRecordNumber(typed.lease) }),
      shows: ({ lines }) => lines,
    },
    'stop-texts': { operation: StopTexts, input: () => tenantKey, fieldNames: () => 'form', back },
    note: { operation: AddStaffNote, input: ({ typed }) => ({ ...tenantKey, ...typed }), back },
    done: { operation: CompleteTask, input: ({ typed }) => ({ task_id: typed.task }), done: 'task', back },
    take: {
      operation: AssignTask,
      input: ({ typed }) => ({ task_id: typed.task, staff_id: page.staff.staffId }),
      done: 'task',
      back,
    },
  })
}

/** Page of a tenant: contact, flags, leases with balance and gate, the ledger of one lease, timeline and details. */
export default function TenantFile({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, key, facility, who, portal, flags, leases, lookedAt, ledger, acts } = loaderData
  const fields = actionData?.fields ?? {}
  const { what = '', lease } = actionData?.values ?? {}
  const revealed = actionData?.shown.length
    ? { what, lease: parseRecordNumber(lease) ?? null, lines: actionData.shown }
    : null
  return (
    <OfficePageFrame title={who.name} brand={brand} failed={Object.keys(fields).length > 0}>
      <TenantHeader
        who={who}
        texts={loaderData.texts}
        mayWrite={loaderData.mayWrite}
        portal={portal}
        flags={flags}
        facility={facility}
      />
      {loaderData.erased && (
        <Callout className="mt-3">
          <p>Erased on {loaderData.erased}. What stays belongs to the books.</p>
        </Callout>
      )}
      {fields.form && (
        <Callout tone="error" live>
          <p>{fields.form}</p>
        </Callout>
      )}
      <Requests requests={loaderData.requests} />
      <TenantLeases
        tenantKey={key}
        leases={leases}
        lookedAt={lookedAt}
        count={loaderData.count}
        next={loaderData.nextLease}
        showsAll={loaderData.all}
      />
      <OperationShortcutLinks acts={acts} />
      {/* A narrow window shows only the first eight rows of the ledger; the lease’s page has the others. */}
      <div className="office-file max-[48rem]:[&_.office-table_tbody_tr:nth-child(n+9)]:hidden lg:grid-cols-[1.1fr_1fr] min-[80rem]:grid-cols-[1.1fr_1.1fr_minmax(15rem,0.6fr)]">
        <Section title={ledger ? `Ledger ${ledger.unit}` : 'Ledger'}>
          <LedgerSwitch tenantKey={key} leases={loaderData.ledgerChoices} lookedAt={lookedAt} />
          {ledger ? (
            <>
              <Ledger unit={ledger.unit} rows={ledger.rows} older={ledger.older} waive={ledger.waive} />
              {lookedAt !== null && (
                <p className="mt-2">
                  <Link to={leasePath(key, lookedAt)}>Whole ledger and terms of {ledger.unit}</Link>
                </p>
              )}
            </>
          ) : (
            <p className="soft">No lease yet.</p>
          )}
        </Section>
        <Section title="Timeline">
          {loaderData.mayWrite && (
            <NoteForm
              key={loaderData.noteKey}
              noteKey={actionData?.key ?? loaderData.noteKey}
              open={loaderData.about}
              values={actionData?.values}
              fields={fields}
            />
          )}
          <OpenTasks tasks={loaderData.tasks} mayWrite={loaderData.mayWrite} />
          <TenantTimeline items={loaderData.timeline} older={loaderData.older} />
        </Section>
        <TenantDetailsSection
          tenantKey={key}
          who={who}
          documents={loaderData.documents}
          reservations={loaderData.reservations}
          sensitive={loaderData.sensitive}
          revealed={revealed}
        />
      </div>
    </OfficePageFrame>
  )
}

/** Requests about this tenant that wait for approval, shown so that none is made twice. */
function Requests({ requests }: Pick<Route.ComponentProps['loaderData'], 'requests'>) {
  if (requests.length === 0) return null
  return (
    <Callout className="mt-3">
      {requests.map(({ id, what, why, byName, at, mayOpen }) => (
        <p key={id}>
          Waits for approval: {mayOpen ? <Link to={`/office/queue/${id}`}>{what}</Link> : <strong>{what}</strong>}
          {why && `, ${why}`}. Asked by {byName}, {at}.
        </p>
      ))}
    </Callout>
  )
}
