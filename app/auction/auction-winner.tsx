import '../styles/paying.css'
import { redirect } from 'react-router'
import { AUCTION } from '../../domain/business.ts'
import { labels } from '../../domain/labels.ts'
import { openAuction } from '../paying/link-lane.ts'
import { ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { formatCents } from '../ui/money.tsx'
import { PageFrame, pageTitle } from '../ui/page.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import { DataList } from '../ui/records.tsx'
import type { Route } from './+types/auction-winner'

export const meta = () => [
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
]

/** The rules that an auction winner accepts before paying (spec 2 §2 "Auction winner"). */
export async function loader(args: Route.LoaderArgs) {
  const { link, site, facility, phone } = await openAuction(args, args.params.uuid)
  if (link.state === 'paid') throw redirect('/auction-winner-payment-completed')
  return {
    brand: site.brand.name,
    uuid: link.uuid,
    name: link.name,
    unitNumber: link.unit_number,
    facility: link.facility_name,
    address: `${facility.address}, ${facility.city}, ${facility.state} ${facility.zip}`,
    balance: link.facility_balance,
    phone,
  }
}

const rules = [
  `You have ${AUCTION.cleanOutHours} hours from your payment to clean out the unit, completely.`,
  `A cleaning fee of $${(AUCTION.cleaningFee / 100).toFixed(2)} is charged if the unit is not left empty and clean.`,
  'No deposit is taken.',
  `You have access from ${AUCTION.accessFrom} to ${AUCTION.accessTo}, every day.`,
]

export default function AuctionWinner({ loaderData }: Route.ComponentProps) {
  const { brand, uuid, name, unitNumber, facility, address, balance, phone } = loaderData
  const title = `${name}, you won unit ${unitNumber}`
  return (
    <PageFrame>
      <title>{pageTitle(title, brand)}</title>
      <div className="max-w-text">
        <h1>{title}</h1>
        <p className="lead mt-2">
          Please read the rules. You then pay by card and get the codes to the gate and the unit.
        </p>
        <div className="mt-6">
          <DataList
            facts={[
              { label: 'Unit', value: unitNumber },
              { label: 'Facility', value: facility },
              { label: 'Address', value: address },
              { label: 'Facility balance', value: <span className="num">{formatCents(balance)}</span> },
            ]}
          />
        </div>
        <h2 className="mt-10">The rules</h2>
        <ul className="mt-3 max-w-text list-disc space-y-2 pl-5">
          {rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
        <ButtonRow>
          <LinkButton to={`/auction-winner-payment-method/${uuid}`}>{labels.iUnderstand}</LinkButton>
        </ButtonRow>
        <p className="mt-6 soft">
          Questions? Call <PhoneLink phone={phone} />.
        </p>
      </div>
    </PageFrame>
  )
}
