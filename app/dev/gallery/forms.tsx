import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { CheckboxField, CheckboxGroup, RatingField, SelectField } from '../../ui/fields/choice.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { FieldPair } from '../../ui/fields/field.tsx'
import { StateSelect } from '../../ui/fields/state-select.tsx'
import {
  CodeField,
  DateField,
  EmailField,
  FileField,
  PasswordField,
  PhoneField,
  TextArea,
  TextField,
  ZipField,
} from '../../ui/fields/text.tsx'
import { useFormChecks } from '../../ui/use-form-checks.ts'
import { GallerySection } from './gallery-section.tsx'

export function Forms() {
  const checks = useFormChecks(
    (data) => ({
      ...(data.first ? {} : { first: 'First Name required' }),
      ...(/^\d{5}$/.test(data.zip ?? '') ? {} : { zip: 'Zip Code must be 5 digits' }),
    }),
    { zip: 'Zip Code must be 5 digits' },
  )
  return (
    <GallerySection title="Form">
      <form {...checks.form}>
        <ErrorSummary {...checks.summary} />
        <FieldPair>
          <TextField {...checks.field('first')} label="First name" autoComplete="given-name" />
          <TextField name="last" label="Last name" autoComplete="family-name" defaultValue="Okafor" />
        </FieldPair>
        <EmailField name="email" label="Email" hint="We send the lease and your gate code here." />
        <PhoneField name="cell_phone" label="Cell phone" />
        <TextField name="company" label="Company" optional autoComplete="organization" />
        <TextField name="address" label="Address" autoComplete="street-address" maxLength={140} />
        <FieldPair wide>
          <TextField name="city" label="City" autoComplete="address-level2" />
          <StateSelect name="state" label="State" width={undefined} />
          <ZipField {...checks.field('zip')} label="Zip code" />
        </FieldPair>
        <DateField name="birth_date" label="Birth date" autoComplete="bday" />
        <SelectField name="branch" label="Branch" options={[{ value: 'army', label: 'Army' }]} width={20} />
        <TextArea name="description" label="Description" optional rows={3} />
        <PasswordField name="password" label="Password" hint="At least 8 characters." />
        <CodeField name="code" label="Code from the e-mail" />
        <CheckboxField name="autopay" label="Pay by autopay" hint="On the first day of each period." defaultChecked />
        <CheckboxField
          name="valid"
          label="The vehicle has valid and current insurance."
          error="You must confirm that the vehicle has valid and current insurance."
        />
        <CheckboxGroup
          name="reasons"
          legend="Why are you leaving?"
          options={[
            { value: 'rates', label: 'Rates' },
            { value: 'need', label: 'No Longer Needed' },
          ]}
        />
        <RatingField name="rating" legend="How was your stay?" defaultValue={3} />
        <FileField name="policy" label="Policy" accept="application/pdf,image/*" hint="PDF or picture, up to 10 MB." />
        <ButtonRow>
          <Button>Submit Reservation</Button>
        </ButtonRow>
      </form>
    </GallerySection>
  )
}
