import { Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"

/**
 * Traces over OTLP, by OpenTelemetry's own environment variables; without OTEL_EXPORTER_OTLP_ENDPOINT nothing is sent. Spans carry
 * names of steps and how long they took, no bodies, identifiers of buyers or secrets.
 */
export const tracing = (serviceName: string) =>
  OtlpTracer.layerFromConfig({ resource: { serviceName } }).pipe(
    Layer.provide(OtlpSerialization.layerJson),
    Layer.provide(FetchHttpClient.layer)
  )
