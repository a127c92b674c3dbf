import { lazy, Suspense, useState } from 'react'
import { vehicleForSize } from '../../../modules/facilities/rules/choose-parked-vehicle-to-draw.ts'
import { ActionBar } from '../../ui/action-bar.tsx'
import { BackLink } from '../../ui/back-link.tsx'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { Countdown } from '../../ui/countdown.tsx'
import { Skeleton } from '../../ui/data-tables.tsx'
import { RadioCards } from '../../ui/fields/choice.tsx'
import { formatCents } from '../../ui/money.tsx'
import { PriceSummary } from '../../ui/price-summary.tsx'
import { StepBar } from '../../ui/step-progress-bar.tsx'
import { UnitDrawing } from '../../ui/unit-drawing/unit-drawing.tsx'
import { GallerySection } from './gallery-section.tsx'

const Calendar = lazy(() => import('../../ui/calendar.tsx'))
const SignaturePad = lazy(() => import('../../ui/signature-pad.tsx'))

const sizes = [
  [5, 5],
  [5, 10],
  [10, 10],
  [10, 15],
  [10, 20],
  [10, 30],
] as const

const spaces = [
  [10, 18],
  [10, 25],
  [12, 35],
] as const

const lines = [
  {
    label: 'Rent, 11/20/2026 to 12/19/2026',
    cents: 13900,
    explain: 'The web rate for 30 days. The street rate is $165.00.',
  },
  { label: 'First Month Free', cents: -13900, explain: 'Takes the whole first rent off while autopay stays on.' },
  { label: 'Insurance $3,000', cents: 1200, explain: 'Covers up to $3,000 of what you store.' },
  { label: 'Admin fee', cents: 1800, explain: 'Charged once, at move-in.' },
  { label: 'Tax', cents: 175 },
]

export function SizeGuide() {
  return (
    <GallerySection title="Size guide">
      <div className="cards">
        {sizes.map(([length, breadth]) => (
          <UnitDrawing key={`${length}x${breadth}`} length={length} breadth={breadth} size="large" />
        ))}
        {spaces.map(([length, breadth]) => (
          <UnitDrawing
            key={`${length}x${breadth}`}
            length={length}
            breadth={breadth}
            parked={vehicleForSize(length, breadth)}
            size="large"
          />
        ))}
      </div>
    </GallerySection>
  )
}

export function MoveInStep() {
  const summary = (
    <PriceSummary
      title="10 × 10, unit 214"
      subtitle="Ponce City · moving in today"
      lines={lines}
      totalCents={3175}
      perMonth={{ cents: 16240, note: 'from 12/20/2026, billed every 30 days, fees and taxes in.' }}
      hold={<Countdown until={1_380_000} now={0} untilText="9:40 PM" />}
    />
  )
  return (
    <GallerySection title="A step of the move-in">
      <BackLink to="/vehicle" />
      <StepBar step={2} />
      <ActionBar
        label="Due today"
        total={formatCents(3175)}
        then={`then ${formatCents(16240)} / month`}
        summary={summary}
        action={<Button type="button">Next</Button>}
      >
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
          <Button kind="secondary" type="button">
            Save for later
          </Button>
          <Button kind="link" type="button">
            Start again
          </Button>
        </ButtonRow>
      </ActionBar>
    </GallerySection>
  )
}

export function CalendarAndSignature() {
  const [day, setDay] = useState<string | null>(null)
  const [signed, setSigned] = useState('')
  return (
    <GallerySection title="Calendar and signature">
      <Suspense fallback={<Skeleton shape="card" />}>
        <Calendar value={day} onChange={setDay} earliest="2026-11-20" latest="2026-12-19" />
      </Suspense>
      <p className="mt-2">Chosen: {day ?? 'none'}</p>
      <Suspense fallback={<Skeleton shape="card" />}>
        <SignaturePad signer="Ada Okafor" onChange={(signature) => setSigned(signature?.method ?? '')} />
      </Suspense>
      <p className="mt-2">Signed: {signed || 'not yet'}</p>
    </GallerySection>
  )
}
