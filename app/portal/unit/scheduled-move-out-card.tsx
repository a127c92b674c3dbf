import { useState } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { cancelMoveOut, moveOutScheduled } from '../../../modules/leases/texts/portal.ts'
import { Button } from '../../ui/buttons.tsx'
import { Card } from '../../ui/card-tag-and-callout.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CheckboxField } from '../../ui/fields/choice.tsx'
import { PhoneLink } from '../../ui/phone-link.tsx'
import { HiddenLeaseFields } from './hidden-lease-fields.tsx'

export function ScheduledMoveOut({
  moveOut,
  leaseFields,
  query,
  unitNumber,
  phone,
  dialog,
}: {
  moveOut: { on: string; sold: boolean; restorable: boolean }
  leaseFields: Record<string, string>
  query: string
  unitNumber: string
  phone: string
  dialog: string | null
}) {
  const [isDialogOpen, setIsDialogOpen] = useState(dialog === 'cancel')
  const busy = useNavigation().formMethod === 'POST'
  if (moveOut.sold)
    return (
      <Card as="section" className="mt-6">
        <h2>{moveOutScheduled}</h2>
        <p className="mt-1">
          Unit {unitNumber} was sold at auction, and your lease ends on <strong>{moveOut.on}</strong>. Questions? Call{' '}
          <PhoneLink phone={phone} />.
        </p>
      </Card>
    )
  return (
    <Card as="section" className="mt-6">
      <h2>{moveOutScheduled}</h2>
      <p className="mt-1">
        Your last day in unit {unitNumber} is <strong>{moveOut.on}</strong>.
      </p>
      <p className="mt-3 flex flex-wrap gap-x-6 gap-y-1">
        <Link
          to={`?${query}&ask=cancel`}
          onClick={(event) => {
            event.preventDefault()
            setIsDialogOpen(true)
          }}
        >
          {cancelMoveOut}
        </Link>
        <Link to={`/move-out-receipt?${query}`}>What happens on that day</Link>
      </p>
      <Dialog open={isDialogOpen} onClose={() => setIsDialogOpen(false)} title="Cancel your move-out?">
        <p>You keep unit {unitNumber} and your gate code, and rent goes on as before.</p>
        <Form method="post">
          <HiddenLeaseFields fields={leaseFields} />
          {moveOut.restorable && (
            <CheckboxField
              name="restore_autopay"
              label="Turn autopay back on, as it was"
              hint="It was turned off when you scheduled the move-out."
              defaultChecked
            />
          )}
          <div className="btn-row">
            <Button name="intent" value="cancel_move_out" busy={busy}>
              {cancelMoveOut}
            </Button>
          </div>
        </Form>
      </Dialog>
    </Card>
  )
}
