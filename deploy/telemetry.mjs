/**
 * Sends traces to an OpenTelemetry collector: NODE_OPTIONS=--import=/etc/latchkey/telemetry/telemetry.mjs, with this
 * file and its packages in that folder (docs/running/monitoring.md). The packages read OTEL_EXPORTER_OTLP_ENDPOINT,
 * OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG.
 */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

process.env.OTEL_SERVICE_NAME ??= 'latchkey'

const provider = new NodeTracerProvider({
  resource: defaultResource().merge(detectResources({ detectors: [envDetector] })),
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
})
// Keeps the trace context across awaits, and reads and writes the W3C traceparent header.
provider.register()
