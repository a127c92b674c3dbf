import { useCallback, useEffect, useRef, useState } from 'react'
import { useSubmit } from 'react-router'
import { serverUnreachable } from '../../domain/texts/general-errors.ts'
import { Button } from '../ui/buttons.tsx'
import { usePasskeys } from '../ui/detect-passkey-support.ts'
import { useSubmitting } from '../ui/use-submitting.ts'

const loadLibrary = () => import('./passkeys-in-browser.ts')

/** Interval at which the autofill challenge is renewed, in milliseconds; a challenge expires after 10 minutes. */
const RENEW_MS = 8 * 60_000

/**
 * Button that signs in by passkey.
 * @param inField true also offers passkeys in the user name's autofill list
 * @param turn changes after each refusal; the browser is then asked for the autofill list again
 */
export function PasskeySignInButton({ inField, turn }: { inField: boolean; turn: unknown }) {
  const isSupported = usePasskeys()
  const submit = useSubmit()
  const isSending = useSubmitting()
  const [isPrompting, setIsPrompting] = useState(false)
  const [message, setMessage] = useState('')
  const [attempts, setAttempts] = useState(0)
  const isPressed = useRef(false)

  const submitAnswer = useCallback(
    (answer: string) => submit({ intent: 'passkey', answer }, { method: 'post' }),
    [submit],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: a refusal or a closed dialog starts autofill again
  useEffect(() => {
    if (!isSupported || !inField) return
    let isOver = false
    const offerAutofill = async () => {
      // The browser allows one passkey prompt at a time, and a hidden tab needs none.
      if (isPressed.current || document.visibilityState === 'hidden') return
      const { askForPasskey, supportsPasskeyAutofill } = await loadLibrary()
      if (isOver || isPressed.current || !(await supportsPasskeyAutofill())) return
      const answer = await askForPasskey(true).catch(() => null)
      if (answer && !isOver) submitAnswer(answer)
    }
    void offerAutofill()
    const timer = setInterval(offerAutofill, RENEW_MS)
    return () => {
      isOver = true
      clearInterval(timer)
      void loadLibrary().then(({ cancelPasskeyPrompt }) => isPressed.current || cancelPasskeyPrompt())
    }
  }, [isSupported, inField, turn, attempts, submitAnswer])

  if (!isSupported) return null
  const signIn = async () => {
    if (isPrompting || isSending) return
    isPressed.current = true
    setIsPrompting(true)
    setMessage('')
    try {
      const { askForPasskey, passkeyErrorMessage } = await loadLibrary()
      try {
        await submitAnswer(await askForPasskey(false))
      } catch (error) {
        setMessage(passkeyErrorMessage(error, 'No passkey was used. Try again, or use your password.') ?? '')
      }
    } catch {
      setMessage(serverUnreachable)
    }
    isPressed.current = false
    setIsPrompting(false)
    setAttempts((n) => n + 1)
  }
  return (
    <div className="mt-6">
      <Button type="button" kind="secondary" busy={isPrompting} onClick={signIn}>
        Sign in with a passkey
      </Button>
      <p className="small soft mt-2" role="status">
        {message}
      </p>
    </div>
  )
}
