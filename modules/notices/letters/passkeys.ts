import { type Notice, type NoticeBrand, writeNotice } from '../letter.tsx'

export interface PasskeyFacts {
  brand: NoticeBrand
  name: string
  /** What its owner calls it. */
  passkey: string
  change: 'added' | 'removed'
  forgotUrl: string
}

/** A passkey of the account was added or removed: always sent to the account's address. */
export function passkeyChanged({ brand, name, passkey, change, forgotUrl }: PasskeyFacts): Notice {
  const added = change === 'added'
  return writeNotice(brand, {
    subject: added
      ? `A passkey was added to your ${brand.name} account`
      : `A passkey was removed from your ${brand.name} account`,
    heading: added ? 'A passkey was added' : 'A passkey was removed',
    preview: added ? 'It signs in without your password.' : 'It no longer signs in.',
    phone: brand.phone,
    blocks: [
      `${name ? `${name}, the` : 'The'} passkey “${passkey}” ${
        added
          ? 'was added to your account. It signs in without your password.'
          : 'was removed from your account, and what was signed in with it is signed out.'
      }`,
      'If this was you, all is well. If not, choose a new password now. You can have all passkeys removed with it.',
      { button: 'It was not me: reset my password', href: forgotUrl },
    ],
  })
}
