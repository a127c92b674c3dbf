// Written by `npm run catalogue`.

import { platformCards } from '../../../platform/platform-tables.ts'
import { accountsCards } from '../../accounts/tables.ts'
import { appointmentsCards } from '../../appointments/tables.ts'
import { billingCards } from '../../billing/tables.ts'
import { cashDrawersCards } from '../../cash-drawers/tables.ts'
import { collectionsCards } from '../../collections/tables.ts'
import { facilitiesCards } from '../../facilities/tables.ts'
import { gateCards } from '../../gate/tables.ts'
import { insuranceCards } from '../../insurance/tables.ts'
import { leasesCards } from '../../leases/tables.ts'
import { ledgerCards } from '../../ledger/tables.ts'
import { liensCards } from '../../liens/tables.ts'
import { linksCards } from '../../links/tables.ts'
import { messagesCards } from '../../messages/tables.ts'
import { moveOutsCards } from '../../move-outs/tables.ts'
import { paymentsCards } from '../../payments/tables.ts'
import { pricingCards } from '../../pricing/tables.ts'
import { refundsCards } from '../../refunds/tables.ts'
import { rentChangesCards } from '../../rent-changes/tables.ts'
import { reportsCards } from '../../reports/tables.ts'
import { reservationsCards } from '../../reservations/tables.ts'
import { staffCards } from '../../staff/tables.ts'
import { standingCards } from '../../standing/tables.ts'
import { tenantsCards } from '../../tenants/tables.ts'
import { transfersCards } from '../../transfers/tables.ts'
import { privacyCards } from '../tables.ts'

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
