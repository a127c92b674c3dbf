/** The interface to the bank that debits accounts (ACH). Every call names our order id, so a repeated call never debits twice. */

export interface BankAccount {
  name: string
  routing: string
  /** Account number of 4 to 17 digits; leading zeros count. */
  account: string
  type: 'Checking' | 'Savings'
}

export interface DebitResult {
  /** ACCEPTED: in collection, may still be returned. UNKNOWN: the bank has no such order. */
  state: 'ACCEPTED' | 'REFUSED' | 'RETURNED' | 'UNKNOWN'
  orderId: string
  /** Cents. */
  amount: number
  /** The ACH network's reference; '' until it has assigned one. */
  traceNumber: string
  /** The return code ('R01' …) of a returned debit, the refusal code of a refused one, else ''. */
  code: string
  description: string
}

export interface DebitReturn {
  orderId: string
  /** Nacha's return code: 'R01' insufficient funds, 'R02' closed, 'R03' no account, 'R10' not authorized, … */
  code: string
  description: string
  /** Cents. */
  amount: number
  /** Epoch milliseconds. */
  at: number
  /** Cursor for the next call of `returnsSince`. */
  cursor: string
}

/** Thrown when the bank cannot be reached or its response cannot be read. The outcome is unknown: query again by order id. */
export class BankUnavailable extends Error {
  readonly why: 'timeout' | 'refused' | 'garbage' | 'status'
  constructor(why: 'timeout' | 'refused' | 'garbage' | 'status', message: string) {
    super(message)
    this.name = 'BankUnavailable'
    this.why = why
  }
}

export interface Bank {
  /** Checks that an account is open and can be debited, as Nacha's WEB debit rule asks before first use. @throws BankUnavailable */
  validateAccount(account: BankAccount): Promise<{ valid: boolean; reference: string; description: string }>
  /** Debits the account once for each order id; `amount` in cents. @throws BankUnavailable */
  debit(request: { orderId: string; account: BankAccount; amount: number; descriptor: string }): Promise<DebitResult>
  /** Asks for the current state of an order's debit. @throws BankUnavailable */
  queryDebit(orderId: string): Promise<DebitResult>
  /** Credits an accepted debit's whole amount, once for each order id. @throws BankUnavailable */
  refund(request: { orderId: string; amount: number }): Promise<{ done: boolean; code: string; description: string }>
  /** Lists up to 500 debits that were returned after `cursor` ('' for all), oldest first. @throws BankUnavailable */
  returnsSince(cursor: string): Promise<DebitReturn[]>
}
