/** Terms of a move-out, with fees in cents, as stated by the pages and in the lease (spec 2 §9). */
export const MOVE_OUT = {
  cleaningFeeUpTo: 50_000,
  towingFeeMinimum: 20_000,
  unpaidVehicleDays: 60,
  verifiedIn: '2-3 business days',
  rentNotProrated: 'Rent is not prorated: the period in which you move out is owed in full.',
} as const
