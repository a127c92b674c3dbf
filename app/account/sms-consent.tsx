import { Form, useNavigation } from 'react-router'
import { formatPhone } from '../../domain/phone.ts'
import { ownTextConsent } from '../../modules/messages/texts/sms-consent.ts'
import { Button } from '../ui/buttons.tsx'

/**
 * Shows whether the tenant receives text messages, and a button that changes it.
 * @param texts `fixed` when only START from the number turns them on again, as after STOP; null without a cell phone
 */
export function SmsConsent({ texts, phone }: { texts: 'on' | 'off' | 'fixed' | null; phone: string }) {
  const busy = useNavigation().formData?.get('intent') === 'texts'
  if (texts === null)
    return <p className="py-3 soft">Add a cell phone to your contact info, and we can text you your gate code.</p>
  const number = <span className="num">{formatPhone(phone)}</span>
  if (texts === 'fixed')
    return (
      <p className="py-3">
        Off: {number} has asked for no more texts. To get them again, reply START to any text from us. Your gate code
        comes by e-mail.
      </p>
    )
  const isOn = texts === 'on'
  return (
    <Form method="post" className="py-3">
      <p>
        {isOn ? 'On' : 'Off'} for {number}.
      </p>
      {!isOn && <p className="hint mt-1">{ownTextConsent}</p>}
      <input type="hidden" name="intent" value="texts" />
      <div className="mt-3">
        <Button kind="secondary" name="texts" value={isOn ? 'off' : 'on'} busy={busy}>
          {isOn ? 'Turn texts off' : 'Turn texts on'}
        </Button>
      </div>
    </Form>
  )
}
