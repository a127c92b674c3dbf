import type { ReactNode } from 'react'
import { data, Form } from 'react-router'
import type { Refusal } from '../../platform/operations/outcome.ts'
import { ButtonRow, SubmitButton } from '../ui/buttons.tsx'
import type { FieldErrors } from '../ui/form-checks.ts'
import type { OfficePage } from './open-office-page.ts'

/**
 * Returns a refused form with a new idempotency key, since the refused key would return the same refusal again.
 * @param values what was typed
 */
export const refusedAct = (page: OfficePage, refusal: Refusal, intent = '', values: Record<string, string> = {}) =>
  data(
    {
      intent,
      values,
      done: '',
      key: page.site.services.random.uuid(),
      fields: (refusal.fields ?? { form: refusal.message }) as FieldErrors,
    },
    { status: refusal.status },
  )

/**
 * Returns data that a page shows once and no address contains, such as a new gate code.
 * @param done the text to show
 */
export const shownOnce = (page: OfficePage, intent: string, done: string) => ({
  intent,
  values: {} as Record<string, string>,
  done,
  key: page.site.services.random.uuid(),
  fields: {} as FieldErrors,
})

/** Form of an office page, with idempotency key, errors and submit button. */
export function ActForm({
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
