// Written by `npm run catalogue`.

import { platformCards } from '../../../platform/table-types-and-privacy.ts'
import { accountsCards } from '../../accounts/table-types-and-privacy.ts'
import { appointmentsCards } from '../../appointments/table-types-and-privacy.ts'
import { billingCards } from '../../billing/table-types-and-privacy.ts'
import { cashDrawersCards } from '../../cash-drawers/table-types-and-privacy.ts'
import { collectionsCards } from '../../collections/table-types-and-privacy.ts'
import { facilitiesCards } from '../../facilities/table-types-and-privacy.ts'
import { gateCards } from '../../gate/table-types-and-privacy.ts'
import { insuranceCards } from '../../insurance/table-types-and-privacy.ts'
import { leasesCards } from '../../leases/table-types-and-privacy.ts'
import { ledgerCards } from '../../ledger/table-types-and-privacy.ts'
import { liensCards } from '../../liens/table-types-and-privacy.ts'
import { linksCards } from '../../links/table-types-and-privacy.ts'
import { messagesCards } from '../../messages/table-types-and-privacy.ts'
import { moveOutsCards } from '../../move-outs/table-types-and-privacy.ts'
import { paymentsCards } from '../../payments/table-types-and-privacy.ts'
import { pricingCards } from '../../pricing/table-types-and-privacy.ts'
import { refundsCards } from '../../refunds/table-types-and-privacy.ts'
import { rentChangesCards } from '../../rent-changes/table-types-and-privacy.ts'
import { reportsCards } from '../../reports/table-types-and-privacy.ts'
import { reservationsCards } from '../../reservations/table-types-and-privacy.ts'
import { staffCards } from '../../staff/table-types-and-privacy.ts'
import { standingCards } from '../../standing/table-types-and-privacy.ts'
import { tenantsCards } from '../../tenants/table-types-and-privacy.ts'
import { transfersCards } from '../../transfers/table-types-and-privacy.ts'
import { privacyCards } from '../table-types-and-privacy.ts'

export const cardsBySubject = {
  accounts: accountsCards,
  appointments: appointmentsCards,
  billing: billingCards,
  'cash-drawers': cashDrawersCards,
  collections: collectionsCards,
  facilities: facilitiesCards,
  gate: gateCards,
  insurance: insuranceCards,
  leases: leasesCards,
  ledger: ledgerCards,
  liens: liensCards,
  links: linksCards,
  messages: messagesCards,
  'move-outs': moveOutsCards,
  payments: paymentsCards,
  pricing: pricingCards,
  privacy: privacyCards,
  refunds: refundsCards,
  'rent-changes': rentChangesCards,
  reports: reportsCards,
  reservations: reservationsCards,
  staff: staffCards,
  standing: standingCards,
  tenants: tenantsCards,
  transfers: transfersCards,
  platform: platformCards,
}
