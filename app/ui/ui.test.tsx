import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, test } from 'vitest'
import { states } from '../../domain/states.ts'
import { gateCodeNotFound } from '../../domain/texts/account.ts'
import { vehicleForSize } from '../../modules/facilities/rules/choose-parked-vehicle-to-draw.ts'
import { decodeLook, type FacilityLook } from '../../modules/facilities/rules/facility-front-to-draw.ts'
import { moveOutFailed } from '../../modules/leases/texts/portal.ts'
import { notCharged, type RecordedOrder } from '../../modules/payments/texts/was-money-taken-by-payment-state.ts'
import Gallery from '../dev/gallery.tsx'
import { Button } from './buttons.tsx'
import Calendar from './calendar.tsx'
import { Countdown, formatDuration } from './countdown.tsx'
import { Dialog, DialogClose } from './dialog.tsx'
import { FacilityFront } from './facility-front-drawing.tsx'
import { CheckboxField, RadioCards } from './fields/choice.tsx'
import { ErrorSummary } from './fields/error-summary.tsx'
import { addDateSlashes, PhoneField, TextField } from './fields/text.tsx'
import { fitsBetterTurned, floorPicture, serializeFloor } from './floor-plan-svg.ts'
import { formatCents } from './money.tsx'
import { PageFrame } from './page.tsx'
import { Pagination } from './pagination.tsx'
import { WithPhoneLink } from './phone-link.tsx'
import { PriceSummary } from './price-summary.tsx'
import { ChargeStatementContext, PhoneContext } from './refusal-advice-react-contexts.ts'
import { RenterRefusalAdvice } from './renter-refusal-advice.tsx'
import { OUTLINES } from './state-outlines/outlines.ts'
import { StepBar } from './step-progress-bar.tsx'
import { describeContents } from './unit-drawing/unit-contents.ts'
import { UnitDrawing } from './unit-drawing/unit-drawing.tsx'
import { FacilityMap } from './zoomable-floor-map.tsx'

const render = (node: ReactNode) => renderToStaticMarkup(<MemoryRouter>{node}</MemoryRouter>)

describe('the design gallery', () => {
  test('has no event handler and no style attribute in its HTML, which the content security policy forbids', () => {
    const html = render(<Gallery />)
    expect(html).toContain('Design gallery')
    expect(html).not.toMatch(/\sstyle=/)
    expect(html).not.toMatch(/\son[a-z]+=/)
  })

  test('has no duplicate id', () => {
    const ids = [...render(<Gallery />).matchAll(/\sid="([^"]+)"/g)].map((match) => match[1])
    expect(ids.length).toBeGreaterThan(10)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })
})

test('offers to call the phone number named in a refusal, or else the number of the page', () => {
  const refusal = (sentence: string) =>
    render(
      <PhoneContext.Provider value="(888) 555-0100">
        <RenterRefusalAdvice sentence={sentence} />
      </PhoneContext.Provider>,
    )
  const html = refusal(gateCodeNotFound('(404) 555-0142'))
  expect(html).toContain('href="tel:4045550142"')
  expect(html).toContain('Call (404) 555-0142')
  expect(html).not.toContain('888')
  expect(refusal(moveOutFailed)).toContain('Call (888) 555-0100')
})

test('makes a link of each phone number in a sentence, and keeps every word', () => {
  const html = render(<WithPhoneLink>Call (404) 555-0142, or (888) 555-0100 at night.</WithPhoneLink>)
  expect(html.match(/href="[^"]+"/g)).toEqual(['href="tel:4045550142"', 'href="tel:8885550100"'])
  expect(html.replace(/<[^>]+>/g, '')).toBe('Call (404) 555-0142, or (888) 555-0100 at night.')
})

describe('the calendar', () => {
  const months = (earliest: string, latest: string, value: string | null = null) =>
    [
      ...render(<Calendar value={value} onChange={() => {}} earliest={earliest} latest={latest} />).matchAll(
        /<table[^>]*aria-label="([^"]+)"/g,
      ),
    ].map((match) => match[1])

  test('shows the same two months whichever day is chosen, even if the window ends in the first', () => {
    const both = ['November 2026', 'December 2026']
    expect(months('2026-11-21', '2026-11-30')).toEqual(both)
    expect(months('2026-11-21', '2026-11-21')).toEqual(both)
    expect(months('2026-11-21', '2026-12-04', '2026-12-02')).toEqual(both)
    expect(months('2026-12-30', '2026-12-31')).toEqual(['December 2026', 'January 2027'])
  })
})

