/** Rules for accepted text, shared by forms, operations and imported files. */

// Control and direction-changing characters, line separators, halves of surrogate pairs and noncharacters can break
// mail headers, XML and PDF.
const refusedCharacters = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u

const lineBreaksAndTabs = /[\r\n\t]/g

/** Returns whether a text has no refused characters; line breaks and tabs are among them. */
export const isPlainLine = (text: string): boolean => !refusedCharacters.test(text)

/** Returns whether a text has no refused characters other than line breaks and tabs. */
export const isPlainText = (text: string): boolean => isPlainLine(text.replace(lineBreaksAndTabs, ''))

/**
 * Returns whether a text contains '://' or 'www.', which mail programs turn into links. Our mails must not carry spam.
 */
export const containsLink = (text: string): boolean =>
  /:\/\/|www[.\u3002]/i.test(text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, ''))
