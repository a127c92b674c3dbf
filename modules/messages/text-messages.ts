import type { Job, JobHandlers } from '../../platform/jobs/runner.ts'
import type { Services } from '../../platform/operations/services.ts'
import { SmsNotDelivered } from '../../ports/sms/sms.ts'
import { reservationLink } from '../reservations/find-reservation.ts'
import { mayText } from '../tenants/text-choices.ts'
import { gateCodesOf, loadLetters, renter, reservationOf } from './compose/facts.ts'

/** Only to a number that agreed and has not said STOP. A permanent refusal is not retried. */
async function sendText(services: Services, job: Pick<Job, 'jobId' | 'kind'>, to: string, text: string) {
  if (!(await mayText(services.db.read, to))) return
  try {
    await services.sms.send({ messageId: job.jobId, to, text })
  } catch (error) {
    if (!(error instanceof SmsNotDelivered) || !error.permanent) throw error
    services.errors.report(error, { job: job.jobId, kind: job.kind })
  }
}

const isCell = (phone: string) => /^\d{10}$/.test(phone)

export function textHandlers(services: Services): Pick<JobHandlers, 'gate_code_sms' | 'reservation_link_sms'> {
  return {
    async reservation_link_sms(job): Promise<void> {
      const of = await reservationOf(services, job.payload)
      const link = of && (await reservationLink(services, job.payload.locationCode, job.payload.reservationCode))
      if (!of || link === null || !isCell(of.tenant.cell_phone)) return
      const facts = { ...renter(of, of.tenant.first, of.reservation.unit_number), url: `${services.publicUrl}${link}` }
      await sendText(services, job, of.tenant.cell_phone, (await loadLetters()).reservationLinkSms(facts))
    },

    async gate_code_sms(job): Promise<void> {
      const of = await gateCodesOf(services, job.payload)
      if (!of || !isCell(of.phone)) return
      await sendText(services, job, of.phone, (await loadLetters()).gateCodeSms(of.facts))
    },
  }
}
