import type { MOVE_OUT } from '../../modules/move-outs/rules/stated-move-out-fees-and-terms.ts'
import { formatCents } from '../ui/money.tsx'

/** List items with the charges for a unit not left empty and clean, and for a vehicle that is towed. */
export const CleaningAndTowingCharges = ({ terms }: { terms: typeof MOVE_OUT }) => (
  <>
    <li>
      A unit that is not left empty and clean is charged a cleaning fee of up to{' '}
      {formatCents(terms.cleaningFeeUpTo, true)}.
    </li>
    <li>
      Towing a vehicle that was left behind costs at least {formatCents(terms.towingFeeMinimum, true)}. Vehicles that
      are not paid for may be towed after {terms.unpaidVehicleDays} days.
    </li>
  </>
)
