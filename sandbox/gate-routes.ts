import type { IncomingMessage } from 'node:http'
import type { GateController } from './gate-controller.ts'
import { gatesPage, keypadPage } from './gate-pages.ts'
import { readBody } from './request-body.ts'
import { type Answer, json, page, redirect } from './responses.ts'
import type { SandboxParts } from './sandbox-parts.ts'

const reportOf = (gate: GateController) => ({
  facility: gate.code,
  list: gate.etag,
  codes: gate.list?.codes.length ?? 0,
  heardAt: gate.heardAt,
  problem: gate.problem,
  waiting: gate.waiting,
  refused: gate.refused.length,
  shown: gate.shown?.text ?? '',
})

/** Handles requests to the sandbox's gate pages, `/gates` and `/gates/ATL01`, and the forms on them. */
export async function gateRoute(
  { gates, clock }: SandboxParts,
  request: IncomingMessage,
  path: string,
): Promise<Answer> {
  const [, , code = ''] = path.split('/')
  if (code === '') {
    const asJson = new URL(request.url ?? '/', 'http://sandbox').searchParams.get('format') === 'json'
    return asJson ? json({ gates: gates.all.map(reportOf) }) : page(gatesPage(gates.all, clock.now()))
  }
  const gate = gates.named(code)
  if (!gate) return page(gatesPage(gates.all, clock.now()), { status: 404 })
  if (request.method !== 'POST') return page(keypadPage(gate, clock.now()))
  await press(gate, new URLSearchParams(await readBody(request)))
  return redirect(`/gates/${encodeURIComponent(code)}`)
}

async function press(gate: GateController, form: URLSearchParams): Promise<void> {
  const what = form.get('do')
  if (what === 'away') gate.goAway(!gate.isAway)
  else if (what === 'lose') gate.losesAnswers = !gate.losesAnswers
  else if (what === 'repeat') gate.repeatsEvents = !gate.repeatsEvents
  else if (what === 'refuse') gate.refuseNext()
  else if (what === 'ask') await gate.askBooks()
  else gate.type((form.get('code') ?? '').replace(/\D/g, '').slice(0, 12))
}
