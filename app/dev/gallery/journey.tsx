import { lazy, Suspense, useState } from 'react'
import { Button, ButtonRow, LinkButton } from '../../ui/buttons.tsx'
import { Countdown } from '../../ui/dialog.tsx'
import { RadioCards } from '../../ui/fields/choice.tsx'
import { Aside, BackLink, StepBar } from '../../ui/journey.tsx'
import { Money } from '../../ui/money.tsx'
import { Breadcrumbs } from '../../ui/page.tsx'
import { PriceSummary } from '../../ui/prices.tsx'
import { Skeleton } from '../../ui/records.tsx'
import { Card, Pills, Tag } from '../../ui/surfaces.tsx'
import { UnitDrawing } from '../../ui/unit-drawing/draw.tsx'
import { whatFits } from '../../ui/unit-drawing/pack.ts'
import { Part } from './part.tsx'

const Calendar = lazy(() => import('../../ui/calendar.tsx'))
const SignaturePad = lazy(() => import('../../ui/signature-pad.tsx'))

const sizes = [
  {
    length: 5,
    breadth: 5,
    label: 'Small',
    street: 7900,
    web: 6400,
    due: 2420,
    monthly: 8120,
    discount: 'First Month Free',
  },
  { length: 5, breadth: 10, label: 'Small', street: 9900, web: 8200, due: 10150, monthly: 10150, discount: null },
  {
    length: 10,
    breadth: 10,
    label: 'Medium',
    street: 16500,
    web: 13900,
    due: 3175,
    monthly: 16240,
    discount: 'First Month Free',
  },
  { length: 10, breadth: 15, label: 'Medium', street: 19900, web: 17900, due: 20560, monthly: 20560, discount: null },
  {
    length: 10,
    breadth: 20,
    label: 'Large',
    street: 24800,
    web: 21900,
    due: 4010,
    monthly: 25180,
    discount: '50% off',
  },
  {
    length: 10,
    breadth: 30,
    label: 'Extra large',
    street: 32900,
    web: 29900,
    due: 33010,
    monthly: 33010,
    discount: null,
  },
]

const spaces = [
  { length: 10, breadth: 18 },
  { length: 10, breadth: 25 },
  { length: 12, breadth: 35 },
]

const lines = [
  { label: 'Rent, Nov 20 to Dec 19', cents: 13900, explain: 'The web rate for 30 days. The street rate is $165.00.' },
  { label: 'First Month Free', cents: -13900, explain: 'Takes the whole first rent off while autopay stays on.' },
  { label: 'Insurance $3,000', cents: 1200, explain: 'Covers up to $3,000 of what you store.' },
  { label: 'Admin fee', cents: 1800, explain: 'Charged once, at move-in.' },
  { label: 'Tax', cents: 175 },
]

export function UnitTypes() {
  return (
    <Part title="Unit types">
      <Breadcrumbs
        links={[
          { label: 'Georgia', href: '#ga' },
          { label: 'Atlanta', href: '#atl' },
        ]}
      />
      <Pills
        label="Sizes"
        links={[
          { label: 'All sizes', href: '?', current: true },
          { label: 'Small', href: '?size=small' },
          { label: 'Medium', href: '?size=medium' },
          { label: 'Large', href: '?size=large' },
          { label: 'Parking', href: '?size=parking' },
        ]}
      />
      <Card flush className="rows mt-4">
        {sizes.map((size) => (
          <article key={`${size.length}x${size.breadth}`} className="unit-row">
            <UnitDrawing length={size.length} breadth={size.breadth} label="" />
            <div>
              <h3>
                {size.length} × {size.breadth}
              </h3>
              <p className="soft small">
                {size.label} · indoor, climate · fits {whatFits(size.length, size.breadth)}
              </p>
              <p className="tags mt-2">
                {size.discount && <Tag tone="good">{size.discount}</Tag>}
                <Tag>3 left</Tag>
              </p>
            </div>
            <div className="unit-row-price">
              <div>
                <p>
                  <span className="was">
                    <span className="sr">Street rate </span>
                    <Money cents={size.street} short />
                  </span>{' '}
                  <span className="price">
                    <Money cents={size.web} short />
                    <small>/mo</small>
                  </span>
                </p>
                <p className="small mt-1">
                  <Money cents={size.due} /> due today
                </p>
                <p className="soft small">
                  then <Money cents={size.monthly} /> per month
                </p>
              </div>
              <LinkButton href="#rent" label={`Rent now, ${size.length} × ${size.breadth}`}>
                Rent now
              </LinkButton>
            </div>
          </article>
        ))}
      </Card>
    </Part>
  )
}

