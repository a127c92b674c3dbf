import { PASSWORD_MIN } from '../../domain/field-lengths.ts'
import { PasswordField } from '../ui/fields/text.tsx'
import type { FormChecks } from '../ui/use-form-checks.ts'

/** Fields for a new password and its confirmation. */
export const NewPasswordFields = ({
  checks,
  label = 'New password',
  again = 'Confirm password',
}: {
  checks: Pick<FormChecks, 'field'>
  label?: string
  again?: string
}) => (
  <>
    <PasswordField
      {...checks.field('password')}
      label={label}
      hint={`At least ${PASSWORD_MIN} characters. A few words together are easy to keep in mind and hard to guess.`}
      autoComplete="new-password"
    />
    <PasswordField {...checks.field('confirm_password')} label={again} autoComplete="new-password" />
  </>
)