describe('fields', () => {
  test('link a field to its hint and its error, and mark it as required or optional', () => {
    const html = render(<TextField name="zip" label="ZIP code" hint="Five digits" error="Zip Code must be 5 digits" />)
    expect(html).toContain('<label for="zip">ZIP code</label>')
    expect(html).toContain('aria-describedby="zip-hint zip-error"')
    expect(html).toContain('aria-invalid="true"')
    expect(html).toContain('id="zip-error"')
    expect(html).toContain('required=""')
    const optional = render(<TextField name="company" label="Company" optional />)
    expect(optional).toContain('(optional)')
    expect(optional).not.toContain('required')
  })

  test('open the numeric keypad for a phone and fit dashes and parentheses', () => {
    const html = render(<PhoneField name="cell_phone" label="Cell phone" />)
    expect(html).toContain('inputMode="numeric"')
    expect(html).toContain('type="tel"')
    expect(Number(/maxLength="(\d+)"/.exec(html)?.[1])).toBeGreaterThanOrEqual('(404) 555-0142'.length)
  })

  test('use the name as id of the first radio button and of a checkbox, for links of the error summary', () => {
    const radios = render(
      <RadioCards
        name="vehicle"
        legend="Storing a Vehicle?"
        defaultValue="no"
        options={[
          { value: 'yes', label: 'Yes' },
          { value: 'no', label: 'No' },
        ]}
      />,
    )
    expect(radios).toMatch(/<input type="radio" id="vehicle"[^>]*value="yes"/)
    expect(radios).toMatch(/<input[^>]*checked=""[^>]*value="no"|<input[^>]*value="no"[^>]*checked=""/)
    expect(render(<CheckboxField name="valid" label="Valid" />)).toContain('for="valid"')
  })

  test('list the messages in a summary, as links to fields or with advice; without errors there is none', () => {
    const html = render(<ErrorSummary errors={{ first: 'First Name required', form: 'Payment Failed' }} />)
    expect(html).toContain('There is a problem')
    expect(html).toContain('<a href="#first">First Name required</a>')
    expect(html).toContain('<li>Payment Failed<p class="mt-1">If you have just paid, please do not pay again')
    const order = { state: 'declined' } as RecordedOrder
    const declined = render(
      <ChargeStatementContext value={notCharged(order)}>
        <ErrorSummary errors={{ form: 'Payment Failed' }} />
      </ChargeStatementContext>,
    )
    expect(declined).toContain('<li>Payment Failed<p class="mt-1">You were not charged')
    expect(render(<ErrorSummary errors={{}} />)).toBe('')
  })

  test.each([
    ['', ''],
    ['1', '1'],
    ['112', '11/2'],
    ['11202026', '11/20/2026'],
    ['11/20/20269', '11/20/2026'],
  ])('show the typed date %j as %j', (typed, shown) => {
    expect(addDateSlashes(typed)).toBe(shown)
  })
})

describe('buttons', () => {
  test('say what is missing, and are not disabled without scripts', () => {
    const html = render(<Button unavailable="Enter your last name.">Search</Button>)
    expect(html).toContain('Enter your last name.')
    expect(html).not.toContain('disabled=""')
    expect(html).toMatch(/aria-describedby="([^"]+)".*id="\1"/)
  })

  test('keep a short label in one line and let a sentence wrap', () => {
    expect(render(<Button>Rent now</Button>)).toContain('btn-short')
    expect(render(<Button>Yes, I have read this and agree</Button>)).not.toContain('btn-short')
  })
})

test('a page titles the document and marks an error in the title', () => {
  const titled = (wrong?: boolean) =>
    render(
      <PageFrame title="Customer Info" brand="Latchkey" wrong={wrong}>
        <h1>Customer Info</h1>
      </PageFrame>,
    )
  expect(titled()).toContain('<title>Customer Info · Latchkey</title>')
  expect(titled(true)).toContain('<title>Error: Customer Info · Latchkey</title>')
})

describe('prices', () => {
  test.each([
    [123450, false, '$1,234.50'],
    [-13900, false, '−\u2060$139.00'],
    [6400, true, '$64'],
    [6450, true, '$64.50'],
  ])('show %d cents, shortened: %j, as %j', (cents, short, shown) => expect(formatCents(cents, short)).toBe(shown))

  test('explain each line and show the total and the monthly price below', () => {
    const html = render(
      <PriceSummary
        lines={[{ label: 'Admin fee', cents: 1800, explain: 'Charged once.' }]}
        totalCents={1800}
        perMonth={{ cents: 16240, note: 'billed every 30 days.' }}
      />,
    )
    expect(html).toMatch(/<details><summary>Admin fee<\/summary><p>Charged once\.<\/p><\/details>/)
    expect(html).toMatch(/Due today<\/th><td class="num">\$18\.00/)
    expect(html).toContain('$162.40')
    expect(html).toContain('billed every 30\u00a0days.')
  })

  test('never break a line between month and day', () => {
    const html = render(
      <PriceSummary
        subtitle="Pays November 20, 2026 to May 9, 2027."
        lines={[{ label: 'Rent', cents: 1, explain: '30 days, Nov 20 to Dec 19.' }]}
        totalCents={1}
        perMonth={{ cents: 1, note: 'from Nov 23, billed every 30 days' }}
        hold={<Countdown until={6} now={5} untilText="the end of Nov 22" />}
      />,
    )
    for (const day of ['November 20', 'May 9', 'Nov 20', 'Dec 19', 'Nov 23', 'Nov 22'])
      expect(html).toContain(day.replace(' ', '\u00a0'))
  })
})

