import { Form, Link } from 'react-router'
import { toWire } from '../../domain/money.ts'
import { formatLong, formatUs } from '../../domain/plain-date.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { isKeyOf } from '../../domain/typed-keys.ts'
import { CloseDrawer } from '../../modules/cash-drawers/operations/close-drawer.ts'
import { MatchDeposit } from '../../modules/cash-drawers/operations/match-deposit.ts'
import { differenceReasons } from '../../modules/cash-drawers/rules/counter-receipt-methods-and-states.ts'
import { COUNT_DIFFERS, differenceOf, differs } from '../../modules/cash-drawers/rules/drawer-difference.ts'
import { notYourDrawer } from '../../modules/cash-drawers/texts/counter.ts'
import { loadDrawerPage, loadExpectedCount } from '../../modules/cash-drawers/views/drawer-page.ts'
import { revalidateOnConflict } from '../request/submit-or-report-offline.ts'
import { ButtonRow, PrintButton, SubmitButton } from '../ui/buttons.tsx'
import { DataList } from '../ui/data-tables.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { DateField, TextField } from '../ui/fields/text.tsx'
import { formatCents } from '../ui/money.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import type { Route } from './+types/day-close'
import { AmountField } from './amount-field.tsx'
import { CountForm, CountTable, countFields } from './count-drawer-form.tsx'
import { openDrawerPage } from './load-drawer-page.ts'
import { officeAction, type SentForm, withPageData } from './office-action.ts'
import { OfficePageFrame, Section } from './office-page-heading-and-sections.tsx'
import { OfficeTable } from './office-table.tsx'
import { formatOfficeTime } from './office-time.ts'
import { parseDollars } from './parse-dollars.ts'
import { receiptRow } from './receipt-row.ts'
import { ReceiptStateTag } from './receipt-state.tsx'

export async function loader(args: Route.LoaderArgs) {
  const { page, drawer, ...opened } = await openDrawerPage(args, args.params.batch)
  const { services } = page.site
  const { receipts, count, mayCount, mayReceive, matchBar } = await loadDrawerPage(services.db.read, page.staff, drawer)
  return {
    brand: page.site.brand.name,
    formKey: services.random.uuid(),
    id: drawer.batch_id,
    location: drawer.location_code,
    state: drawer.state,
    place: opened.place,
    float: drawer.float_cents,
    opened: `${formatOfficeTime(drawer.opened_at, opened.timeZone)} by ${opened.openedBy}`,
    closed:
      drawer.closed_at === null ? '' : `${formatOfficeTime(drawer.closed_at, opened.timeZone)} by ${opened.closedBy}`,
    day: formatLong(drawer.closed_on ?? drawer.opened_on),
    count,
    why: isKeyOf(differenceReasons, drawer.difference_reason) ? differenceReasons[drawer.difference_reason] : '',
    note: drawer.close_note,
    bag: drawer.bag_number,
    deposit: drawer.deposit_cents,
    matched:
      drawer.state === 'matched'
        ? {
            on: formatUs(drawer.matched_on ?? ''),
            by: opened.matchedBy,
            cents: drawer.matched_cents ?? 0,
            note: drawer.match_note,
          }
        : null,
    mayCount,
    mayReceive,
    matchBar,
    today: formatUs(todayIn(opened.timeZone, services.clock.now())),
    receipts: receipts.map(receiptRow),
  }
}

export async function action(args: Route.ActionArgs) {
  const { page, drawer } = await openDrawerPage(args, args.params.batch)
  const { location_code, batch_id } = drawer
  const back = `/office/day-close/${batch_id}`
  const drawerInput = ({ typed }: SentForm) => ({ location_code, batch_id, note: typed.note ?? '' })
  const answer = await officeAction(page, args.request, {
    match: {
      operation: MatchDeposit,
      input: (form) => ({
        ...drawerInput(form),
        bank_cents: parseDollars(form.typed.bank_cents),
        bank_day: form.typed.bank_day ?? '',
      }),
      done: 'matched',
      back,
    },
    close: {
      operation: CloseDrawer,
      input: (form) => ({ ...drawerInput(form), ...countFields(form.values) }),
      done: 'counted',
      back,
    },
  })
  const seen = answer.data.code === COUNT_DIFFERS ? await loadExpectedCount(page.site.services.db.read, batch_id) : null
  return withPageData(answer, { seen })
}

export const shouldRevalidate = revalidateOnConflict

