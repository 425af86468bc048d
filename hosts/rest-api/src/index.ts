export {
  hostIdConfig,
  type IdentityConfig,
  issuingConfig,
  listeningConfig,
  type RestApiConfig,
  restApiConfig
} from "./Config.ts"
export { errorStatus } from "./http/errorStatus.ts"
export type { HostServices } from "./http/HostServices.ts"
export { bodyBytes, type Operation } from "./http/Operation.ts"
export { networkOf } from "./http/networkOf.ts"
export { koaBehind, type TrustedProxies } from "./http/callerAddress.ts"
export { problemDetails } from "./http/problemDetails.ts"
export { readJson } from "./http/readJson.ts"
export { jsonNumber } from "./http/jsonNumber.ts"
export { sha256 } from "./http/keyedRequest.ts"
export { Admission, type Admitted, type Capacity } from "./http/Admission.ts"
export { FairGate } from "./http/FairGate.ts"
export { readBody } from "./http/readBody.ts"
export type { RateLimit } from "./http/RateLimiter.ts"
export { InFlightRequests } from "./http/InFlightRequests.ts"
export { CannotListen, listen } from "./http/listen.ts"
export type { WriteLine } from "./http/RequestLog.ts"
export { proofJson } from "./json/proofJson.ts"
export { refundItemJson } from "./json/refundableJson.ts"
export { type IssuingConfig, issuingServices, restApiServices } from "./layers.ts"
export { contractVersion, openApiDocument, openApiYaml } from "./openapi/openApiDocument.ts"
export { codesOf, exampleOf } from "./openapi/operationResponses.ts"
export { operations } from "./operations/operations.ts"
export type { TryItOut } from "./openapi/referencePage.ts"
export { type RunningRestApi, serve, type ServeOptions, stopServing } from "./serve.ts"
export { SoftwareRelease } from "./SoftwareRelease.ts"
export { startRestApi } from "./startRestApi.ts"
