/** What a person agrees to before we text them, and what they may answer. */

export const gateCodeTextConsent =
  'With a phone number, we send one text message to it. Message and data rates may apply. Reply STOP and we send no more.'

export const deskTextConsent =
  'They agree to text messages about this reservation. Message and data rates may apply; replying STOP ends them.'

const stopping = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT']
const starting = ['START', 'UNSTOP', 'YES']

/** What a reply asks for, by its first word, as the carriers read it. */
export function readReply(text: string): 'stop' | 'start' | null {
  const word = /[a-z]+/i.exec(text)?.[0].toUpperCase() ?? ''
  if (stopping.includes(word)) return 'stop'
  return starting.includes(word) ? 'start' : null
}
