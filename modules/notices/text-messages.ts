import type { JobHandlers } from '../../platform/jobs/runner.ts'
import type { Services } from '../../platform/operations/services.ts'
import { SmsNotDelivered } from '../../ports/sms/sms.ts'
import { gateCodesOf, loadLetters } from './compose/facts.ts'

export function textHandlers(services: Services): Pick<JobHandlers, 'gate_code_sms'> {
  return {
    async gate_code_sms(job): Promise<void> {
      const of = await gateCodesOf(services, job.payload)
      if (!of || !/^\d{10}$/.test(of.phone)) return
      try {
        const text = (await loadLetters()).gateCodeSms(of.facts)
        await services.sms.send({ messageId: job.jobId, to: of.phone, text })
      } catch (error) {
        // A permanent refusal is not retried.
        if (!(error instanceof SmsNotDelivered) || !error.permanent) throw error
        services.errors.report(error, { job: job.jobId, kind: job.kind })
      }
    },
  }
}
