/**
 * The interface to the bank that debits accounts (ACH). Debits and refunds name our order id, so a repeated call never
 * moves money twice.
 */

/** A bank account to debit. */
export interface BankAccount {
  name: string
  /** Routing number of nine digits. */
  routing: string
  /** Account number of 4 to 17 digits; leading zeros count. */
  account: string
  type: 'Checking' | 'Savings'
}

/** State of an order's debit at the bank. */
export interface DebitResult {
  /**
   * ACCEPTED: debited, may still be returned. REFUSED: not debited. RETURNED: debited, then returned.
   * UNKNOWN: the bank has no such order.
   */
  state: 'ACCEPTED' | 'REFUSED' | 'RETURNED' | 'UNKNOWN'
  orderId: string
  /** Amount in cents. */
  amount: number
  /** Reference of the ACH network; '' until it has assigned one. */
  traceNumber: string
  /** Return code (such as 'R01') of a returned debit, or refusal code of a refused debit; '' for others. */
  code: string
  description: string
}

/** A debit that the account's bank returned. */
export interface ReturnedDebit {
  orderId: string
  /** Nacha's return code: 'R01' insufficient funds, 'R02' closed, 'R03' no account, 'R10' not authorized, … */
  code: string
  description: string
  /** Amount in cents. */
  amount: number
  /** Instant of the return, in epoch milliseconds. */
  at: number
  /** Cursor for the next call of `returnsSince`. */
  cursor: string
}

/**
 * Thrown when the bank cannot be called or sends no readable response with status 200. The outcome may be unknown: query
 * again by order id.
 */
export class BankUnavailable extends Error {
  /**
   * 'timeout': no response in time; 'refused': no connection, one that was cut, no configured bank, or blocked calls, since the
   * database may be a restored copy; 'garbage': unreadable response; 'status': HTTP status other than 200.
   */
  readonly reason: 'timeout' | 'refused' | 'garbage' | 'status'
  constructor(reason: 'timeout' | 'refused' | 'garbage' | 'status', message: string) {
    super(message)
    this.name = 'BankUnavailable'
    this.reason = reason
  }
}

/** Interface to the bank that debits accounts. Every call throws BankUnavailable if its outcome is unknown. */
export interface Bank {
  /**
   * Checks that an account is open and can be debited, as Nacha's WEB debit rule requires before its first use.
   * @returns `reference`: the bank's id of the check; '' without one
   */
  validateAccount(account: BankAccount): Promise<{ valid: boolean; reference: string; description: string }>
  /** Debits the account once for each order id; `amount` in cents. */
  debit(request: { orderId: string; account: BankAccount; amount: number; descriptor: string }): Promise<DebitResult>
  /** Queries the current state of an order's debit. */
  queryDebit(orderId: string): Promise<DebitResult>
  /**
   * Credits the whole amount (cents) of an accepted debit back to the account, once for each order id.
   * @returns `done`: false if the bank refuses; `code` then says why
   */
  refund(request: { orderId: string; amount: number }): Promise<{ done: boolean; code: string; description: string }>
  /** Lists up to 500 debits that were returned after `cursor` ('' for the first ones), oldest first. */
  returnsSince(cursor: string): Promise<ReturnedDebit[]>
}
