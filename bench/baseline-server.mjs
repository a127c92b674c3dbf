import { serve } from '@hono/node-server'
import { Hono } from 'hono'

/** Server with a single JSON route, whose CPU time is the lower bound to which pages are compared. */
const app = new Hono()
app.get('/', (context) => context.json({ ok: true, message: 'the floor' }))
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))
