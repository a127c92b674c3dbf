import type { ReactNode } from 'react'
import { MAX_OVERLAP_DAYS } from '../../../modules/transfers/rules/transfer.ts'
import { TextField } from './text.tsx'

/**
 * Fields for the first day of a transfer and the days with both units.
 * @param begins field for the first day
 */
export const UnitTransferDateFields = ({
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
      max={MAX_OVERLAP_DAYS}
      defaultValue={values.overlap_days}
      hint={overlapHint}
      error={fields.overlap_days}
    />
  </>
)
