import { Link } from 'react-router'
import { paymentHistory, proofOfInsurance } from '../../../modules/leases/texts/portal.ts'
import { DataList } from '../../ui/records.tsx'
import { Card } from '../../ui/surfaces.tsx'
import type { OnFile } from '../unit-on-file.ts'

/** Card with what is on file for a unit, its agreements and the link to its map. */
export function Papers({
  onFile,
  papers,
  map,
  unitNumber,
}: {
  onFile: OnFile[]
  /** Signed agreements, newest first. */
  papers: { href: string; name: string; on: string }[]
  map: string | null
  unitNumber: string
}) {
  return (
    <Card as="section" className="mt-6">
      <h2 className="text-lead">On file for unit {unitNumber}</h2>
      <DataList
        facts={[
          ...onFile.map(({ label, text, link }) => ({
            label,
            value: (
              <>
                {text}
                {link && (
                  <>
                    . <Link to={link.href}>{link.href === '/proof-of-insurance' ? proofOfInsurance : link.label}</Link>
                  </>
                )}
              </>
            ),
          })),
          {
            label: 'Lease',
            value:
              papers.length === 0
                ? 'Signed before this account was made: call us for a copy.'
                : papers.map(({ href, name, on }) => (
                    <span key={href} className="block">
                      <a href={`${href}?download=1`}>{name} (PDF)</a>, {on}
                    </span>
                  )),
          },
          { label: 'Receipts', value: <Link to="/recent-activity">{paymentHistory}</Link> },
          ...(map ? [{ label: 'Way to the unit', value: <Link to={map}>Show it on the map</Link> }] : []),
        ]}
      />
    </Card>
  )
}
