/** Erasures, exports, nightly snapshots and photographs that are killed at each of their points (office.test.ts). */
import sharp from 'sharp'
import { photoWidths } from '../../domain/photograph.ts'
import { addDays } from '../../domain/plain-date.ts'
import { SavePhotographs } from '../../modules/facilities/photograph-operations.ts'
import { photographFile, photosOf } from '../../modules/facilities/photographs.ts'
import { runBilling } from '../../modules/leases/billing/run.ts'
import { done } from '../../modules/payments/counter/testing.ts'
import {
  leaseOf,
  type PayingHouse,
  payAtCounter,
  periodCharged,
  rowOf,
  rowsOf,
} from '../../modules/payments/testing.ts'
import { finishErasures } from '../../modules/privacy/finish.ts'
import { keysOf, versionOf } from '../../modules/privacy/keys.ts'
import { EraseTenant } from '../../modules/privacy/operations.ts'
import { keepDays } from '../../modules/reports/keep-days.ts'
import { keptRoll } from '../../modules/reports/kept.ts'
import { DecideApproval } from '../../modules/staff/queue-operations.ts'
import { addNote } from '../../modules/tenants/notes.ts'
import { addRecord, lease, tenant } from '../support/rows.ts'
import type { OfficeAct, People } from './office-acts.ts'

const DAY = 86_400_000
const proofOf = (number: number) => `proofs/${number}.pdf`

/** Somebody who has left, with a note and a proof of insurance on file; another each time. @returns their number */
async function leftTenant(house: PayingHouse): Promise<number> {
  const number = 30_001 + (await rowsOf(house, 'tenants')).filter((one) => one.tenant_id > 30_000).length
  const of = { location_code: 'GA1', tenant_id: number }
  const email = `gus.${number}@example.com`
  await addRecord(house, 'tenants', tenant({ ...of, first: 'Gus', last: `Gone${number}`, email, email_key: email }))
  const left = { status: 'Closed' as const, closed_on: '2018-05-04', paid_through: '2018-05-03' }
  await addRecord(
    house,
    'leases',
    lease({ ...of, ...left, lease_number: number, unit_id: 1, unit_number: '101', gate_code: '' }),
  )
  await house.files.put(proofOf(number), new Uint8Array([1]), 'application/pdf')
  await addRecord(house, 'insurance_proofs', {
    ...{ ...of, proof_id: `proof-${number}`, unit_numbers: '101', tenant_name: 'Gus', tenant_email: email },
    ...{ policy_number: 'P1', insurance_carrier: 'Gus & Co', expiration_date: '2018-12-31', file_name: 'proof.pdf' },
    ...{ file_key: proofOf(number), content_type: 'application/pdf', bytes: 1, created_at: 0 },
  })
  await house.db.transaction((tx) =>
    addNote(tx, house, { locationCode: 'GA1', tenantId: number, note: 'Gus called', staffId: 'a' }),
  )
  return number
}

/** @returns the request that waits for a second person */
async function erasureAsked(house: PayingHouse, { manager }: People) {
  const number = await leftTenant(house)
  const keys = await keysOf(house.db.read, { locationCode: 'GA1', tenantId: number })
  const input = {
    location_code: 'GA1',
    tenant_id: number,
    reason: 'In writing',
    made_from: keys ? versionOf(keys) : '',
  }
  const { approval_id } = await done(house, EraseTenant, input, manager)
  return { number, input: { approval_id, location_code: 'GA1', decision: 'approve', because: '' } }
}

/** Nothing personal is left, in rows or in files, and it was told once. */
async function erasureBroken(house: PayingHouse, number: number, approval_id: string): Promise<string[]> {
  await finishErasures(house)
  const of = { location_code: 'GA1', tenant_id: number }
  const row = await rowOf(house, 'tenants', of)
  const erased = await rowsOf(house, 'erasures', of)
  const told = await rowsOf(house, 'audit_events', { tenant_id: number })
  const times = (kind: string) => told.filter((one) => one.kind === kind).length
  const left = [
    ...(await rowsOf(house, 'insurance_proofs', of)),
    ...(await rowsOf(house, 'tenant_notes', of)).filter(({ note }) => note.includes('Gus')),
  ]
  const state = (await rowOf(house, 'approvals', { approval_id })).state
  return [
    ...(row.first === 'Erased' && row.email === '' && row.erased_at !== null ? [] : [`${row.first} is on file`]),
    ...(left.length === 0 ? [] : [`${left.length} rows are left`]),
    ...((await house.files.get(proofOf(number))) === null ? [] : ['the file is left']),
    ...(erased.length === 1 && erased[0]?.files === '[]' && erased[0].finished_at !== null
      ? []
      : [`erasures: ${JSON.stringify(erased)}`]),
    ...(times('tenant.erased') === 1 && state === 'approved' ? [] : [`${state}, told ${times('tenant.erased')} times`]),
    ...((await leaseOf(house, number)).status === 'Closed' ? [] : ['the lease is gone']),
  ]
}

