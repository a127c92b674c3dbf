import '../styles/form-pages.css'
import { formatUs } from '../../domain/plain-date.ts'
import { formatInstantIn, todayIn } from '../../domain/time-zone-dates.ts'
import { isParking, moveOutInstruction } from '../../modules/facilities/rules/room-or-parking-wording.ts'
import { loadFactsAt } from '../../modules/facilities/views/facility-of-tenant-pages.ts'
import { MOVE_OUT } from '../../modules/move-outs/rules/stated-move-out-fees-and-terms.ts'
import { loadNewestMoveOut } from '../../modules/move-outs/views/newest-move-out.ts'
import { redirectWithAlert } from '../request/context.ts'
import { ButtonRow, PrintButton } from '../ui/buttons.tsx'
import { Card } from '../ui/card-tag-and-callout.tsx'
import { DataList } from '../ui/data-tables.tsx'
import { formatCents } from '../ui/money.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import type { Route } from './+types/move-out-receipt'
import { CleaningAndTowingCharges } from './cleaning-and-towing-charges.tsx'
import { openPortalPage } from './open-portal-page.ts'
import { PortalFrame } from './portal-frame.tsx'
import { leaseQuery, readLeaseReference, selectLease } from './selected-lease.ts'

export async function loader(args: Route.LoaderArgs) {
  const page = await openPortalPage(args)
  const { services } = page.site
  const lease = await selectLease(page, readLeaseReference(args.request), { includeClosed: true })
  if (lease.scheduled_move_out === null) return redirectWithAlert(page.site, 'noLeaseFound', '/my-units')
  const key = { locationCode: lease.location_code, leaseNumber: lease.lease_number }
  const [moveOut, facts] = await Promise.all([
    loadNewestMoveOut(services.db.read, key),
    loadFactsAt(services, page.facts, key.locationCode),
  ])
  if (!facts) return redirectWithAlert(page.site, 'noLeaseFound', '/my-units')
  const { location } = facts
  const createdAt = moveOut?.created_at
  return {
    chrome: page.chrome,
    done: lease.status === 'Closed',
    back: lease.status === 'Closed' ? '/my-units' : `/unit-lease-details?${leaseQuery(lease)}`,
    unitNumber: lease.unit_number,
    leaseNumber: lease.lease_number,
    tenant: page.chrome.name,
    facility: `${location.name}, ${location.address}, ${location.city}, ${location.state} ${location.zip}`,
    on: formatUs(lease.closed_on ?? lease.scheduled_move_out),
    scheduledAt:
      createdAt === undefined
        ? ''
        : `${formatUs(todayIn(location.time_zone, createdAt))}, ${formatInstantIn(location.time_zone, createdAt)}`,
    paidThrough: formatUs(lease.paid_through),
    balance: lease.balance,
    autopayOff: lease.autopay === 0,
    terms: MOVE_OUT,
    leaving: moveOutInstruction(
      isParking(facts.unitTypes.find((unitType) => unitType.unit_type_id === lease.unit_type_id)?.category_name ?? ''),
    ),
  }
}

export default function MoveOutReceipt({ loaderData }: Route.ComponentProps) {
  const { chrome, done, back, terms, balance, ...facts } = loaderData
  const title = done ? 'Move-Out' : 'Move-Out Receipt'
  return (
    <PortalFrame
      chrome={chrome}
      title={title}
      lead={
        done
          ? `You have moved out of unit ${facts.unitNumber}.`
          : `Your move-out from unit ${facts.unitNumber} is scheduled. Print this page or save it for your papers.`
      }
      back={back}
    >
      <Card as="section" className="mt-6">
        <DataList
          facts={[
            { label: 'Tenant', value: facts.tenant },
            { label: 'Facility', value: facts.facility },
            { label: 'Unit No', value: facts.unitNumber },
            { label: 'Lease No', value: facts.leaseNumber },
            { label: 'Last day', value: facts.on },
            ...(facts.scheduledAt ? [{ label: 'Scheduled on', value: facts.scheduledAt }] : []),
            { label: 'Paid through', value: facts.paidThrough },
            { label: balance < 0 ? 'Credit' : 'Balance due', value: formatCents(Math.abs(balance)) },
            { label: 'Autopay', value: facts.autopayOff ? 'Off' : 'On' },
          ]}
        />
      </Card>
      <ButtonRow>
        <PrintButton />
      </ButtonRow>
      <section className="mt-8 max-w-text">
        <h2>What happens next</h2>
        <ul className="mt-3 grid gap-2 list-disc pl-5">
          <li>By the end of your last day: {facts.leaving.charAt(0).toLowerCase() + facts.leaving.slice(1)}</li>
          <li>The property manager verifies your move-out in {terms.verifiedIn}.</li>
          <CleaningAndTowingCharges terms={terms} />
          <li>
            Questions? Call <PhoneLink phone={chrome.facility.phone} />.
          </li>
        </ul>
      </section>
    </PortalFrame>
  )
}
