import * as example from '../internal/example-facts.ts'
import { loadPolicyMailToTenant, ownInsuranceLetter } from '../internal/own-insurance-ending-letter-and-facts.ts'
import { mail } from '../message-definition.ts'

export const ownInsuranceEndedMail = mail('own_insurance_ended', {
  about: 'lease',
  name: 'Own insurance has ended',
  facts: (services, key) => loadPolicyMailToTenant(services, key, true),
  letter: ownInsuranceLetter,
  samples: [
    {
      name: 'own-insurance-ended',
      title: 'Own insurance ended',
      facts: { ...example.insuranceProof, ended: true, link: `${example.brand.siteUrl}/proof-of-insurance` },
    },
  ],
})
