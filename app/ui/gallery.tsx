import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Door, DoorOpens } from './brand.tsx'
import { DoorRow, FacilityFront } from './brand-scenes.tsx'
import { Button, ButtonRow, LinkButton } from './buttons.tsx'
import { Countdown, Dialog, DialogClose, Status } from './dialog.tsx'
import { EmptyState } from './empty-state.tsx'
import { FacilityMap, FloorChoice } from './facility-map.tsx'
import { CheckboxField, CheckboxGroup, RadioCards, RatingField, SelectField, StateSelect } from './fields/choice.tsx'
import { ErrorSummary } from './fields/error-summary.tsx'
import { FieldPair } from './fields/field.tsx'
import { FileField } from './fields/file.tsx'
import {
  CodeField,
  DateField,
  EmailField,
  PasswordField,
  PhoneField,
  TextArea,
  TextField,
  ZipField,
} from './fields/text.tsx'
import { type Floor, floorText } from './floor-picture.ts'
import { useFormChecks } from './form-checks.ts'
import { Icon } from './icons.tsx'
import { Aside, BackLink, SideMenu, StepBar } from './journey.tsx'
import { Logo } from './logo.tsx'
import { Money } from './money.tsx'
import { Banner, Breadcrumbs, Footer, Header, PageFrame, SkipLink } from './page.tsx'
import { PriceSummary } from './prices.tsx'
import { DataList, Skeleton, Table } from './records.tsx'
import { StateMap } from './state-map.tsx'
import { Callout, Card, Pagination, Pills, Tag } from './surfaces.tsx'
import { UnitDrawing } from './unit-drawing/draw.tsx'
import { whatFits } from './unit-drawing/pack.ts'

const Calendar = lazy(() => import('./calendar.tsx'))
const SignaturePad = lazy(() => import('./signature-pad.tsx'))

const links = [
  { label: 'Find storage', href: '/search' },
  { label: 'Size guide', href: '/size-guide' },
  { label: 'Pay my bill', href: '/guest/find-email' },
  { label: 'Log in', href: '/login' },
]

const floor: Floor = {
  units: Array.from({ length: 36 }, (_, index) => ({
    unit_no: String(101 + index),
    left: 20 + (index % 12) * 11,
    top: 20 + Math.floor(index / 12) * 30,
    length: 10,
    width: index < 12 ? 10 : 15,
    rotate: 0,
  })),
  fixtures: [
    { name: 'Gate', left: 0, top: 50, length: 12, width: 6, rotate: 0 },
    { name: 'Rental Center', left: 156, top: 20, length: 34, width: 22, rotate: 0 },
  ],
  way: [
    [6, 53],
    [6, 46],
    [69, 46],
    [69, 67],
  ],
}

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

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-16">
      <h2 className="mb-4">{title}</h2>
      {children}
    </section>
  )
}