/** Yesterday is kept once for each facility, with the roll that its figures were counted from. */
async function dayBroken(house: PayingHouse, day: string): Promise<string[]> {
  const broken: string[] = []
  for (const location_code of ['GA1', 'HI1']) {
    const rows = await rowsOf(house, 'daily_figures', { location_code, day })
    const roll = await keptRoll(house.db.read, location_code, day)
    const [figures] = rows
    if (rows.length !== 1 || figures?.kept !== 1) broken.push(`${location_code}: ${rows.length} rows`)
    else if (roll?.day !== day) broken.push(`${location_code}: the roll is of ${roll?.day}`)
    else if (roll.roll.units.length !== figures.units)
      broken.push(`${location_code}: ${roll.roll.units.length} units in the roll, ${figures.units} in the figures`)
  }
  const sum = (await rowsOf(house, 'leases', { location_code: 'GA1' })).reduce((all, one) => all + one.balance, 0)
  const { balances } = await rowOf(house, 'daily_figures', { location_code: 'GA1', day })
  return [...broken, ...(balances === sum ? [] : [`balances ${balances}, leases ${sum}`])]
}

export const keptActs: readonly OfficeAct[] = [
  {
    name: 'the approval of an erasure',
    by: 'district',
    async prepare(house, _, people) {
      const { number, input } = await erasureAsked(house, people)
      const broken = () => erasureBroken(house, number, input.approval_id)
      return { operation: 'DecideApproval', input, broken }
    },
  },
  {
    name: 'the files of an erasure',
    by: 'district',
    async prepare(house, _, people) {
      const { number, input } = await erasureAsked(house, people)
      await done(house, DecideApproval, input, people.district)
      const broken = () => erasureBroken(house, number, input.approval_id)
      return { operation: 'finishErasures', input: {}, broken }
    },
  },
  {
    name: 'a tenant exported',
    by: 'district',
    async prepare(house) {
      const number = await leftTenant(house)
      house.later(DAY)
      return {
        ...{ operation: 'ExportTenant', input: { location_code: 'GA1', tenant_id: number } },
        async broken() {
          const told = await rowsOf(house, 'audit_events', { kind: 'tenant.exported', tenant_id: number })
          return told.length > 0 ? [] : ['an archive left untold']
        },
      }
    },
  },
  {
    name: 'the night’s snapshot',
    async prepare(house) {
      await runBilling(house)
      if ((await leaseOf(house, 10002)).balance > 0) {
        const { balance } = await leaseOf(house, 10002)
        await payAtCounter(house, 10002, balance, `COUNTER${house.random.hex(6)}`)
      } else await periodCharged(house, 10002)
      if ((await rowsOf(house, 'daily_figures')).length === 0) {
        house.later(DAY)
        await keepDays(house)
        await runBilling(house)
      }
      house.later(DAY)
      const day = addDays(new Date(house.clock.now()).toISOString().slice(0, 10), -1)
      return { operation: 'keepDays', input: {}, broken: () => dayBroken(house, day) }
    },
  },
  {
    name: 'a photograph of a facility',
    by: 'district',
    async prepare(house, _, { district }) {
      const there = (await photosOf(house.db.read, ['GA1'])).map(({ photo_id }) => photo_id)
      if (there.length > 0)
        await done(house, SavePhotographs, { location_code: 'GA1', photos: [], before: there }, district)
      const red = { r: 180, g: house.random.integer(0, 200), b: 40 }
      const picture = sharp({ create: { width: 1200, height: 900, channels: 3, background: red } })
      const files = [new Uint8Array(await picture.jpeg().toBuffer())]
      const events = async () => (await rowsOf(house, 'audit_events', { kind: 'photographs.saved' })).length
      const told = await events()
      return {
        ...{ operation: 'AddPhotographs', input: { location_code: 'GA1', files } },
        async broken() {
          const photos = await photosOf(house.db.read, ['GA1'])
          const [added, acts] = [photos.length, (await events()) - told]
          const missing: string[] = []
          for (const { photo_id: photoId } of photos)
            for (const width of photoWidths)
              if (!(await photographFile(house, { kind: 'facilities', locationCode: 'GA1', photoId, width })))
                missing.push(`${photoId} ${width}`)
          return [...missing, ...(added === acts && added > 0 ? [] : [`${added} added by ${acts} acts`])]
        },
      }
    },
  },
]
