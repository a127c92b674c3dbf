/** Returns a new renter's rent for a period, in cents: the web price if there is one, else the street rate. */
export const newRenterRent = (type: {
  internet_price_available: number
  internet_price: number
  rent: number
}): number => (type.internet_price_available === 1 ? type.internet_price : type.rent)
