import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** 503 → '5xx' */
export const statusClass = (status: number): string => `${Math.floor(status / 100)}xx`

export function openMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    requests: new Histogram({
      name: 'http_request_seconds',
      help: 'Time to answer, by kind of address and status.',
      labelNames: ['kind', 'status'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers: [registry],
    }),
    shed: new Counter({
      name: 'http_shed_total',
      help: 'Requests refused because too many were in flight.',
      registers: [registry],
    }),
    clockInDoubt: new Gauge({
      name: 'clock_suspect',
      help: '1 while billing, autopay and expiries wait because the clock is in doubt.',
      registers: [registry],
    }),
    facilitiesBehind: new Gauge({
      name: 'billing_facilities_behind',
      help: 'Facilities whose billing waits for billing --catch-up.',
      registers: [registry],
    }),
    inFlight: new Gauge({ name: 'http_in_flight', help: 'Requests being answered.', registers: [registry] }),
    jobs: new Counter({
      name: 'jobs_total',
      help: 'Jobs finished, by kind and outcome.',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    }),
  }
}

export type Metrics = ReturnType<typeof openMetrics>
