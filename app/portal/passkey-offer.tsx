import { useEffect, useState } from 'react'
import { Form } from 'react-router'
import { Button, ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { Card } from '../ui/card-tag-and-callout.tsx'
import { usePasskeys } from '../ui/detect-passkey-support.ts'

export function PasskeyOffer() {
  const isSupported = usePasskeys()
  const [isAvailable, setIsAvailable] = useState(false)
  useEffect(() => {
    if (isSupported) PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().then(setIsAvailable, () => {})
  }, [isSupported])
  if (!isAvailable) return null
  return (
    <Card as="section" wash className="mt-8">
      <h2 className="text-lead">Sign in without your password</h2>
      <p className="mt-2 soft">
        Add a passkey, and next time your fingerprint, face or screen lock is enough on this device.
      </p>
      <Form method="post" action="/add-passkey">
        <input type="hidden" name="intent" value="decline" />
        <ButtonRow>
          <LinkButton kind="secondary" to="/add-passkey">
            Add a passkey
          </LinkButton>
          <Button kind="quiet">No, thanks</Button>
        </ButtonRow>
      </Form>
    </Card>
  )
}
