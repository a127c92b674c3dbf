import { formatPhone } from '../../../domain/phone.ts'
import { formatLong, formatUsShort } from '../../../domain/plain-date.ts'
import { asksForDesignatedAgent } from '../../reservations/rules/state-specific-questions.ts'
import type { LeaseFacts } from '../rules/lease-facts-types.ts'
import { formatAddressLine, type Section, section, tableParagraph } from './section.ts'

export function partiesSection(facts: LeaseFacts): Section {
  const { facility, tenant, updatedTerms } = facts
  return section(
    'parties',
    'Who this agreement is between',
    `This is the rental agreement between you, the tenant, and ${facts.operator}, which runs the facility named below (“we”). It is the whole agreement about the unit. ${
      updatedTerms
        ? `It takes effect on ${formatLong(updatedTerms.effective)} and replaces the terms you accepted before; your unit, gate code and balance stay as they are.`
        : 'It begins when you have signed it and the amount due today is paid.'
    }`,
    tableParagraph(
      ['Tenant', tenant.name],
      ['Company', tenant.company],
      ['Address', formatAddressLine(tenant)],
      ['Phone', formatPhone(tenant.phone)],
      ['E-mail', tenant.email],
    ),
    tableParagraph(
      ['Facility', facility.name],
      ['Address', formatAddressLine(facility)],
      ['Phone', formatPhone(facility.phone)],
      ['E-mail', facility.email],
      ['Lease number', facts.leaseNumber === null ? '' : String(facts.leaseNumber)],
    ),
  )
}

export function unitSection(facts: LeaseFacts): Section {
  const { unit } = facts
  return section(
    'unit',
    'Your unit',
    tableParagraph(
      ['Unit', unit.number],
      ['Size', `${unit.length} × ${unit.width} feet, ${unit.length * unit.width} square feet`],
      ['Kind', unit.category],
      ['To be stored', facts.goods],
    ),
    'Sizes are approximate; rent is for the unit as it is and not by the square foot. You have looked at the unit, or will before you put anything into it, and take it as it stands. If it is not clean, dry and sound when you first open it, tell us before you use it and we will put it right or give you another of the same kind.',
  )
}

export function termSection(facts: LeaseFacts): Section {
  return section(
    'term',
    'Periods of 30 days',
    tableParagraph(
      ['Move-in date', formatUsShort(facts.moveInDate)],
      ['Paid through', formatUsShort(facts.paidThrough)],
      ['Next billing date', formatUsShort(facts.nextBilling)],
    ),
    'You rent by the period. A period is exactly 30 days: the day it begins and the 29 days after it, whatever the calendar month. At its end the agreement goes on for another period at the same terms, until you or we end it. There is no minimum stay and no deposit.',
  )
}

export function noticesSection(facts: LeaseFacts): Section {
  const { agent, facility } = facts
  return section(
    'notices',
    'Notices',
    'We send notices to the postal or e-mail address above, and you send yours to the facility’s. Tell us at once, in writing or in your online account, when your address, phone or e-mail changes; until then a notice sent to the last one you gave us counts as given.',
    facts.defaultNotice === null
      ? null
      : facts.defaultNotice === 'on file'
        ? 'You chose how notices of default reach you. We keep that choice on file.'
        : `You chose to receive notices of default by ${facts.defaultNotice === 'mail' ? 'mail, at your postal address' : 'e-mail, at your e-mail address'}.`,
    agent ? 'You named this designated agent, who also receives notices of default:' : null,
    agent
      ? tableParagraph(['Agent', agent.name], ['Address', formatAddressLine(agent)], ['E-mail', agent.email])
      : null,
    !agent && asksForDesignatedAgent(facility.state)
      ? 'You named no designated agent. You may name one, or change or remove the one you named, in writing at any time.'
      : null,
  )
}
