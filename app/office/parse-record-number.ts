/** Parses the number of a tenant, lease or unit in an address or form; undefined for other text. */
export const parseRecordNumber = (text: string | null | undefined): number | undefined =>
  /^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined
