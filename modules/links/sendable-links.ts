/** Links that a staff member can mail to a tenant. */
export const links = ['pay', 'sign', 'reservation', 'register'] as const

export type Link = (typeof links)[number]

/** Descriptions of mailed links, for the audit. */
export const whatIsSent: Record<Link, (unit: string) => string> = {
  pay: (unit) => `the link to pay for ${unit}`,
  sign: (unit) => `the link to sign the terms of ${unit}`,
  reservation: (unit) => `the link of the reservation of ${unit}`,
  register: () => 'the link to an online account',
}
