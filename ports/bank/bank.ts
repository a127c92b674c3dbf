/** Keyed by our order id, so a repeated call never debits twice. */

export interface BankAccount {
  name: string
  routing: string
  /** 4 to 17 digits; leading zeros count. */
  account: string
  type: 'Checking' | 'Savings'
}

export interface DebitResult {
  /** ACCEPTED: in collection, may still be returned. UNKNOWN: no such order. */
  state: 'ACCEPTED' | 'REFUSED' | 'RETURNED' | 'UNKNOWN'
  orderId: string
  amount: number
  /** The network's own reference, '' while there is none. */
  traceNumber: string
  /** 'R01' and others where it was returned, a code of refusal where it was refused, else ''. */
  code: string
  description: string
}

export interface DebitReturn {
  orderId: string
  /** 'R01' insufficient funds, 'R02' closed, 'R03' no account, 'R10' not authorised, … */
  code: string
  description: string
  amount: number
  at: number
  cursor: string
}

/** The bank could not be asked or did not make sense: nothing is known, ask again by order id. */
export class BankUnavailable extends Error {
  readonly why: 'timeout' | 'refused' | 'garbage' | 'status'
  constructor(why: 'timeout' | 'refused' | 'garbage' | 'status', message: string) {
    super(message)
    this.name = 'BankUnavailable'
    this.why = why
  }
}

export interface Bank {
  /** First-use validation of an account (Nacha's WEB debit rule): open, and able to be debited. @throws BankUnavailable */
  validateAccount(account: BankAccount): Promise<{ valid: boolean; reference: string; description: string }>
  /** Takes money; asking again with the same order id takes nothing again. @throws BankUnavailable */
  debit(request: { orderId: string; account: BankAccount; amount: number; descriptor: string }): Promise<DebitResult>
  /** The truth about an order. @throws BankUnavailable */
  queryDebit(orderId: string): Promise<DebitResult>
  /** Gives back an accepted debit's whole amount as a credit; asking twice gives back once. @throws BankUnavailable */
  refund(request: { orderId: string; amount: number }): Promise<{ done: boolean; code: string; description: string }>
  /** Debits that came back after `cursor` ('' for all), the oldest first, at most 500. @throws BankUnavailable */
  returnsSince(cursor: string): Promise<DebitReturn[]>
}
