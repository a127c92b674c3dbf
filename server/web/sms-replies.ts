import type { Hono } from 'hono'
import { bodyLimits, readBytes } from '../../api/request-body.ts'
import { recordReply } from '../../modules/tenants/sms-consent.ts'
import type { Env, WebServices } from './web-app-state-and-request-callers.ts'

/** Receives replies to text messages from the SMS provider; also during maintenance, since STOP must always work. */
export function smsReplies(app: Hono<Env>, { services, ownOrigin }: WebServices): void {
  app.post('/texts/reply', async (context) => {
    const { req } = context
    const form = await readBytes(req.raw, bodyLimits.form)
    if (!form.ok) return context.body(null, form.fault === 'too_large' ? 413 : 400)
    const { pathname, search } = new URL(req.url)
    const reply = services.sms.readReply({
      url: `${ownOrigin}${pathname}${search}`,
      body: new TextDecoder().decode(form.bytes),
      header: (name) => req.header(name),
    })
    if (!reply) {
      services.security.record('texts.unsigned')
      return context.body(null, 403)
    }
    await recordReply(services, reply)
    // With an empty response in Twilio's format no text message is sent back.
    return context.body('<Response/>', 200, { 'Content-Type': 'text/xml' })
  })
}
