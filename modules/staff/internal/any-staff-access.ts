/** Access rule of operations that any staff member may call for themselves. */
export const anyStaffMember = { staff: () => true }
