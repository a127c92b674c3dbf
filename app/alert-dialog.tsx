import { useState } from 'react'
import { Dialog, DialogClose } from './ui/dialog.tsx'
import { RefusalAdvice } from './ui/lazy-refusal-advice.tsx'

/**
 * Dialog with an alert of the previous page or a form's refusal.
 * @param response loader or action data that brought the message; new data opens the dialog again
 */
export function AlertDialog({ message, response }: { message: string; response: object }) {
  const [closedFor, setClosedFor] = useState<object | null>(null)
  return (
    <Dialog
      open={closedFor !== response}
      onClose={() => setClosedFor(response)}
      title={message}
      actions={<DialogClose focused>OK</DialogClose>}
    >
      <RefusalAdvice sentence={message} />
    </Dialog>
  )
}
