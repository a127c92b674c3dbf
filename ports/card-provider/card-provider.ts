/** A request for an order's hosted card page. Card numbers never reach us; a stored card is known by its alias. */
export interface HostedPageRequest {
  orderId: string
  /** Whole cents; 0 only stores the card. */
  amount: number
  /** True if the provider is to store the card under an alias, for autopay; with amount 0 it stores the card anyway. */
  createAlias: boolean
  /** Address to which the card page redirects its frame afterwards, with the result in the query. */
  returnUrl: string
  customer: { name: string; email: string; address: string; city: string; state: string; zip: string }
}

/** A card page that was opened for an order. */
export interface HostedPage {
  sessionToken: string
  payPageUrl: string
}

/** The state of an order at the provider. Texts are the provider's own. */
export interface OrderResult {
  /**
   * APPROVED and DECLINED are final. PENDING: the payment is not finished, or the provider does not know the order
   * (814). CANCELLED: the payer left the card page by its cancel link.
   */
  state: 'APPROVED' | 'PENDING' | 'DECLINED' | 'CANCELLED'
  orderId: string
  responseCode: string
  responseDescription: string
  transactionId: string
  /** Amount in cents. */
  approvedAmount: number
  alias: string
  cardBrand: string
  maskedCardNumber: string
  expMonth: string
  /** Two digits; '' if the provider sends none. */
  expYear: string
  customerName: string
  address: string
  postalCode: string
  receiptId: string
}

/** A charge in the provider's list of transactions. */
export interface ListedCharge {
  orderId: string
  transactionId: string
  /** Charged amount, in cents. */
  amount: number
  /** Time of the charge by the provider's clock, in epoch milliseconds. */
  at: number
  /** Refunded amount, in cents. */
  refundedAmount: number
  cardBrand: string
  maskedCardNumber: string
  customerName: string
}

/**
 * Why a call has no result. 'timeout': no response in time; 'unreachable': no connection, or one that was cut;
 * 'refused': the provider did not carry out the request, such as for wrong credentials, or the call was blocked, since
 * the database may be a restored copy; 'garbage': response that cannot be read; 'status': HTTP status other than
 * 200.
 */
type UnavailableReason = 'timeout' | 'unreachable' | 'refused' | 'garbage' | 'status'

/** Thrown when a call has no result; `reason` says why. The outcome may be unknown: query again by order id. */
export class CardProviderUnavailable extends Error {
  readonly reason: UnavailableReason
  constructor(reason: UnavailableReason, message: string) {
    super(message)
    this.name = 'CardProviderUnavailable'
    this.reason = reason
  }
}

/** The interface to the card provider. */
export interface CardProvider {
  /** Origin of the hosted card page, for `frame-src` in our Content-Security-Policy. */
  readonly pageOrigin: string
  /** Opens a card page for an order. @throws CardProviderUnavailable */
  createHostedPage(request: HostedPageRequest): Promise<HostedPage>
  /** Queries the current state of an order. @throws CardProviderUnavailable */
  queryPayment(orderId: string): Promise<OrderResult>
  /** Charges a stored card, once for each order id; `amount` in cents. @throws CardProviderUnavailable */
  saleByAlias(request: { orderId: string; alias: string; amount: number }): Promise<OrderResult>
  /**
   * Refunds an order's whole amount once: voids an unsettled charge, returns a settled one.
   * @returns `done`: whether the order's charge is refunded, now or before; true for an order that only stored a card
   * @throws CardProviderUnavailable
   */
  refund(request: { orderId: string }): Promise<{ done: boolean; responseCode: string; responseDescription: string }>
  /**
   * Lists one page of the charges since an instant (epoch milliseconds), oldest first.
   * @param request.after `next` of the previous page
   * @returns `next`: null on the last page
   * @throws CardProviderUnavailable
   */
  listCharges(request: { since: number; after?: string }): Promise<{ charges: ListedCharge[]; next: string | null }>
}
