/** Returns a text of more than `length` characters shortened to that many, with an ellipsis. */
export const truncate = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}…` : text