/** Page of a drawer: its receipts, count and deposit. */
export default function DayClose({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, id, place, location, state, opened, closed, float, day, mayReceive } = loaderData
  const failed = Object.keys(actionData?.fields ?? {}).length > 0
  return (
    <OfficePageFrame
      title={`Drawer ${id.slice(-4)}, ${location}`}
      brand={brand}
      failed={failed}
      lead={
        <>
          {place} · opened {withNoBreakSpaces(opened)} · float {formatCents(float)}
          {closed && <> · counted {withNoBreakSpaces(closed)}</>}
        </>
      }
      actions={
        <>
          {mayReceive && (
            <Link to={`/office/receipts/stack?drawer=${id}`} className="btn btn-secondary btn-short" data-key="p">
              Post a stack <span className="office-key">p</span>
            </Link>
          )}
          <PrintButton />
          <a href={`/office/day-close/${id}.csv`} className="btn btn-quiet btn-short">
            CSV
          </a>
        </>
      }
    >
      <ErrorSummary errors={actionData?.fields ?? {}} general={['', 'form', 'system', 'receipts', 'batch_id']} />
      <p className="hidden print:block">
        Deposit slip, {day} · drawer {id}
        {loaderData.bag && ` · bag ${loaderData.bag}`}
      </p>
      <Section title={state === 'open' ? 'Count' : 'Counted'}>
        {loaderData.mayCount ? (
          <CountForm key={actionData?.key} formKey={loaderData.formKey} answer={actionData} />
        ) : loaderData.count ? (
          <>
            <CountTable {...loaderData.count} />
            <CountOutcome {...loaderData} />
          </>
        ) : (
          <p className="soft">{notYourDrawer}</p>
        )}
      </Section>
      <BankMatch {...loaderData} answer={actionData} />
      <Section title="Receipts" count={loaderData.receipts.length}>
        <div className="office-blocks">
          <OfficeTable
            caption="Receipts of this drawer, each with its number"
            rows={loaderData.receipts}
            rowKey={(row) => row.id}
            open={(row) => `/office/receipts/${row.id}`}
            empty="Nothing has been received yet."
            columns={[
              { label: 'Receipt', cell: (row) => row.id },
              { label: 'What', cell: (row) => row.what },
              ...(state === 'open'
                ? []
                : [
                    {
                      label: 'Amount',
                      right: true,
                      cell: (row: Loaded['receipts'][number]) => formatCents(row.cents ?? 0),
                    },
                  ]),
              { label: 'Unit', cell: (row) => `${row.location} ${row.units}` },
              { label: 'Tenant', wide: true, cell: (row) => row.tenant },
              { label: 'Received', wide: true, cell: (row) => row.at },
              { label: 'By', wide: true, cell: (row) => row.by },
              { label: 'State', cell: (row) => <ReceiptStateTag state={row.state} /> },
            ]}
          />
        </div>
      </Section>
      <p className="mt-12 hidden w-72 border-t border-current print:block">Counted by</p>
    </OfficePageFrame>
  )
}

type Loaded = Route.ComponentProps['loaderData']

function CountOutcome({ count, why, note, bag, deposit }: Loaded) {
  const hasDifference = count !== null && differs(differenceOf(count.counted, count.system))
  return (
    <div className="max-w-text">
      <DataList
        facts={[
          { label: 'To deposit', value: <strong className="num">{formatCents(deposit ?? 0)}</strong> },
          ...(hasDifference ? [{ label: 'Why it differs', value: [why, note].filter(Boolean).join(': ') }] : []),
          ...(bag ? [{ label: 'Bag or slip', value: bag }] : []),
        ]}
      />
    </div>
  )
}

/** Panel in which a second staff member matches the deposit with the bank's amount. */
function BankMatch({
  matched,
  matchBar,
  deposit,
  today,
  formKey,
  answer,
}: Loaded & { answer: Route.ComponentProps['actionData'] }) {
  if (matched)
    return (
      <Section title="At the bank">
        <p>
          {formatCents(matched.cents)} on {matched.on}, matched by {matched.by}
          {matched.note && `: ${matched.note}`}
        </p>
      </Section>
    )
  if (matchBar === null) return null
  if (matchBar !== '')
    return (
      <Section title="At the bank">
        <p className="soft">{matchBar}</p>
      </Section>
    )
  const values = answer?.values.intent === 'match' ? answer.values : undefined
  return (
    <Section title="At the bank">
      <Form method="post" className="office-inline no-print">
        <input type="hidden" name="key" value={answer?.key ?? formKey} />
        <AmountField
          name="bank_cents"
          label="The bank has"
          defaultValue={values?.bank_cents ?? toWire(deposit ?? 0)}
          error={answer?.fields.bank_cents}
        />
        <DateField
          name="bank_day"
          label="On"
          hint={null}
          defaultValue={values?.bank_day ?? today}
          error={answer?.fields.bank_day}
        />
        <TextField
          name="note"
          label="Note"
          optional
          maxLength={300}
          defaultValue={values?.note}
          error={values ? answer?.fields.note : undefined}
        />
        <ButtonRow>
          <SubmitButton name="intent" value="match">
            Match
          </SubmitButton>
        </ButtonRow>
      </Form>
    </Section>
  )
}
