import type { Random } from '../../ports/clock.ts'

/** Address and browser of a simulated payer. */
export const payerBrowser = { address: '198.51.100.9', agent: 'simulation' }

/**
 * Returns the address and browser from which a payer authorizes a bank debit. Each payer gets a random network address,
 * so that few reach the limits of one network.
 */
export const newAuthorizer = (random: Random) => ({
  ...payerBrowser,
  address: `10.${random.integer(0, 255)}.${random.integer(0, 255)}.1`,
})
