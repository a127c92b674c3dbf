/** Facility number of the operator's office, which lets no units (spec 2 §2: units at facility ID 1 are skipped). */
export const OFFICE_FACILITY_ID = 1
