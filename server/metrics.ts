import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What `/metrics` shows. One registry per server, so that tests can run several in a process. */
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
    inFlight: new Gauge({ name: 'http_in_flight', help: 'Requests being answered.', registers: [registry] }),
    jobs: new Counter({
      name: 'jobs_total',
      help: 'Jobs finished, by kind and outcome.',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    }),
    storageSystemCalls: new Counter({
      name: 'storage_system_calls_total',
      help: 'Tries to call the storage system on its own address, by how they ended.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    /** Shows whether calls to the storage system are let through. */
    watchCircuit(state: () => 'closed' | 'half-open' | 'open') {
      new Gauge({
        name: 'storage_system_circuit',
        help: '0 closed (calls go through), 1 half-open, 2 open.',
        registers: [registry],
        collect() {
          this.set({ closed: 0, 'half-open': 1, open: 2 }[state()])
        },
      })
    },
  }
}

export type Metrics = ReturnType<typeof openMetrics>
