import { Icon } from '../ui/icons.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'

/** Terms of the agreement on rent changes and late payments, and the facility's security features. */
export function RentTerms({ rentHolds, late, security }: { rentHolds: string; late: string; security: string[] }) {
  return (
    <>
      <div className="terms mt-10">
        <section aria-labelledby="rent-holds">
          <h2 id="rent-holds">How long this rent holds</h2>
          <p>{withNoBreakSpaces(rentHolds)}</p>
        </section>
        <section aria-labelledby="paid-late">
          <h2 id="paid-late">If a payment is late</h2>
          <p>{withNoBreakSpaces(late)}</p>
        </section>
        {security.length > 0 && (
          <section aria-labelledby="security">
            <h2 id="security">Security here</h2>
            <ul>
              {security.map((fact) => (
                <li key={fact}>
                  <Icon name="check" /> {fact}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      <p className="soft small mt-4">Rent and late payments: as the rental agreement says.</p>
    </>
  )
}
