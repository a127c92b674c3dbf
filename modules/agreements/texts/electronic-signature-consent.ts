/**
 * Heading of the electronic signature disclosure (15 U.S.C. § 7001 (c)). The hash of the whole text is part of the
 * signature's evidence.
 */
export const consentHeading = 'Signing electronically'

export const consentParagraphs: readonly string[] = [
  'You are about to sign a rental agreement on this screen. If you agree, your electronic signature, drawn or typed, binds you as one in ink does, and we will give you the agreement and the notices that go with it as electronic records.',
  'You do not have to. You may sign on paper instead, at no charge: call us before you sign, and we will prepare a copy. You may also ask for a paper copy later, at no charge, or withdraw this consent for future records by calling us; what was signed before stays valid.',
  'To read and keep the records you need a device with a current web browser, a program that opens PDF files, and an e-mail address. We mail a signed copy to your address as soon as you have moved in. Keep the address current with us.',
]

export const consentAgreement =
  'I have read this and can open PDF files. I agree to sign electronically and to receive this agreement and its notices electronically.'

export const consentText = [consentHeading, ...consentParagraphs, consentAgreement].join('\n\n')
