import { Form, Link } from 'react-router'
import { SaveSiteSetting } from '../../../modules/facilities/operations/save-site-setting.ts'
import {
  SITE_PAGE_MAX_LENGTH,
  sitePageSetting,
  sitePages,
} from '../../../modules/facilities/rules/operator-text-pages.ts'
import { loadSiteSettings } from '../../../modules/facilities/views/operator-settings-page.ts'
import { facilitiesFor } from '../../../platform/operations/facilities-of-staff.ts'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { Tag } from '../../ui/card-tag-and-callout.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { TextArea, TextField } from '../../ui/fields/text.tsx'
import { loadFacilitiesInView } from '../facilities-in-view.ts'
import { PAGE_SIZE, paginate } from '../list-limits-and-page-slicing.ts'
import { formAnswer, officeAction, readOfficeForm, withPageData } from '../office-action.ts'
import { OfficePageFrame, Section } from '../office-page-heading-and-sections.tsx'
import { ListFilter, MoreRows, OfficeTable } from '../office-table.tsx'
import { hasPermission, openOfficePage } from '../open-office-page.ts'
import type { Route } from './+types/site'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args, 'setup.save')
  const { services, brand } = page.site
  const { chosen, codes, options, query } = await loadFacilitiesInView(page, 'setup.save')
  const search = (page.url.searchParams.get('q') ?? '').trim().slice(0, 100)
  const visibleFacilities = options.filter(({ code }) => codes === 'all' || codes.includes(code))
  const matches = visibleFacilities.filter(({ code, name }) =>
    `${code} ${name}`.toLowerCase().includes(search.toLowerCase()),
  )
  const listed = paginate(matches, ({ code }) => code, page.url.searchParams.get('after'))
  return {
    brand: brand.name,
    query,
    canSetLimits: hasPermission(page.staff, 'staff.manage'),
    canManageKeys: hasPermission(page.staff, 'key.manage'),
    search,
    chosenCodes: chosen.join(),
    count: visibleFacilities.length,
    matchCount: matches.length,
    facilities: listed.rows.map(({ code, name }) => ({ code, name })),
    next: listed.next,
    site: facilitiesFor(page.staff, 'setup.save') === 'all' ? await loadSiteSettings(services.db.read) : null,
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args, 'setup.save')
  const form = await readOfficeForm(page, args.request)
  const { name = '', value = '', before = '', sure = '', ...terms } = form.typed
  const mayClose = facilitiesFor(page.staff, 'setup.save') === 'all'
  if (mayClose && name === 'maintenance' && value === 'true' && sure !== 'yes')
    return withPageData(formAnswer(page, form, {}), { asks: true })
  const answer = await officeAction(page, form, {
    save: {
      operation: SaveSiteSetting,
      input: () => ({ name, value: name === 'privacy' ? terms : value, before }),
      // 'value' is the setting itself, 'value.leaseYears' a field of the retention form.
      fieldNames: (field) => {
        const [, part] = /^value(?:\.(.+))?$/.exec(field) ?? [null, 'form']
        return part ?? name
      },
      back: page.url.pathname + page.url.search,
    },
  })
  return withPageData(answer, { asks: false })
}

/** Page of site-wide settings, with links to each facility's setup. */
export default function Setup({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, facilities, site, query, canSetLimits, canManageKeys, search, chosenCodes, count, matchCount, next } =
    loaderData
  const fields = actionData?.fields ?? {}
  return (
    <OfficePageFrame title="Setup" brand={brand} failed={Object.keys(fields).length > 0}>
      <ErrorSummary errors={fields} />
      <nav className="office-switch" aria-label="Settings of the whole business">
        {site && <Link to="/office/setup/brand">Brand</Link>}
        {canSetLimits && <Link to="/office/setup/limits">Approval limits</Link>}
        {canManageKeys && <Link to="/office/setup/keys">Keys</Link>}
        <Link to={`/office/setup/terms${query}`}>Terms</Link>
      </nav>
      <Section title="Facilities" count={matchCount}>
        {count > PAGE_SIZE && <ListFilter label="Name or code" search={search} at={chosenCodes} />}
        <OfficeTable
          caption="Facilities by name"
          rows={facilities}
          rowKey={(row) => row.code}
          open={(row) => `/office/setup/${row.code}${query}`}
          empty={search ? 'No facility is called that.' : 'No facility.'}
          columns={[
            { label: 'Facility', cell: (row) => row.name },
            { label: 'Code', cell: (row) => row.code },
          ]}
        />
        <MoreRows next={next} />
      </Section>
      {site && <WholeSite site={site} answer={actionData} />}
    </OfficePageFrame>
  )
}

type Site = NonNullable<Route.ComponentProps['loaderData']['site']>

function WholeSite({ site, answer }: { site: Site; answer: Route.ComponentProps['actionData'] }) {
  const fieldValue = (name: string, currentValue: string) =>
    answer?.values.name === name ? answer.values.value : currentValue
  const closed = site.maintenance === 'true'
  return (
    <div className="office-halves">
      <SitePages site={site} answer={answer} />
      <Section title="Banner">
        <Form method="post" className="office-form">
          <HiddenFields name="app_banner" before={site.banner} />
          <TextArea
            name="value"
            id="app_banner"
            label="On every page of the site"
            hint="Text or simple HTML; empty for none."
            optional
            rows={3}
            maxLength={2000}
            defaultValue={fieldValue('app_banner', site.banner)}
            error={answer?.fields.app_banner}
          />
          <ButtonRow>
            <Button kind="secondary">Save the banner</Button>
          </ButtonRow>
        </Form>
      </Section>
      <Maintenance closed={closed} before={site.maintenance} needsConfirmation={answer?.asks === true} />
      <NumberSetting
        title="Rent increases"
        label="Cap at once, percent"
        saveLabel="Save the cap"
        name="rent_rules"
        before={site.rentRules}
        currentValue={site.capPercent}
        answer={answer}
      />
      <NumberSetting
        title="Refunds of bank debits"
        label="Days after posting"
        hint="Until then the bank may still send the debit back."
        saveLabel="Save the days"
        name="bank_refund_days"
        before={site.bankRefundDays}
        currentValue={site.bankRefundDays}
        answer={answer}
      />
      <RetentionForm site={site} answer={answer} />
    </div>
  )
}

