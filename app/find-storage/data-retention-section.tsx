import { SIGN_IN_RETENTION_DAYS } from '../../modules/accounts/rules/tenant-sign-in-lifetime-and-retention.ts'
import type { PrivacyTerms } from '../../modules/privacy/rules/retention-and-export-limit-setting.ts'

interface RetainedRecord {
  what: string
  how: string
  until: string
}

const untilErased = 'Until you have moved out and ask us to erase it.'

/** Lists the kinds of records that the operator keeps, each with its purpose and for how long it is kept. */
const retainedRecords = ({ leaseYears }: PrivacyTerms): RetainedRecord[] => [
  {
    what: 'Name, addresses, e-mail, phone numbers',
    how: 'To rent to you, to write to you about your unit, and to let you in.',
    until: untilErased,
  },
  {
    what: 'Driver’s license, date of birth',
    how: 'For the rental agreement. Stored encrypted; each of our people who looks at it is recorded.',
    until: untilErased,
  },
  {
    what: 'Vehicle, lien holder, military service, own insurance',
    how: 'Where you tell us, because the law or the agreement asks for it.',
    until: untilErased,
  },
  {
    what: 'Card',
    how: 'The number goes to our card provider and never reaches us. We keep its last four digits and a reference that only the provider can use.',
    until: `The reference: until you ask us to erase it. The last four digits: ${leaseYears} years more.`,
  },
  {
    what: 'Bank account',
    how: 'Stored encrypted with the payment that it made.',
    until: `Until you ask us to erase it. The last four digits: ${leaseYears} years more.`,
  },
  {
    what: 'Signed agreement, how and when you signed it',
    how: 'Your proof and ours of what was agreed.',
    until: `${leaseYears} years after your last lease ended, where you asked us to erase you.`,
  },
  {
    what: 'Charges and payments',
    how: 'Our books, as tax law asks.',
    until: 'As long as the books; without your name once you are erased.',
  },
  {
    what: 'A rental that you began and did not finish',
    how: 'So that you can go on where you stopped.',
    until: '2 days; 30 days with a reservation. Then it is erased without your asking.',
  },
  {
    what: 'An e-mail address that waits for a free unit',
    how: 'To write to you once when one is free.',
    until: '2 days after that mail, and no longer than a year. Then it is erased without your asking.',
  },
  {
    what: 'Password',
    how: 'To know you when you log in. Stored only as a hash.',
    until: untilErased,
  },
  {
    what: 'Sign-ins',
    how: 'The time, device and network address of each, which you can see in your account while it lasts.',
    until: `${SIGN_IN_RETENTION_DAYS} days after it ended. Then it is erased without your asking.`,
  },
]

export function DataRetentionSection({ terms }: { terms: PrivacyTerms }) {
  return (
    <>
      <h2 className="mt-12">What we keep, and for how long</h2>
      <ul className="mt-4">
        {retainedRecords(terms).map((record) => (
          <li key={record.what} className="border-line border-t py-4">
            <h3>{record.what}</h3>
            <p className="mt-1">{record.how}</p>
            <p className="soft mt-1">
              <strong>How long:</strong> {record.until}
            </p>
          </li>
        ))}
      </ul>
      <div className="prose mt-8">
        <h2>Cookies</h2>
        <p>
          One cookie keeps your place while you rent, pay or are logged in. It is encrypted and ends by itself. Nothing
          on this site follows you elsewhere: no advertising, no analytics, no scripts of others but the card form of
          our card provider on the page where you pay.
        </p>
        <h2 className="mt-8">Your data, in your hands</h2>
        <p>
          Ask us for a copy of everything we hold about you, or to erase it. A copy is one file, handed to you alone. We
          erase what neither an open lease, a balance nor the law needs, and tell you what stays and why.
        </p>
      </div>
    </>
  )
}
