import { useState } from 'react'
import { Button, ButtonRow, LinkButton } from '../../ui/buttons.tsx'
import { Callout, Card, Tag } from '../../ui/card-tag-and-callout.tsx'
import { DataList, Skeleton, Table } from '../../ui/data-tables.tsx'
import { Dialog, DialogClose } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { type Floor, serializeFloor } from '../../ui/floor-plan-svg.ts'
import { Icon, iconNames } from '../../ui/icons.tsx'
import { Money } from '../../ui/money.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { SideMenu } from '../../ui/side-menu.tsx'
import { StateOutline } from '../../ui/state-outline.tsx'
import { FacilityMap, FloorChoice } from '../../ui/zoomable-floor-map.tsx'
import { GallerySection } from './gallery-section.tsx'

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

export function Buttons() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <GallerySection title="Buttons">
        <ButtonRow>
          <Button type="button">Pay $31.75</Button>
          <Button type="button" busy busyLabel="Paying">
            Pay $31.75
          </Button>
          <Button type="button" kind="secondary" onClick={() => setOpen(true)}>
            Open a dialog
          </Button>
          <Button type="button" kind="quiet">
            Print
          </Button>
          <Button type="button" kind="danger">
            Cancel move-out
          </Button>
          <Button type="button" unavailable="Enter your last name and the last 4 digits of your phone to search.">
            Find reservation
          </Button>
        </ButtonRow>
        <p className="mt-4">
          {iconNames.map((name) => (
            <Icon key={name} name={name} className="mr-3" />
          ))}
        </p>
      </GallerySection>
      <Dialog open={open} onClose={() => setOpen(false)} title="Not available" actions={<DialogClose>OK</DialogClose>}>
        <p>No units available for this unit type. Please check again.</p>
      </Dialog>
    </>
  )
}

export function Messages() {
  return (
    <GallerySection title="Messages">
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
    </GallerySection>
  )
}

export function Records() {
  return (
    <GallerySection title="Records">
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
    </GallerySection>
  )
}

export function Maps() {
  return (
    <GallerySection title="Maps">
      <div className="cards">
        {[
          { code: 'GA', name: 'Georgia' },
          { code: 'MI', name: 'Michigan' },
          { code: 'AK', name: 'Alaska' },
        ].map((state) => (
          <StateOutline key={state.code} state={state.code} name={state.name} />
        ))}
      </div>
      <div className="mt-6">
        <FloorChoice floors={[1, 2]} floor={1} />
        <FacilityMap floor={serializeFloor(floor)} mine={['117']} name="Ponce City" place="Floor 1" />
      </div>
    </GallerySection>
  )
}
