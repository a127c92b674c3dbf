/** Everybody, for themselves. */
export const oneself = { staff: () => true }
