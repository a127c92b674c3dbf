import type { IncomingMessage } from 'node:http'
import type { GateController } from './gate-controller.ts'
import { gatesPage, keypadPage } from './gate-pages.ts'
import { readBody } from './request-body.ts'
import { json, page, type RouteResponse, redirect } from './responses.ts'
import type { SandboxParts } from './route-dependencies.ts'

const reportOf = (gate: GateController) => ({
  facility: gate.code,
  list: gate.etag,
  codes: gate.list?.codes.length ?? 0,
  heardAt: gate.heardAt,
  problem: gate.problem,
  waiting: gate.waiting,
  refused: gate.refused.length,
  shown: gate.display?.text ?? '',
})

/** Handles requests to the sandbox's gate pages, `/gates` and `/gates/ATL01`, and the forms on them. */
export async function gateRoute(
  { gates, clock }: SandboxParts,
  request: IncomingMessage,
  path: string,
): Promise<RouteResponse> {
  const [, , code = ''] = path.split('/')
  if (code === '') {
    const asJson = new URL(request.url ?? '/', 'http://sandbox').searchParams.get('format') === 'json'
    return asJson ? json({ gates: gates.all.map(reportOf) }) : page(gatesPage(gates.all, clock.now()))
  }
  const gate = gates.find(code)
  if (!gate) return page(gatesPage(gates.all, clock.now()), { status: 404 })
  if (request.method !== 'POST') return page(keypadPage(gate, clock.now()))
  await press(gate, new URLSearchParams(await readBody(request)))
  return redirect(`/gates/${encodeURIComponent(code)}`)
}

async function press(gate: GateController, form: URLSearchParams): Promise<void> {
  const action = form.get('do')
  if (action === 'away') gate.goAway(!gate.isAway)
  else if (action === 'lose') gate.losesAnswers = !gate.losesAnswers
  else if (action === 'repeat') gate.repeatsEvents = !gate.repeatsEvents
  else if (action === 'refuse') gate.refuseNext()
  else if (action === 'ask') await gate.requestSiteList()
  else gate.type((form.get('code') ?? '').replace(/\D/g, '').slice(0, 12))
}
