import type { ReactNode } from 'react'
import { Form } from 'react-router'
import { ButtonRow, SubmitButton } from '../ui/buttons.tsx'

/** Form of an office page, with idempotency key, hidden fields and one submit button. */
export function OperationForm({
  formKey,
  hidden = {},
  intent,
  button,
  kind = 'primary',
  letter,
  className = 'office-form',
  encType,
  children,
}: {
  formKey: string
  hidden?: Record<string, string>
  intent: string
  button: string
  kind?: 'primary' | 'secondary' | 'danger'
  /** Single key that presses the button. */
  letter?: string
  className?: string
  /** Set for a form that uploads a file. */
  encType?: 'multipart/form-data'
  children?: ReactNode
}) {
  return (
    <Form method="post" className={className} encType={encType}>
      <input type="hidden" name="key" value={formKey} />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      <ButtonRow>
        <SubmitButton kind={kind} name="intent" value={intent} data-key={letter}>
          {button}
        </SubmitButton>
      </ButtonRow>
    </Form>
  )
}
