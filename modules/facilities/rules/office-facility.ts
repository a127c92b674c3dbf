/** Facility number of the operator's office, never rented (spec 2 §2: units at facility ID 1 are skipped). */
export const OFFICE_FACILITY_ID = 1
