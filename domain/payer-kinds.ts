/**
 * Kind of payer of an order. 'move_in': a renter; 'tenant': a tenant who pays for one lease; 'units': a tenant who pays
 * for several units at once; 'guest': a guest payer, who pays without an account; 'autopay': the tenant's stored card
 * or bank account, charged automatically; 'auction': an auction winner; 'settlement': a visitor with a settlement link.
 */
export type PayerKind = 'move_in' | 'tenant' | 'units' | 'guest' | 'autopay' | 'auction' | 'settlement'
