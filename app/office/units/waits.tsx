import { Form } from 'react-router'
import { sizeLabel } from '../../../domain/unit-type.ts'
import { waitsAt } from '../../../modules/reservations/waitlist-operations.ts'
import { OfficeList } from '../list.tsx'
import { Section } from '../page.tsx'
import { officeTime } from '../time.ts'
import type { OpenUnits } from './open-units.ts'

const MOST = 200

/** Who left an address for a sold-out size; no addresses for who sees own tasks alone. */
export async function shownWaits({ services, facts, location, seesTenants, may }: OpenUnits) {
  const waits = await waitsAt(services, location, MOST)
  const zone = facts.location.time_zone
  return waits.map(({ id, unitTypeId, email, since, toldAt, toldUnit }) => {
    const type = facts.unitTypes.find((one) => one.unit_type_id === unitTypeId)
    const told = toldAt === null ? '' : `${officeTime(toldAt, zone)}${toldUnit && `, unit ${toldUnit}`}`
    return {
      ...{ id, since: officeTime(since, zone), told, email: seesTenants ? email : '' },
      size: type ? `${sizeLabel(type)} ${type.category_name}` : '',
      key: may('move-in.desk') ? services.random.uuid() : '',
    }
  })
}

type Shown = Awaited<ReturnType<typeof shownWaits>>[number]

/** By size, in the order in which they get their mail. */
export const Waits = ({ waits }: { waits: Shown[] }) => (
  <Section title="Waiting for a free unit" count={waits.length}>
    <OfficeList
      caption="Waiting for a free unit"
      rows={waits}
      rowKey={(one) => one.id}
      empty="No address waits for a unit here."
      columns={[
        { label: 'Size', cell: (one) => one.size },
        { label: 'Who', cell: (one) => one.email },
        { label: 'Since', cell: (one) => one.since },
        { label: 'Mail about a unit', cell: (one) => one.told || 'not yet' },
      ]}
      actions={(one) =>
        one.key !== '' && (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="key" value={one.key} />
            <input type="hidden" name="waitlist_id" value={one.id} />
            <button type="submit" className="btn btn-short btn-quiet">
              Take off<span className="sr">: {one.email}</span>
            </button>
          </Form>
        )
      }
    />
  </Section>
)
