import { useCallback, useEffect, useRef, useState } from 'react'
import { useSubmit } from 'react-router'
import { Button } from '../ui/buttons.tsx'
import { usePasskeys } from '../ui/passkey-support.ts'
import { useBusy } from '../ui/use-submitting.ts'

const library = () => import('./passkeys-in-browser.ts')

/** Interval at which the autofill challenge is renewed, in milliseconds; the server forgets one after 10 minutes. */
const RENEW_MS = 8 * 60_000

/**
 * Button that signs in by passkey.
 * @param inField also offers passkeys in the user name's autofill list
 * @param turn when this value changes, as after a refusal, the autofill list asks the browser again
 */
export function PasskeySignIn({ inField, turn }: { inField: boolean; turn: unknown }) {
  const has = usePasskeys()
  const submit = useSubmit()
  const sending = useBusy()
  const [asking, setAsking] = useState(false)
  const [words, setWords] = useState('')
  const [tries, setTries] = useState(0)
  const pressed = useRef(false)

  const send = useCallback((answer: string) => submit({ intent: 'passkey', answer }, { method: 'post' }), [submit])

  // biome-ignore lint/correctness/useExhaustiveDependencies: after a refusal or a closed dialog the list asks once more
  useEffect(() => {
    if (!has || !inField) return
    let over = false
    const ask = async () => {
      // The button's dialog is opening, or the tab is hidden.
      if (pressed.current || document.visibilityState === 'hidden') return
      const { askForPasskey, supportsPasskeyAutofill } = await library()
      if (over || pressed.current || !(await supportsPasskeyAutofill())) return
      const answer = await askForPasskey(true).catch(() => null)
      if (answer && !over) send(answer)
    }
    void ask()
    const timer = setInterval(ask, RENEW_MS)
    return () => {
      over = true
      clearInterval(timer)
      void library().then(({ cancelPasskeyPrompt }) => pressed.current || cancelPasskeyPrompt())
    }
  }, [has, inField, turn, tries, send])

  if (!has) return null
  const press = async () => {
    if (asking || sending) return
    pressed.current = true
    setAsking(true)
    setWords('')
    try {
      const { askForPasskey, passkeyErrorMessage } = await library()
      try {
        await send(await askForPasskey(false))
      } catch (error) {
        setWords(passkeyErrorMessage(error, 'No passkey was used. Try again, or use your password.') ?? '')
      }
    } catch {
      setWords('We could not reach our server. Check your connection and try again.')
    }
    pressed.current = false
    setAsking(false)
    setTries((n) => n + 1)
  }
  return (
    <div className="mt-6">
      <Button type="button" kind="secondary" busy={asking} onClick={press}>
        Sign in with a passkey
      </Button>
      <p className="small soft mt-2" role="status">
        {words}
      </p>
    </div>
  )
}
