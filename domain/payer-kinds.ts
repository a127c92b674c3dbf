/** Who pays: a renter, tenant, guest payer, auction winner or settlement payer; `units` is a tenant with several units. */
export type PayerKind = 'move_in' | 'tenant' | 'units' | 'guest' | 'autopay' | 'auction' | 'settlement'