/** Every component in every state, for those who build pages. `framed`: inside the site's own header and footer. */
export function Gallery({ framed = false }: { framed?: boolean }) {
  const [day, setDay] = useState<string | null>(null)
  const [signed, setSigned] = useState('')
  const [open, setOpen] = useState(false)
  const [notice, setNotice] = useState('')
  const checks = useFormChecks(
    (data) => ({
      ...(data.first ? {} : { first: 'First Name required' }),
      ...(/^\d{5}$/.test(data.zip ?? '') ? {} : { zip: 'Zip Code must be 5 digits' }),
    }),
    { zip: 'Zip Code must be 5 digits' },
  )
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
    <>
      {!framed && <SkipLink />}
      <Banner html={'Gates stay open on Thanksgiving. <a href="/">Hours</a>'} />
      {!framed && <Header brand="Latchkey" links={links} phone="(404) 555-0142" />}
      <PageFrame>
        <section className="grid gap-8 md:grid-cols-2 items-center">
          <div>
            <h1 className="hero">Storage Made Simple.</h1>
            <p className="lead mt-4 mb-6">
              See the whole price first. Sign on your phone. Get your gate code and drive over.
            </p>
            <form className="search" action="/search">
              <label className="sr" htmlFor="q">
                City or ZIP code
              </label>
              <input id="q" name="q" placeholder="City, Zip Code..." autoComplete="postal-code" />
              <Button>Search</Button>
            </form>
            <p className="soft small mt-3">Reserve free, no card. 14 facilities in 8 states.</p>
          </div>
          <DoorRow />
        </section>

        <Part title="Facilities">
          <div className="cards">
            {['ATL1', 'ATL2', 'CHS1', 'NSH4', 'PDX9', 'TUL2'].map((seed, index) => (
              <Card key={seed} as="article" flush className="card-link">
                <FacilityFront seed={seed} />
                <div className="card-body">
                  <h3>
                    <a href={`#${seed}`}>
                      {['Ponce City', 'Kirkwood', 'Upper King', 'Germantown', 'Alberta', 'Pearl'][index]}
                    </a>
                  </h3>
                  <p className="soft small">675 North Ave NE, Atlanta, GA 30308</p>
                  <p className="flex justify-between gap-4 mt-2">
                    <span>1.8 mi away</span>
                    <strong>
                      from <Money cents={6400} short /> a month
                    </strong>
                  </p>
                </div>
              </Card>
            ))}
          </div>
        </Part>

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

        <Part title="Buttons">
          <ButtonRow>
            <Button type="button">Pay $31.75</Button>
            <Button type="button" busy busyLabel="Paying">
              Pay $31.75
            </Button>
            <Button type="button" kind="secondary" onClick={() => setOpen(true)}>
              Open a dialog
            </Button>
            <Button type="button" kind="quiet" onClick={() => setNotice('Saved. We keep your place.')}>
              Show a message
            </Button>
            <Button type="button" kind="danger">
              Cancel move-out
            </Button>
            <Button type="button" unavailable="Enter your last name and the last 4 digits of your phone to search.">
              Find reservation
            </Button>
          </ButtonRow>
          <p className="mt-4">
            {(
              [
                'pin',
                'phone',
                'clock',
                'lock',
                'card',
                'bank',
                'key',
                'file',
                'print',
                'car',
                'search',
                'calendar',
                'eye',
                'user',
                'star',
              ] as const
            ).map((name) => (
              <Icon key={name} name={name} className="mr-3" />
            ))}
          </p>
        </Part>

        <Part title="Form">
          <form {...checks.form}>
            <ErrorSummary {...checks.summary} />
            <FieldPair>
              <TextField {...checks.field('first')} label="First name" autoComplete="given-name" />
              <TextField name="last" label="Last name" autoComplete="family-name" defaultValue="Okafor" />
            </FieldPair>
            <EmailField name="email" label="Email" hint="We send the lease and your gate code here." />
            <PhoneField name="cell_phone" label="Cell phone" />
            <TextField name="company" label="Company" optional autoComplete="organization" />
            <TextField name="address" label="Address" autoComplete="street-address" maxLength={140} />
            <FieldPair wide>
              <TextField name="city" label="City" autoComplete="address-level2" />
              <StateSelect name="state" label="State" width={undefined} />
              <ZipField {...checks.field('zip')} label="Zip code" />
            </FieldPair>
            <DateField name="birth_date" label="Birth date" autoComplete="bday" />
            <SelectField name="branch" label="Branch" options={[{ value: 'army', label: 'Army' }]} width={20} />
            <TextArea name="description" label="Description" optional rows={3} />
            <PasswordField name="password" label="Password" hint="At least 8 characters." />
            <CodeField name="code" label="Code from the e-mail" />
            <CheckboxField
              name="autopay"
              label="Pay by autopay"
              hint="On the first day of each period."
              defaultChecked
            />
            <CheckboxField
              name="valid"
              label="The vehicle has valid and current insurance."
              error="You must confirm that the vehicle has valid and current insurance."
            />
            <CheckboxGroup
              name="reasons"
              legend="Why are you leaving?"
              options={[
                { value: 'rates', label: 'Rates' },
                { value: 'need', label: 'No Longer Needed' },
              ]}
            />
            <RatingField name="rating" legend="How was your stay?" defaultValue={3} />
            <FileField
              name="policy"
              label="Policy"
              accept="application/pdf,image/*"
              hint="PDF or picture, up to 10 MB."
            />
            <ButtonRow>
              <Button>Submit Reservation</Button>
            </ButtonRow>
          </form>
        </Part>

        <Part title="Messages">
          <div className="flow">
            <Callout title="Your unit is kept until midnight">Nothing is charged before you sign.</Callout>
            <Callout tone="success" title="Paid" />
            <Callout tone="warn">The price has changed since you started. Look at it again before paying.</Callout>
            <Callout tone="error" title="Unable to process the Payment: Declined by Issuer">
              <p>Try another card, or call (404) 555-0142.</p>
            </Callout>
            <p className="tags">
              <Tag>Pre-Paid</Tag>
              <Tag tone="good">Current</Tag>
              <Tag tone="bad">Past Due</Tag>
              <Tag tone="door">New</Tag>
            </p>
          </div>
        </Part>

        <Part title="Done">
          <Card flush>
            <DoorOpens />
            <div className="card-body">
              <h2>Congrats! You're moved in!</h2>
              <p className="soft mt-4">Gate code, active now</p>
              <p className="figure">582 914</p>
              <ButtonRow>
                <LinkButton href="#register">Create My Online Account</LinkButton>
                <LinkButton href="#map" kind="secondary">
                  Where's my unit?
                </LinkButton>
              </ButtonRow>
            </div>
          </Card>
        </Part>

        <Part title="Records">
          <SideMenu
            label="Account"
            links={[
              { label: 'My Profile', href: '/account-profile', current: true },
              { label: 'Units and Billing', href: '/my-units' },
              { label: 'Payment History', href: '/recent-activity' },
            ]}
          >
            <DataList
              facts={[
                { label: 'Name', value: 'Ada Okafor', change: '/add-contact' },
                { label: 'Insurance', value: '$3,000 cover', change: '/insurance-schemes' },
                { label: 'Move-in date', value: '11/20/2026' },
              ]}
            />
          </SideMenu>
          <div className="mt-6">
            <Table
              caption="Payments"
              columns={[
                { label: 'Date', cell: (row) => row.date },
                { label: 'Unit', cell: (row) => row.unit },
                { label: 'Amount', right: true, cell: (row) => <Money cents={row.cents} /> },
              ]}
              rows={[
                { date: '11/20/2026', unit: '214', cents: 16240 },
                { date: '10/21/2026', unit: '214', cents: 116240 },
              ]}
              rowKey={(row) => row.date}
            />
          </div>
          <div className="mt-6">
            <Pagination page={3} pages={9} href={(page) => `?page=${page}`} />
          </div>
          <div className="cards mt-6">
            <EmptyState title="No units yet" action={<LinkButton href="/">Find storage</LinkButton>}>
              Units you rent appear here.
            </EmptyState>
            <Card>
              <Skeleton shape="title" lines={4} />
            </Card>
          </div>
        </Part>

        <Part title="Maps">
          <div className="cards">
            {[
              { code: 'GA', name: 'Georgia', lat: 33.77, lng: -84.37 },
              { code: 'SC', name: 'South Carolina', lat: 32.79, lng: -79.94 },
              { code: 'FL', name: 'Florida', lat: 27.95, lng: -82.46 },
              { code: 'TX', name: 'Texas', lat: 30.27, lng: -97.74 },
              { code: 'MI', name: 'Michigan', lat: 42.96, lng: -85.67 },
              { code: 'AK', name: 'Alaska', lat: 61.2, lng: -149.9 },
            ].map((state) => (
              <StateMap
                key={state.code}
                state={state.code}
                name={state.name}
                facilities={[{ ...state, name: 'One facility' }]}
              />
            ))}
          </div>
          <div className="mt-6">
            <FloorChoice floors={[1, 2]} floor={1} />
            <FacilityMap floor={floorText(floor)} mine={['117']} name="Ponce City" place="Floor 1" />
          </div>
        </Part>

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

        <Part title="Brand">
          <div className="flex gap-6 items-center">
            <Logo name="Latchkey" href={null} />
            <div className="w-24">
              <Door />
            </div>
            <div className="w-24">
              <Door open={0.8} inside="sofa" />
            </div>
          </div>
        </Part>

        <Dialog
          open={open}
          onClose={() => setOpen(false)}
          title="Not available"
          actions={<DialogClose>OK</DialogClose>}
        >
          <p>No units available for this unit type. Please check again.</p>
        </Dialog>
        <Status message={notice} />
      </PageFrame>
      {!framed && (
        <Footer
          brand="Latchkey"
          phone="(404) 555-0142"
          hours={['Every day, 8 AM to 8 PM']}
          columns={[
            { title: 'Storage', links: links.slice(0, 2) },
            { title: 'Tenants', links: links.slice(2) },
          ]}
          notes={['ZIP code data © GeoNames, CC BY 4.0.']}
        />
      )}
    </>
  )
}
