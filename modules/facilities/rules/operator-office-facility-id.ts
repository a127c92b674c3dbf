/** Facility number of the operator's office, which rents out no units (spec 2 §2: units at facility 1 are skipped). */
export const OFFICE_FACILITY_ID = 1
