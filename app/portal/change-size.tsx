import { errorsOf } from '../request/refusal-messages-by-field.ts'
import '../styles/form-pages.css'
import { data, Form, Link, redirect, useNavigation } from 'react-router'
import { formatUs } from '../../domain/plain-date.ts'
import { sizeLabel } from '../../modules/facilities/rules/size-label.ts'
import { PERIOD_DAYS } from '../../modules/pricing/rules/fixed-billing-period-length.ts'
import type { WrittenEntries } from '../../modules/standing/rules/ledger-operation-result-types.ts'
import { CancelTransfer } from '../../modules/transfers/operations/cancel-transfer.ts'
import { getTransferSigningLink } from '../../modules/transfers/operations/get-transfer-signing-link.ts'
import type { TransferQuote } from '../../modules/transfers/operations/quote-transfer.ts'
import { QuoteTransfer } from '../../modules/transfers/operations/quote-transfer.ts'
import { TransferUnit } from '../../modules/transfers/operations/start-transfer-by-tenant-or-staff.ts'
import {
  changeSize,
  formatRentDifference,
  nothingChanged,
  transferDays,
} from '../../modules/transfers/texts/transfer.ts'
import { loadTransferSigningDraft } from '../../modules/transfers/views/transfer-draft-and-first-step.ts'
import type { Services } from '../../platform/operations/services.ts'
import { formatHoldEnd } from '../format-hold-end.ts'
import { stepAddress } from '../open-journey-step.ts'
import { readForm } from '../request/read-form-fields.ts'
import { revalidateOnConflict } from '../request/submit-or-report-offline.ts'
import { Button, ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { Callout, Card } from '../ui/card-tag-and-callout.tsx'
import { RadioCards } from '../ui/fields/choice.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { DateField } from '../ui/fields/text.tsx'
import { UnitTransferDateFields } from '../ui/fields/unit-transfer-day-and-overlap-fields.tsx'
import { formatCents } from '../ui/money.tsx'
import { PriceSummary } from '../ui/price-summary.tsx'
import type { Route } from './+types/change-size'
import { type OpenPortalPage, openPortalPage, tenantKey } from './open-portal-page.ts'
import { PortalFrame } from './portal-frame.tsx'
import { type Lease, leaseQuery, readLeaseReference, selectLease } from './selected-lease.ts'
import { CallButton } from './unit-alert.tsx'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

const DEFAULT_OVERLAP = '2'

const keyOf = ({ location_code, tenant_id, lease_number }: Lease) => ({ location_code, tenant_id, lease_number })

async function loadQuote({ site }: OpenPortalPage, lease: Lease, values: object) {
  const quote = await site.call(QuoteTransfer, { ...keyOf(lease), ...values })
  if (quote.ok) return { quote: quote.value, errors: {} }
  // The size, date or overlap in the address was refused: the form shows the reason, and no preview follows.
  const defaultQuote = await site.call(QuoteTransfer, keyOf(lease))
  if (!defaultQuote.ok) throw redirect('/my-units')
  return { quote: defaultQuote.value, errors: errorsOf(quote) }
}

export async function loader(args: Route.LoaderArgs) {
  const page = await openPortalPage(args)
  const lease = await selectLease(page, readLeaseReference(args.request))
  const searchParams = new URL(args.request.url).searchParams
  const values = {
    unit_type_id: searchParams.get('unit_type_id') ?? '',
    transfer_date: searchParams.get('transfer_date') ?? '',
    overlap_days: searchParams.get('overlap_days') ?? DEFAULT_OVERLAP,
  }
  const { quote, errors } = await loadQuote(page, lease, values)
  const { services } = page.site
  return {
    chrome: page.chrome,
    formKey: services.random.uuid(),
    values: { ...values, transfer_date: values.transfer_date || formatUs(quote.days.earliest) },
    errors,
    unitNumber: lease.unit_number,
    leaseReference: {
      lease: String(lease.lease_number),
      at: tenantKey({ locationCode: lease.location_code, tenantId: lease.tenant_id }),
    },
    back: `/unit-lease-details?${leaseQuery(lease)}`,
    ...(await toPageData(services, quote)),
  }
}

async function toPageData(
  services: Services,
  { blocked, block, open: openTransfer, sizes, days, balance, rent, preview }: TransferQuote,
) {
  const offer = await getTransferSigningLink(services, openTransfer)
  return {
    blocked,
    block,
    days,
    balance,
    rent,
    preview,
    sizes: sizes.map(({ type, rent: sizeRent, difference, units }) => ({
      id: String(type.unit_type_id),
      size: sizeLabel(type),
      category: type.category_name,
      rent: sizeRent,
      difference,
      floors: [...new Set(units.map(({ floor }) => floor))].sort((a, b) => a - b),
    })),
    open: offer && {
      id: offer.transferId,
      unit: offer.unitNumber,
      heldUntil: offer.hold ? formatHoldEnd(offer.hold.timeZone, offer.hold.until, services.clock.now()) : '',
      path: offer.path,
    },
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openPortalPage(args)
  const { intent, key, lease: leaseNumber, at, ...form } = await readForm(args.request)
  const lease = await selectLease(page, { lease: leaseNumber ?? null, at: at ?? null })
  const input = { ...form, ...keyOf(lease) }
  const { site } = page
  const refusalResponse = (outcome: { message: string; status: number; fields?: Record<string, string> }) =>
    data({ fields: errorsOf(outcome), key: site.services.random.uuid() }, { status: outcome.status })
  if (intent === 'cancel') {
    const cancellation = await site.call(CancelTransfer, input, key)
    return cancellation.ok ? redirect(`/unit-lease-details?${leaseQuery(lease)}`) : refusalResponse(cancellation)
  }
  const outcome = await site.call(TransferUnit, input, key)
  if (!outcome.ok) return refusalResponse(outcome)
  const { tenant } = await site.callers()
  const signedIn = Boolean(tenant)
  const signing = await loadTransferSigningDraft(site.services, site.session.ids.draftId ?? '', { signedIn })
  return redirect(signing ? stepAddress(signing.path, signing.draft) : '/vehicle')
}

export const shouldRevalidate = revalidateOnConflict

type Data = Route.ComponentProps['loaderData']

/** Page that starts a transfer to another unit of the facility; agreement and payment follow as in any rental. */
export default function ChangeSize({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, unitNumber, back, blocked: blockedReason, open: openTransfer, sizes, preview } = loaderData
  // After a refusal, the refused submission's idempotency key would return the same refusal again.
  const formKey = actionData && 'key' in actionData ? actionData.key : loaderData.formKey
  const fields = { ...loaderData.errors, ...actionData?.fields }
  return (
    <PortalFrame
      chrome={chrome}
      title={changeSize}
      lead={`For unit ${unitNumber}, at ${chrome.facility.name}.`}
      back={back}
      backLabel={`Unit ${unitNumber}`}
      wrong={Object.keys(fields).length > 0}
    >
      <ErrorSummary errors={fields} general={['', 'form', 'unit_id', 'balance', 'reason']} />
      {openTransfer ? (
        <OpenTransferCard {...loaderData} open={openTransfer} formKey={formKey} />
      ) : blockedReason ? (
        <Blocked {...loaderData} />
      ) : sizes.length === 0 ? (
        <Callout className="mt-5">
          <p>No other unit is free here now.</p>
        </Callout>
      ) : (
        <>
          <Choose {...loaderData} fields={fields} />
          {preview && <Confirm {...loaderData} preview={preview} formKey={formKey} />}
        </>
      )}
    </PortalFrame>
  )
}

const LeaseFields = ({ leaseReference }: Pick<Data, 'leaseReference'>) => (
  <>
    <input type="hidden" name="lease" value={leaseReference.lease} />
    <input type="hidden" name="at" value={leaseReference.at} />
  </>
)

/** Blocks for which the page shows a button to call the facility; the tenant clears the others online or waits. */
const blocksNeedingACall = new Set<Data['block']>(['auction', 'lien', 'sold', 'closed', 'do_not_rent'])

/** Says why the transfer is blocked, with a link to the unit and, for some blocks, a button to call the facility. */
function Blocked({ blocked: blockedReason, block, back, chrome }: Data) {
  const { phone } = chrome.facility
  return (
    <Callout className="mt-5" tone="warn" title="Not right now">
      <p>{blockedReason}</p>
      <p>{nothingChanged}</p>
      <p className="mt-3 flex flex-wrap gap-3">
        {blocksNeedingACall.has(block) && <CallButton phone={phone} />}
        <LinkButton to={back} kind="secondary">
          {block === 'owing' ? 'Pay for this unit' : 'To the unit'}
        </LinkButton>
      </p>
    </Callout>
  )
}

const OpenTransferCard = ({
  open: openTransfer,
  blocked: blockedReason,
  leaseReference,
  formKey,
}: Data & { open: NonNullable<Data['open']> }) => (
  <Card as="section" className="mt-6">
    <h2 className="text-lead">Unit {openTransfer.unit} is held for you</h2>
    <p className="mt-1">
      {blockedReason} {openTransfer.heldUntil && `It is held until ${openTransfer.heldUntil}.`}
    </p>
    <Form method="post">
      <LeaseFields leaseReference={leaseReference} />
      <input type="hidden" name="key" value={formKey} />
      <input type="hidden" name="transfer_id" value={openTransfer.id} />
      <ButtonRow>
        {openTransfer.path && <LinkButton href={openTransfer.path}>Sign and pay</LinkButton>}
        <Button kind="secondary" name="intent" value="cancel">
          Cancel
        </Button>
      </ButtonRow>
    </Form>
  </Card>
)

const floorsOf = (floors: number[]): string => `Floor${floors.length > 1 ? 's' : ''} ${floors.join(', ')}`

function Choose({ sizes, days, values, leaseReference, fields, preview }: Data & { fields: Record<string, string> }) {
  const busy = useNavigation().state !== 'idle'
  return (
    <Form method="get" className="mt-6" preventScrollReset>
      <LeaseFields leaseReference={leaseReference} />
      <RadioCards
        name="unit_type_id"
        legend="Which size?"
        error={fields.unit_type_id}
        defaultValue={values.unit_type_id}
        options={sizes.map(({ id, size, category, rent, difference, floors }) => ({
          value: id,
          label: size,
          detail: (
            <>
              {category}. <span className="inline-block">{floorsOf(floors)}.</span>
            </>
          ),
          side: (
            <>
              {formatCents(rent)}
              <span className="block soft small">{formatRentDifference(difference, formatCents)}</span>
            </>
          ),
        }))}
      />
      <p className="hint mt-2">Rent for {PERIOD_DAYS} days, before taxes, beside the difference from your rent now.</p>
      <div className="mt-4 grid gap-x-4 sm:grid-cols-2">
        <UnitTransferDateFields
          begins={
            <DateField
              name="transfer_date"
              label="Move in on"
              hint={`mm/dd/yyyy, from ${formatUs(days.earliest)} to ${formatUs(days.latest)}. Sign and pay by then.`}
              autoComplete="off"
              defaultValue={values.transfer_date}
              error={fields.transfer_date}
            />
          }
          overlapHint="To carry your things over."
          values={values}
          fields={fields}
        />
      </div>
      <ButtonRow>
        <Button kind={preview ? 'secondary' : 'primary'} busy={busy} busyLabel="One moment…">
          Show what changes
        </Button>
      </ButtonRow>
    </Form>
  )
}

function Confirm(props: Data & { preview: NonNullable<Data['preview']> }) {
  const { preview, values, balance, leaseReference, formKey, unitNumber, sizes } = props
  const { leases, dueAtSigning, thenPerPeriod, assumptions, startsOn, endsOn, moved } = preview
  const [old, next] = leases
  const size = sizes.find(({ id }) => id === values.unit_type_id)?.size ?? ''
  const charges = next.entries.filter(({ kind }) => kind !== 'payment' && kind !== 'credit')
  return (
    <section className="mt-8" aria-labelledby="changes">
      <h2 id="changes">What changes</h2>
      <p className="mt-2">{transferDays(startsOn, endsOn)}</p>
      <Card className="mt-4">
        <PriceSummary
          title={`Your new unit, ${size}`}
          lines={charges.map(({ description, cents }) => ({ label: description, cents }))}
          totalLabel="Due when you sign"
          totalCents={dueAtSigning}
          perMonth={{ cents: thenPerPeriod, note: `billed every ${PERIOD_DAYS} days` }}
        >
          {assumptions.length > 0 && (
            <p className="soft small">Priced {assumptions.join(', ')}: you choose while signing.</p>
          )}
        </PriceSummary>
      </Card>
      <Card className="mt-4">
        <h3 className="text-lead">When unit {unitNumber} ends</h3>
        {moved > 0 ? (
          <>
            <p className="mt-1">
              {formatCents(moved)} of what you have paid goes beyond {formatUs(endsOn)}. It moves to the new unit and is
              taken off its next bill.
            </p>
            <Entries caption={`Unit ${unitNumber}`} entries={old.entries} />
            <Entries caption="New unit" entries={next.entries.filter(({ kind }) => kind === 'credit')} />
          </>
        ) : (
          <p className="mt-1">Nothing is paid for days after that, so nothing goes over.</p>
        )}
        <p className="mt-2 soft small">
          A period that begins before unit {unitNumber} ends is charged as always; its days left go over too. Autopay is
          asked for again when you sign. Your gate code stays the same.
        </p>
      </Card>
      <Form method="post">
        <LeaseFields leaseReference={leaseReference} />
        <input type="hidden" name="key" value={formKey} />
        {Object.entries(values).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="balance" value={balance} />
        <input type="hidden" name="due_at_signing" value={dueAtSigning} />
        <input type="hidden" name="then_per_period" value={thenPerPeriod} />
        <ButtonRow>
          <Button name="intent" value="change">
            Hold a unit and sign
          </Button>
          <Link to={props.back}>Keep unit {unitNumber}</Link>
        </ButtonRow>
      </Form>
    </section>
  )
}

const Entries = ({ caption, entries }: { caption: string; entries: WrittenEntries['entries'] }) => (
  <table className="sum mt-3">
    <caption className="small soft text-left">{caption}</caption>
    <tbody>
      {entries.map(({ description, cents }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries of two periods may have equal text
        <tr key={index}>
          <th scope="row">{description}</th>
          <td className={`num${cents < 0 ? ' less' : ''}`}>{formatCents(cents)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