export function SizeGuide() {
  return (
    <Part title="Size guide">
      <div className="cards">
        {sizes.map((size) => (
          <UnitDrawing
            key={`${size.length}x${size.breadth}`}
            length={size.length}
            breadth={size.breadth}
            size="large"
          />
        ))}
        {spaces.map((size) => (
          <UnitDrawing
            key={`p${size.length}x${size.breadth}`}
            length={size.length}
            breadth={size.breadth}
            parking
            size="large"
          />
        ))}
      </div>
    </Part>
  )
}

export function MoveInStep() {
  const summary = (
    <PriceSummary
      title="10 × 10, unit 214"
      subtitle="Ponce City · moving in today"
      lines={lines}
      totalCents={3175}
      perMonth={{ cents: 16240, note: 'from Dec 20, billed every 30 days, fees and taxes in.' }}
      hold={<Countdown until={1_380_000} now={0} untilText="9:40 PM" />}
    />
  )
  return (
    <Part title="A step of the move-in">
      <BackLink to="/vehicle" />
      <StepBar step={2} />
      <Aside label="10 × 10 at Ponce City" total={<Money cents={3175} />} summary={summary}>
        <h2>Cover what you store</h2>
        <p className="lead mt-2">Everything in the unit must be insured. Take a plan, or use your own policy.</p>
        <RadioCards
          name="scheme"
          legend="Insurance"
          legendHidden
          defaultValue="1"
          options={[
            {
              value: '1',
              label: '$3,000 cover',
              detail: 'Fire, water, theft, pests. $100 deductible.',
              side: '$12.00/mo',
            },
            { value: '2', label: '$5,000 cover', detail: 'The same, for a fuller unit.', side: '$18.00/mo' },
            {
              value: 'own',
              label: 'My own policy',
              detail: 'Home or renters insurance with a policy number.',
              side: '$0.00',
            },
          ]}
        />
        <RadioCards
          name="vehicle"
          legend="Storing a Vehicle?"
          row
          error="Choose yes or no"
          options={[
            { value: 'yes', label: 'Yes' },
            { value: 'no', label: 'No' },
          ]}
        />
        <ButtonRow>
          <Button>Next</Button>
          <Button kind="secondary" type="button">
            Save for later
          </Button>
          <Button kind="link" type="button">
            Start again
          </Button>
        </ButtonRow>
      </Aside>
    </Part>
  )
}

export function CalendarAndSignature() {
  const [day, setDay] = useState<string | null>(null)
  const [signed, setSigned] = useState('')
  return (
    <Part title="Calendar and signature">
      <Suspense fallback={<Skeleton shape="card" />}>
        <Calendar value={day} onChange={setDay} earliest="2026-11-20" latest="2026-12-19" />
      </Suspense>
      <p className="mt-2">Chosen: {day ?? 'none'}</p>
      <Suspense fallback={<Skeleton shape="card" />}>
        <SignaturePad signer="Ada Okafor" onChange={(signature) => setSigned(signature?.method ?? '')} />
      </Suspense>
      <p className="mt-2">Signed: {signed || 'not yet'}</p>
    </Part>
  )
}
