import { Link } from 'react-router'
import { gateCode, payForUnit, paymentHistory, unitDetails } from '../../modules/leases/texts/portal.ts'
import { LinkButton } from '../ui/buttons.tsx'
import { formatCents } from '../ui/money.tsx'
import { unbroken } from '../ui/no-break.ts'
import { Card } from '../ui/surfaces.tsx'
import { GateCode } from './gate-code.tsx'
import { TroubleNotice } from './unit-alert.tsx'
import type { UnitRow } from './unit-row.ts'
import { UnitTags } from './unit-tags.tsx'

/**
 * Card of a unit on My Units.
 * @param alone true for the only unit, whose card takes the whole width
 * @param together true when the form above pays for several units
 */
export function UnitCard({
  unit,
  phone,
  alone,
  together,
}: {
  unit: UnitRow
  phone: string
  alone: boolean
  together: boolean
}) {
  const owes = unit.balance > 0
  const { trouble } = unit
  return (
    <Card
      as="li"
      className={
        alone
          ? 'grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-5 lg:grid-cols-[repeat(2,minmax(0,1fr))] lg:[&>.whole]:col-span-2'
          : 'flex flex-col gap-4'
      }
    >
      <div className="whole flex flex-wrap items-start justify-between gap-2">
        <div>
          <h2 className="text-lead">Unit No {unit.unitNumber}</h2>
          <p className="small soft">Lease No {unit.leaseNumber}</p>
          <p className="small soft">{unit.what}</p>
        </div>
        <UnitTags {...unit} />
      </div>
      {trouble && (
        <TroubleNotice className="whole" trouble={trouble} phone={phone} inReview={unit.inReview} level={3} />
      )}
      <dl>
        <dt className="small soft">{gateCode}</dt>
        <dd>
          <GateCode code={unit.gateCode} now={unit.gate} unitNumber={unit.unitNumber} />
        </dd>
      </dl>
      <dl className="grid gap-1">
        <Line label={unit.balance < 0 ? 'Credit' : 'Due now'} strong={owes}>
          {formatCents(Math.abs(unit.balance))}
        </Line>
        <Line label="Paid through">{unit.paidThrough}</Line>
        {unit.moveOut && <Line label="Last day">{unit.moveOut}</Line>}
        {!owes && !unit.moveOut && <Next {...unit} />}
        {unit.onFile.map(({ label, text, link }) => (
          <Line key={label} label={label}>
            {text}
            {link && (
              <>
                {' '}
                <Link to={link.href} className="inline-block">
                  {link.label}
                  <span className="sr"> of unit {unit.unitNumber}</span>
                </Link>
              </>
            )}
          </Line>
        ))}
      </dl>
      <div className="whole mt-auto grid gap-3">
        <p className="small flex flex-wrap gap-x-5 [&_a]:inline-flex [&_a]:min-h-11 [&_a]:items-center">
          {unit.map && (
            <Link to={unit.map}>
              Way to the unit<span className="sr"> {unit.unitNumber}</span>
            </Link>
          )}
          {unit.agreement && (
            <a href={unit.agreement}>
              Signed lease (PDF)<span className="sr"> of unit {unit.unitNumber}</span>
            </a>
          )}
          <Link to="/recent-activity" aria-label={`Receipts, ${paymentHistory}`}>
            Receipts
          </Link>
        </p>
        <div className={`flex flex-wrap gap-3 ${alone ? 'max-sm:[&>a]:grow' : '[&>a]:grow'}`}>
          <LinkButton
            to={unit.href}
            kind={owes ? (trouble?.call || together ? 'secondary' : 'primary') : 'quiet'}
            label={`${payForUnit} ${unit.unitNumber}`}
          >
            {payForUnit}
          </LinkButton>
          <LinkButton
            to={unit.href}
            kind={owes ? 'quiet' : 'secondary'}
            label={`${unitDetails} of unit ${unit.unitNumber}`}
          >
            {unitDetails}
          </LinkButton>
        </div>
      </div>
    </Card>
  )
}

const Next = ({ autopay, autopayBy, next }: Pick<UnitRow, 'autopay' | 'autopayBy' | 'next'>) => (
  <Line label={autopay ? 'Autopay' : 'Next payment'}>
    <span className="num">{formatCents(next.cents)}</span> <span className="num">on {next.on}</span>{' '}
    <span className="inline-block">{autopay ? autopayBy && `with ${autopayBy}` : 'paid by you'}</span>
  </Line>
)

export function Line({ label, strong, children }: { label: string; strong?: boolean; children: React.ReactNode }) {
  return (
    // In narrow columns the value breaks between sum and date, and stays beside its label.
    <div className="flex justify-between gap-x-4">
      <dt className="soft">{label}</dt>
      <dd className={`flex-1 text-right ${strong ? 'font-bold' : ''}`}>{unbroken(children)}</dd>
    </div>
  )
}
