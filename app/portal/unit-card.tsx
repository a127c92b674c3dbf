import '../styles/tenant-home.css'
import { gateCode, payForUnit } from '../../modules/leases/texts/portal.ts'
import { LinkButton } from '../ui/buttons.tsx'
import { Card } from '../ui/card-tag-and-callout.tsx'
import { formatCents } from '../ui/money.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { GateCode } from './gate-code-with-copy-button.tsx'
import { CallButton, UnitAlertText } from './unit-alert.tsx'
import { UnitDoorPicture } from './unit-door-picture.tsx'
import type { UnitCardData, UnitRow } from './unit-row.ts'
import { UnitTags } from './unit-tags.tsx'

interface AmountDueProps {
  unit: UnitRow
  phone: string
  /** True when a form above the cards pays what is due for several units. */
  together: boolean
}

/**
 * Card of a unit on My Units: its door, amount due and gate code. With a balance due, the pay button is before the code.
 * @param children rows inside the card, where several units are shown
 */
export function UnitCard({
  card: { unit, door },
  phone,
  together,
  children,
}: Omit<AmountDueProps, 'unit'> & { card: UnitCardData; children?: React.ReactNode }) {
  const owes = unit.balance > 0
  const dueSection = <AmountDue unit={unit} phone={phone} together={together} />
  return (
    <Card as="section" flush className="home">
      <UnitDoorPicture door={door} />
      {owes && dueSection}
      <div className="home-head">
        <h2 className="text-base">Unit No {unit.unitNumber}</h2>
        <p className="small soft">Lease No {unit.leaseNumber}</p>
        <p className="small soft">{withNoBreakSpaces(unit.size)}</p>
        {(unit.inReview || unit.moveOut) && <UnitTags {...unit} autopay={false} />}
      </div>
      <dl className="home-code">
        <dt className="small soft">{gateCode}</dt>
        <dd>
          <GateCode code={unit.gateCode} access={unit.gate} unitNumber={unit.unitNumber} />
        </dd>
      </dl>
      {unit.alert && (
        <div className="home-wrong">
          <UnitAlertText alert={unit.alert} inReview={unit.inReview} level={3} />
        </div>
      )}
      {!owes && dueSection}
      {children}
    </Card>
  )
}

/** Amount due now or next, with its pay button. */
function AmountDue({ unit, phone, together }: AmountDueProps) {
  const { balance, next, moveOut, alert, paidThrough, unitNumber } = unit
  const owes = balance > 0
  const nextPaymentText = owes || moveOut ? '' : ` Next payment, ${next.on}`
  const balanceText = balance < 0 ? `Credit ${formatCents(-balance)}.` : `Due now ${formatCents(0)}.`
  return (
    <div className="home-due">
      <p className="small">
        {owes ? 'Due now' : balanceText + nextPaymentText}
        {owes ? (
          <strong className="is-due num">{formatCents(balance)}</strong>
        ) : (
          nextPaymentText && <strong className="num">{formatCents(next.cents)}</strong>
        )}
        {(owes || moveOut) && (
          <span className="soft block">{moveOut ? `Last day ${moveOut}` : `Paid through ${paidThrough}`}</span>
        )}
      </p>
      <div className="flex flex-wrap gap-3">
        {alert?.call && <CallButton phone={phone} />}
        <LinkButton
          to={unit.href}
          kind={owes && !alert?.call && !together ? 'primary' : 'secondary'}
          label={`${payForUnit} ${unitNumber}`}
        >
          {payForUnit}
        </LinkButton>
      </div>
    </div>
  )
}
