/** Sentences of exports and erasures. */
export const exportsSpent = (most: number) =>
  `You have exported ${most} tenants in the last 24 hours. Somebody else may, or you tomorrow.`
