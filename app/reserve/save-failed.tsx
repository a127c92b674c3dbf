import { useState } from 'react'
import { saveReservationFailed } from '../../domain/texts/reserve.ts'
import { LinkButton } from '../ui/buttons.tsx'
import { Dialog } from '../ui/dialog.tsx'

/**
 * 'Failed to save reservation' and why (spec 1 §8). OK goes to the unit types of the same location; closing it any other
 * way leaves the visitor on the page with what they entered.
 * @param answer what the server answered: the next answer, though it say the same, opens the dialog again
 */
export function SaveFailed({ answer, sentence, unitTypes }: { answer: object; sentence: string; unitTypes: string }) {
  const [closed, close] = useState<object | null>(null)
  return (
    <Dialog
      open={closed !== answer}
      onClose={() => close(answer)}
      title={saveReservationFailed}
      actions={<LinkButton href={unitTypes}>OK</LinkButton>}
    >
      <p>{sentence}</p>
    </Dialog>
  )
}
