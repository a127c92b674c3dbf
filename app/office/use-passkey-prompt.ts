import { useState } from 'react'
import { serverUnreachable } from '../../domain/texts/general-errors.ts'

type Passkeys = typeof import('../account/passkeys-in-browser.ts')

/**
 * Hook for the browser's passkey dialog, whose code is loaded when it is first needed.
 * @param closed sentence for a dialog that was closed without a passkey
 * @returns `prompt` loads the code and calls the given function with it, which opens the dialog and submits the answer;
 *   `busy` is true meanwhile; `message` is '' or the sentence about a failure
 */
export function usePasskeyPrompt(closed: string) {
  const [busy, setBusy] = useState(false)
  const [message, setMessage] = useState('')
  const prompt = async (openAndSubmit: (passkeys: Passkeys) => Promise<void>) => {
    setBusy(true)
    setMessage('')
    try {
      const passkeys = await import('../account/passkeys-in-browser.ts')
      try {
        await openAndSubmit(passkeys)
      } catch (error) {
        setMessage(passkeys.passkeyErrorMessage(error, closed) ?? '')
      }
    } catch {
      setMessage(serverUnreachable)
    }
    setBusy(false)
  }
  return { busy, message, prompt }
}