/** Maintenance switch. Closing the site needs a confirmation, also without scripts, because it stops every visitor. */
function Maintenance({
  closed,
  before,
  needsConfirmation,
}: {
  closed: boolean
  before: string
  needsConfirmation: boolean
}) {
  return (
    <Section title="Maintenance">
      <Form method="post" className="office-form">
        <HiddenFields name="maintenance" before={before} />
        <input type="hidden" name="value" value={closed ? 'false' : 'true'} />
        {needsConfirmation && !closed ? (
          <>
            <input type="hidden" name="sure" value="yes" />
            <p className="office-asks" role="alert">
              Close the public site? Every visitor reads the maintenance notice until a staff member opens the site
              again. No visitor can find a unit, reserve, rent, pay or sign in, and kiosks and partners are refused.
              Payments in progress finish, and the office works.
            </p>
            <ButtonRow>
              <Button kind="danger">Close the site now</Button>
              <Link to="." className="btn btn-secondary">
                Keep it open
              </Link>
            </ButtonRow>
          </>
        ) : (
          <>
            <p>
              {closed ? <Tag tone="bad">The site is closed</Tag> : <Tag tone="good">The site is open</Tag>}{' '}
              {closed ? 'Visitors read the maintenance notice.' : ''}
            </p>
            <p className="small soft">
              While it is closed, payments that are under way finish, and the office works. It counts within a second.
            </p>
            <ButtonRow>
              <Button kind={closed ? 'secondary' : 'danger'}>{closed ? 'Open the site' : 'Close the site'}</Button>
            </ButtonRow>
          </>
        )}
      </Form>
    </Section>
  )
}

/** Setup form for one number that applies to the whole site. */
const NumberSetting = ({
  title,
  name,
  before,
  currentValue,
  answer,
  saveLabel,
  ...field
}: {
  title: string
  name: string
  before: string
  currentValue: string
  answer: Route.ComponentProps['actionData']
  saveLabel: string
  label: string
  hint?: string
}) => (
  <Section title={title}>
    <Form method="post" className="office-form">
      <HiddenFields name={name} before={before} />
      <TextField
        name="value"
        id={name}
        {...field}
        inputMode="numeric"
        width={5}
        defaultValue={answer?.values.name === name ? answer.values.value : currentValue}
        error={answer?.fields[name]}
      />
      <ButtonRow>
        <Button kind="secondary">{saveLabel}</Button>
      </ButtonRow>
    </Form>
  </Section>
)

const termFields = [
  ['leaseYears', 'Years after a lease has closed', 'Its agreement, signature and authorizations.'],
  ['disputeDays', 'Days after the last payment', 'Until then it may be disputed or sent back.'],
  ['exportsPerDay', 'Exports by one person in 24 hours', 'Of everything that is held of a tenant.'],
] as const

/** Form for the retention terms and the daily limit of tenant exports. The privacy page states the lease years. */
function RetentionForm({ site, answer }: { site: Site; answer: Route.ComponentProps['actionData'] }) {
  return (
    <Section title="How long data is kept">
      <Form method="post" className="office-form">
        <HiddenFields name="privacy" before={site.privacy} />
        {termFields.map(([name, label, hint]) => (
          <TextField
            key={name}
            name={name}
            label={label}
            hint={hint}
            inputMode="numeric"
            width={5}
            defaultValue={answer?.values.name === 'privacy' ? answer.values[name] : String(site.terms[name])}
            error={answer?.fields[name]}
          />
        ))}
        <ButtonRow>
          <Button kind="secondary">Save the terms</Button>
        </ButtonRow>
      </Form>
    </Section>
  )
}

/** Forms for the operator's own pages. Pages without text are hidden from visitors, except Privacy and Contact. */
function SitePages({ site, answer }: { site: Site; answer: Route.ComponentProps['actionData'] }) {
  return (
    <Section title="Pages">
      {site.pages.map(({ name, html, shown }) => {
        const setting = sitePageSetting(name)
        const error = answer?.fields[setting]
        return (
          <details key={name} className="print:hidden" open={answer?.values.name === setting}>
            <summary className="py-2">
              {sitePages[name]} {html === '' && <Tag>Not written</Tag>}
            </summary>
            <Form method="post" className="office-form">
              <HiddenFields name={setting} before={html} />
              <TextArea
                name="value"
                id={setting}
                label={sitePages[name]}
                hint="Simple HTML: headings h2, paragraphs, lists, links."
                optional
                rows={12}
                maxLength={SITE_PAGE_MAX_LENGTH}
                defaultValue={answer?.values.name === setting ? answer.values.value : html}
                error={error}
              />
              <ButtonRow>
                <Button kind="secondary">Save the page</Button>
                {shown && <a href={`/${name}`}>See it</a>}
              </ButtonRow>
            </Form>
          </details>
        )
      })}
    </Section>
  )
}

const HiddenFields = ({ name, before }: { name: string; before: string }) => (
  <>
    <input type="hidden" name="name" value={name} />
    <input type="hidden" name="before" value={before} />
  </>
)
