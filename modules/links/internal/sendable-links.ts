/** Links that a staff member can mail to a tenant. */
export const sendableLinks = ['pay', 'sign', 'reservation', 'register'] as const

export type SendableLink = (typeof sendableLinks)[number]

/** Descriptions of mailed links, for the audit. */
export const sendableLinkNames: Record<SendableLink, (unit: string) => string> = {
  pay: (unit) => `the link to pay for ${unit}`,
  sign: (unit) => `the link to sign the terms of ${unit}`,
  reservation: (unit) => `the link of the reservation of ${unit}`,
  register: () => 'the link to an online account',
}
