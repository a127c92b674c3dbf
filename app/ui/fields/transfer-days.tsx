import type { ReactNode } from 'react'
import { MOST_OVERLAP_DAYS } from '../../../modules/transfers/rules/transfer.ts'
import { TextField } from './text.tsx'

/** From when, and how long, the tenant has both units. @param begins the field of the first day, as other fields of days there */
export const TransferDays = ({
  begins,
  overlapHint,
  values,
  fields,
}: {
  begins: ReactNode
  overlapHint: string
  values: { overlap_days: string }
  fields: Record<string, string>
}) => (
  <>
    {begins}
    <TextField
      type="number"
      name="overlap_days"
      label="Days with both units"
      min={0}
      max={MOST_OVERLAP_DAYS}
      defaultValue={values.overlap_days}
      hint={overlapHint}
      error={fields.overlap_days}
    />
  </>
)
