import * as example from '../internal/example-facts.ts'
import { loadPolicyMailToTenant, ownInsuranceLetter } from '../internal/own-insurance-ending-letter-and-facts.ts'
import { mail } from '../message-definition.ts'

export const ownInsuranceEndingMail = mail('own_insurance_ending', {
  about: 'lease',
  name: 'Own insurance ends soon',
  facts: (services, key) => loadPolicyMailToTenant(services, key, false),
  letter: ownInsuranceLetter,
  samples: [
    {
      name: 'own-insurance-ending',
      title: 'Own insurance about to end',
      facts: { ...example.insuranceProof, ended: false, link: `${example.brand.siteUrl}/proof-of-insurance` },
    },
  ],
})
