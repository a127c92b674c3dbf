/**
 * Kind of payer of an order. 'move_in': a renter; 'units': a tenant who pays for several units at once; 'autopay': the
 * tenant's stored card or bank account, charged automatically.
 */
export type PayerKind = 'move_in' | 'tenant' | 'units' | 'guest' | 'autopay' | 'auction' | 'settlement'
