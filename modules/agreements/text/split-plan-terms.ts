/** Splits a text into sentences; the dot in an amount such as '$1,000.50' does not end one. */
const sentences = (text: string) => text.split(/(?<=[.!?])\s+(?=[A-Z])/).filter((part) => part.trim() !== '')

/**
 * Splits insurance plans' terms into sentences.
 * @returns `shared`: sentences of every plan; `own`: the other sentences, by plan
 */
export function splitPlanTerms(plans: readonly { terminology: string }[]): { shared: string[]; own: string[][] } {
  const said = plans.map(({ terminology }) => sentences(terminology))
  const shared =
    said.length > 1 ? (said[0] ?? []).filter((sentence) => said.every((one) => one.includes(sentence))) : []
  return { shared, own: said.map((one) => one.filter((sentence) => !shared.includes(sentence))) }
}
