import type { JobHandlers } from '../../platform/jobs/runner.ts'
import type { Services } from '../../platform/operations/services.ts'
import { SmsNotDelivered } from '../../ports/sms/sms.ts'
import { gateCodesOf, letters } from './compose/facts.ts'

/** The job handlers of text messages. */
export function textHandlers(services: Services): Pick<JobHandlers, 'gate_code_sms'> {
  return {
    async gate_code_sms(job): Promise<void> {
      const of = await gateCodesOf(services, job.payload)
      if (!of || !/^\d{10}$/.test(of.phone)) return
      try {
        const text = (await letters()).gateCodeSms(of.facts)
        await services.sms.send({ messageId: job.jobId, to: of.phone, text })
      } catch (error) {
        // A number that takes no messages will not take a later one either.
        if (!(error instanceof SmsNotDelivered) || !error.permanent) throw error
        services.errors.report(error, { job: job.jobId, kind: job.kind })
      }
    },
  }
}
