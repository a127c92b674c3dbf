/** What counts as text, for forms, operations and files of records alike. */

// Control and direction-changing characters, line separators and halves of surrogate pairs end up in mail headers, XML
// and PDF.
const unwelcome = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u

const lineBreaks = /[\r\n\t]/g

export const isPlainLine = (text: string): boolean => !unwelcome.test(text)

/** Text of several lines: it may have line breaks and tabs. */
export const isPlainText = (text: string): boolean => isPlainLine(text.replace(lineBreaks, ''))

/** Whether a mail program would make a link of it: our mails must not carry a stranger's spam. */
export const holdsLink = (text: string): boolean =>
  /:\/\/|www[.\u3002]/i.test(text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, ''))