describe('steps and page links', () => {
  test('state the status of each step in words', () => {
    const html = render(<StepBar step={3} />)
    expect(html).toContain('Step 3 of 5 – Customer Info')
    expect(html.match(/, done/g)).toHaveLength(2)
    expect(html.match(/aria-current="step"/g)).toHaveLength(1)
    expect(html.match(/, to do/g)).toHaveLength(2)
  })

  test.each([
    [5, 9, '1 …4 5 6 …9'],
    [1, 9, '1 2 …9'],
    [2, 3, '1 2 3'],
    [1, 2, '1 2'],
    [1, 1, ''],
  ])('link page %d of %d to the pages %j', (page, pages, links) => {
    const html = render(<Pagination page={page} pages={pages} href={(n) => `?page=${n}`} />)
    const items = [...html.matchAll(/<li( class="after-gap")?><a href="\?page=(\d+)"/g)]
    expect(items.map(([, gap, n]) => `${gap ? '…' : ''}${n}`).join(' ')).toBe(links)
  })
})

describe('dialogs and countdowns', () => {
  test('are open in the server’s HTML and close without scripts', () => {
    const html = render(
      <Dialog open title="Not available" actions={<DialogClose>OK</DialogClose>}>
        No units
      </Dialog>,
    )
    expect(html).toContain('<dialog open=""')
    expect(html.match(/method="dialog"/g)).toHaveLength(2)
  })

  test('have no close button when blocking', () => {
    const html = render(<Dialog open blocking title="Closed" />)
    expect(html).not.toContain('method="dialog"')
    expect(html).toContain('closedby="none"')
  })

  test.each([
    [1, '1 minute'],
    [23 * 60_000, '23 minutes'],
    [119 * 60_000, '119 minutes'],
    [24 * 3_600_000, '24 hours'],
    [49 * 3_600_000, '2 days'],
  ])('%d ms left reads %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })

  test('state until when a unit is held', () => {
    expect(render(<Countdown until={1_380_000} now={0} untilText="9:40 PM" />)).toContain(
      'Held for you until 9:40\u00a0PM <span class="num">(23 minutes left)</span>',
    )
    expect(render(<Countdown until={5} now={6} untilText="9:40 PM" />)).toContain('The hold ended at 9:40\u00a0PM')
  })
})

describe('pictures', () => {
  test('contain every state’s outline, in less than 2,000 characters each', () => {
    expect(Object.keys(OUTLINES).sort()).toEqual(states.map(([code]) => code).sort())
    for (const outline of Object.values(OUTLINES)) expect(outline[4].length).toBeLessThan(2_000)
  })

  test('draw a larger unit larger, to one scale, in either orientation', () => {
    const width = (length: number, breadth: number) =>
      Number(/width="(\d+)"/.exec(render(<UnitDrawing length={length} breadth={breadth} />))?.[1])
    expect(width(10, 10)).toBeGreaterThan(width(5, 5) * 1.8)
    expect(width(10, 30)).toBeGreaterThan(width(10, 20))
    expect(width(20, 10)).toBe(width(10, 20))
  })

  test('name what fits, more in a larger unit, and the vehicle of a parking space', () => {
    expect(render(<UnitDrawing length={10} breadth={10} />)).toContain(describeContents(10, 10))
    expect(describeContents(10, 10)).toContain('a sofa')
    expect(describeContents(5, 5)).not.toContain('a sofa')
    expect(describeContents(10, 30)).toContain('a car')
    expect([18, 25, 35].map((depth) => describeContents(depth, 10, vehicleForSize(depth, 10)))).toEqual([
      'a car',
      'a boat on its trailer',
      'a motorhome',
    ])
  })

  test('draw different fronts for facilities and always the same for one', () => {
    const front = (seed: string, code = '2id') =>
      render(<FacilityFront seed={seed} look={decodeLook(code) as FacilityLook} />)
    expect(front('ATL1')).toBe(front('ATL1'))
    expect(new Set(['ATL1', 'ATL2', 'CHS1', 'NSH4', 'PDX9', 'TUL2'].map((seed) => front(seed))).size).toBe(6)
    const looks = ['1d', '2bi', '4bi', '4bil', '4si', '1ok', '1vk', '1vz', '1idok']
    expect(new Set(looks.map((code) => front('ATL1', code))).size).toBe(looks.length)
  })
})

describe('the facility map', () => {
  const unit = { unit_no: '101', left: 10, top: 10, length: 10, width: 10, rotate: 0 }
  const floor = {
    units: [
      unit,
      { ...unit, unit_no: '<b>"&\'', left: 30 },
      { ...unit, unit_no: '103', left: -50, rotate: 45, width: -3 },
    ],
    fixtures: [{ name: 'Gate & <office>', left: 0, top: 40, length: 20, width: 6, rotate: 90 }],
    way: [[10, 43] as [number, number], [15, 25] as [number, number]],
  }

  test('escapes names, marks the tenant’s unit in the list and draws the way to it', () => {
    const html = render(<FacilityMap name="Ponce City" place="Floor 2" floor={serializeFloor(floor)} mine={['101']} />)
    expect(html).toContain('101 (yours)')
    expect(html).not.toContain('<b>')
    expect(html).not.toContain('<office>')
    expect(html).toContain('class="map-way" d="M10 43L15 25"')
    expect(html).not.toMatch(/NaN|Infinity/)
  })

  test('shows the tenant’s units, the whole route and the gate, and no more of the floor', () => {
    const far = { ...unit, unit_no: '900', left: 900 }
    const gates = [
      { ...unit, name: 'Gate', left: 0, top: 80 },
      { ...unit, name: 'Elevator', left: 700, top: 80 },
      { ...unit, name: 'Office', left: 0, top: 60 },
    ]
    const plan = {
      units: [unit, far],
      fixtures: gates,
      way: [
        [5, 95],
        [40, 95],
        [40, 15],
        [20, 15],
      ] as [number, number][],
    }
    expect(floorPicture(plan, new Set(['101'])).own).toEqual([-8, 2, 56, 101])
    // A turned floor shows the same part. Without a way, the part includes the gate or elevator nearest to the unit.
    expect(floorPicture(plan, new Set(['101']), 2).own?.slice(2)).toEqual([56, 101])
    expect(floorPicture({ ...plan, way: [] }, new Set(['900'])).own).toEqual([692, 2, 226, 96])
    // On a floor without the tenant's units, the part has the way and the gate or elevator nearest to its ends.
    expect(floorPicture(plan, new Set()).own).toEqual([-8, 7, 56, 96])
    expect(floorPicture({ ...plan, way: [] }, new Set()).own).toBeNull()
  })

  test('stays the same floor when turned by quarters, with upright numbers and walls around each building', () => {
    const row = [0, 10, 20, 60].map((left) => ({ ...unit, unit_no: String(left + 100), left, width: 20 }))
    const plan = { units: [...row, { ...unit, unit_no: 'P1', top: 90, outside: true }], fixtures: [], way: [] }
    const boxes = [0, 1, 2, 3, 4].map((quarters) => floorPicture(plan, new Set(), quarters))
    expect(boxes.map(({ box }) => box.slice(2))).toEqual([
      [82, 102],
      [102, 82],
      [82, 102],
      [102, 82],
      [82, 102],
    ])
    for (const { markup } of boxes) {
      expect(markup).not.toMatch(/<text[^>]*rotate/)
      expect(/map-walls">(.*?)<\/g>/.exec(markup)?.[1]?.match(/<rect/g)).toHaveLength(2)
    }
    expect(boxes[4]?.markup).toBe(boxes[0]?.markup)
    expect(fitsBetterTurned(plan, { width: 400, height: 300 })).toBe(true)
    expect(fitsBetterTurned(plan, { width: 300, height: 400 })).toBe(false)
  })

  test('draws 2,000 units with one rectangle each, and their numbers in one group', () => {
    const units = Array.from({ length: 2000 }, (_, index) => ({
      ...unit,
      unit_no: String(index),
      left: (index % 50) * 11,
    }))
    const { markup, box } = floorPicture({ units, fixtures: [], way: [] }, new Set(['7']))
    // One rectangle is the wall around all units, which form one building.
    expect(markup.match(/<rect/g)).toHaveLength(2001)
    expect(box.every(Number.isFinite)).toBe(true)
    // One group holds the numbers, so that one style hides or shows them all.
    expect(markup.match(/class="map-labels"/g)).toHaveLength(1)
  })

  test('says that there is no map of a floor without units', () => {
    const emptyFloor = { units: [], fixtures: [], way: [] }
    expect(render(<FacilityMap name="Ponce City" place="Floor 1" floor={serializeFloor(emptyFloor)} />)).toContain(
      'Map is not available for this location.',
    )
  })
})
