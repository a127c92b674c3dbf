import { MOST_OVERLAP_DAYS } from '../../../domain/transfer.ts'
import { TextField } from './text.tsx'

/** From when, and how long, somebody has both units. */
export const TransferDays = ({
  begins,
  overlapHint,
  days,
  values,
  fields,
}: {
  begins: { label: string; hint: string }
  overlapHint: string
  days: { earliest: string; latest: string }
  values: { transfer_date: string; overlap_days: string }
  fields: Record<string, string>
}) => (
  <>
    <TextField
      type="date"
      name="transfer_date"
      {...begins}
      min={days.earliest}
      max={days.latest}
      defaultValue={values.transfer_date}
      error={fields.transfer_date}
    />
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
