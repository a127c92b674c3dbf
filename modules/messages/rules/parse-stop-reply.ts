const stopWords = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT']
const startWords = ['START', 'UNSTOP', 'YES']

/** Words around a STOP that do not change its meaning: 'I said stop, please'. */
const politeWords =
  /\b(?:please|pls|plz|kindly|just|now|immediately|again|already|needs|to|ok|okay|hi|hey|hello|sorry|thanks|thank you|can|could|would|must|you|guys|this|has|i sa(?:id|y))\b/g

const message = '(?:te?xts?|te?xting|te?xted|messages?|messaging|messaged|msgs?|sms|contact|contacting|contacted)'
/** Words that may be between a request to stop and its object: 'do not send me any more texts'. */
const wordsBetween = String.raw`(?:\s+(?:ever|send|sending|sent|get|getting|receive|receiving|to|be|the|these|those|this|all|any|your|me|my|us|with|more|please))*`

/** Returns patterns of text-message replies that ask in ordinary words to end text messages. */
const stopRequestPatterns = () =>
  [
    String.raw`(?:do not|don ?t|never|no longer|stop|quit|cease|end|cancel)${wordsBetween}\s+${message}`,
    String.raw`(?:do not|don ?t|no longer) (?:want|wish|like|need)${wordsBetween}\s+${message}`,
    '(?:do not|don ?t|stop|quit) (?:send|sending)(?: me)?(?: anything| these| this)',
    `no more ${message}`,
    '(?:revoke|withdraw|cancel|end) (?:my )?consent',
    '(?:remove|delete|erase|lose) (?:me|us|my (?:number|phone|cell|name)|this (?:number|phone))',
    'take (?:me|us|my (?:number|phone|name)|this number) off',
    '(?:opt|opting) (?:me )?out',
    'unsubscribe',
    'leave me alone',
    'wrong (?:(?:tele)?phone |cell )?(?:number|person)',
  ].map((words) => new RegExp(String.raw`\b${words}\b`))

/**
 * Normalizes a reply: lower case, no apostrophes. Punctuation and line breaks become ' . ', so that no pattern matches
 * across them; other characters than a to z become spaces.
 */
const normalizeReply = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['\u2018\u2019`]/g, '')
    .replace(/[.,;:!?\n]+/g, ' . ')
    .replace(/[^a-z.]+/g, ' ')
    .trim()

/** Returns whether a sentence only says STOP or the like, apart from polite words. */
function isStop(sentence: string): boolean {
  const rest = sentence.replace(politeWords, '').trim().replace(/ +/g, ' ')
  return rest === 'cease' || stopWords.includes(rest.toUpperCase()) || new RegExp(`^no (?:more|${message})$`).test(rest)
}

/**
 * Parses a reply to a text message: its first word, as carriers do, or a request in other words. STOP takes precedence
 * over START; null for any other text.
 */
export function parseStopReply(text: string): 'stop' | 'start' | null {
  const reply = normalizeReply(text)
  const word = /[a-z]+/.exec(reply)?.[0].toUpperCase() ?? ''
  const isStopReply = stopWords.includes(word) || reply.split('.').some(isStop)
  if (isStopReply || stopRequestPatterns().some((pattern) => pattern.test(reply))) return 'stop'
  return startWords.includes(word) ? 'start' : null
}
