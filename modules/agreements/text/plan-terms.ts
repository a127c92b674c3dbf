/** Sentences of a text; an amount such as '$1,000.50' ends none. */
const sentences = (text: string) => text.split(/(?<=[.!?])\s+(?=[A-Z])/).filter((part) => part.trim() !== '')

/** @returns `shared`: the sentences that stand in every plan; `own`: the others, by plan */
export function planTerms(plans: readonly { terminology: string }[]): { shared: string[]; own: string[][] } {
  const said = plans.map(({ terminology }) => sentences(terminology))
  const shared =
    said.length > 1 ? (said[0] ?? []).filter((sentence) => said.every((one) => one.includes(sentence))) : []
  return { shared, own: said.map((one) => one.filter((sentence) => !shared.includes(sentence))) }
}
