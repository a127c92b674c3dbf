import { useState } from 'react'
import { messages } from '../../domain/messages.ts'
import { LinkButton } from '../ui/buttons.tsx'
import { Dialog } from '../ui/dialog.tsx'

/**
 * 'Failed to save reservation' and why (spec 1 §8). OK goes to the unit types of the same location; closing it any other
 * way leaves the visitor on the page with what they entered.
 */
export function SaveFailed({ sentence, unitTypes }: { sentence: string; unitTypes: string }) {
  const [open, setOpen] = useState(true)
  return (
    <Dialog
      open={open}
      onClose={() => setOpen(false)}
      title={messages.saveReservationFailed}
      actions={<LinkButton href={unitTypes}>OK</LinkButton>}
    >
      <p>{sentence}</p>
    </Dialog>
  )
}
