/** A hosted card page for one order. Card numbers never pass through us; a stored card is known by its alias. */
export interface HostedPageRequest {
  orderId: string
  /** Whole cents; 0 only stores the card. */
  amount: number
  /** Keep the card under an alias (autopay, or amount 0). */
  createAlias: boolean
  /** Where the card page sends its frame afterwards, with the result in the query. */
  returnUrl: string
  customer: { name: string; email: string; address: string; city: string; state: string; zip: string }
}

export interface HostedPage {
  sessionToken: string
  payPageUrl: string
}

/** What the provider knows of an order. Texts are the provider's own. */
export interface OrderResult {
  /** APPROVED and DECLINED are final. PENDING: not finished, or unknown to the provider (814). */
  state: 'APPROVED' | 'PENDING' | 'DECLINED' | 'CANCELLED'
  orderId: string
  responseCode: string
  responseDescription: string
  transactionId: string
  approvedAmount: number
  alias: string
  cardBrand: string
  maskedCardNumber: string
  expMonth: string
  /** Two digits as the provider sends it. */
  expYear: string
  customerName: string
  address: string
  postalCode: string
  receiptId: string
}

/** A charge as it stands in the provider's own list. */
export interface ListedCharge {
  orderId: string
  transactionId: string
  /** Cents that were taken. */
  amount: number
  /** When, by the provider's clock. */
  at: number
  /** Cents that have gone back. */
  givenBack: number
  cardBrand: string
  maskedCardNumber: string
  customerName: string
}

/** The provider could not be asked or did not make sense: nothing is known, ask again by order id. */
export class CardProviderUnavailable extends Error {
  readonly why: 'timeout' | 'refused' | 'garbage' | 'status'
  constructor(why: 'timeout' | 'refused' | 'garbage' | 'status', message: string) {
    super(message)
    this.name = 'CardProviderUnavailable'
    this.why = why
  }
}

export interface CardProvider {
  /** Origin of the hosted card page, for the frame-src of our policy. */
  readonly pageOrigin: string
  /** @throws CardProviderUnavailable */
  createHostedPage(request: HostedPageRequest): Promise<HostedPage>
  /** The truth about an order. @throws CardProviderUnavailable */
  queryPayment(orderId: string): Promise<OrderResult>
  /** Charges a stored card under a new order id; asking again with the same id charges nothing. @throws CardProviderUnavailable */
  saleByAlias(request: { orderId: string; alias: string; amount: number }): Promise<OrderResult>
  /** Gives back an order's whole amount: void while unsettled, else return. Asking twice gives back once. @throws CardProviderUnavailable */
  refund(request: {
    orderId: string
    amount: number
  }): Promise<{ done: boolean; responseCode: string; responseDescription: string }>
  /** A page of what it has charged since an instant, the oldest first. @param after `next` of the page before. @throws CardProviderUnavailable */
  listCharges(request: { since: number; after?: string }): Promise<{ charges: ListedCharge[]; next: string | null }>
}
