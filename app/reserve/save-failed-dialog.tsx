import { useState } from 'react'
import { saveReservationFailed } from '../../modules/reservations/texts/reserve.ts'
import { LinkButton } from '../ui/buttons.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { RefusalAdvice } from '../ui/lazy-refusal-advice.tsx'

/**
 * Dialog 'Failed to save reservation' with the reason (spec 1 §8).
 * @param answer action's response; each new one opens the dialog again
 */
export function SaveFailedDialog({
  answer,
  sentence,
  unitTypesPath,
}: {
  answer: object
  sentence: string
  unitTypesPath: string
}) {
  const [closedAnswer, setClosedAnswer] = useState<object | null>(null)
  return (
    <Dialog
      open={closedAnswer !== answer}
      onClose={() => setClosedAnswer(answer)}
      title={saveReservationFailed}
      actions={<LinkButton href={unitTypesPath}>OK</LinkButton>}
    >
      <p>{sentence}</p>
      <RefusalAdvice sentence={sentence} />
    </Dialog>
  )
}
