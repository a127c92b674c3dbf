import type { Random } from '../../ports/clock-and-random.ts'

/** Address and browser of a simulated payer. */
export const payerBrowser = { address: '198.51.100.9', agent: 'simulation' }

/**
 * Returns the address and browser from which a payer authorizes a bank debit. The address is random, so that few payers
 * reach the hourly limit of account checks from one address.
 */
export const newAuthorizer = (random: Random) => ({
  ...payerBrowser,
  address: `10.${random.integer(0, 255)}.${random.integer(0, 255)}.1`,
})
