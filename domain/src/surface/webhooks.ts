/** Endpoints that events are sent to, and how an attempt is judged. */
export { WebhookEndpointAlreadyExists, WebhookEndpointLimitReached, WebhookEndpointNotFound } from "../webhooks/errors.ts"
export {
  afterWebhookAttempt, type AfterWebhookAttempt, afterWebhookAttempts, type AfterWebhookAttempts, type EndpointHealth, isTaken, type JudgedAttempt, mostOnTheirWay,
  type WebhookOutcome, webhookWaits
} from "../webhooks/webhookAttempts.ts"
export {
  mostEndpoints, mostWaitingTests, type PauseReason, pauseReasons, rotated, rotationHours, validSecrets, type WebhookEndpoint, WebhookEndpointId, type WebhookSecret,
  type WebhookSignature, webhookSignatures, type WebhookStatus, webhookStatuses
} from "../webhooks/WebhookEndpoint.ts"
export {
  decodeNewWebhookEndpoint, decodeWebhookEndpointReplacement, decodeWebhookResend, mostResent, type NewWebhookEndpoint, NewWebhookEndpointShape,
  type WebhookEndpointReplacement, WebhookEndpointReplacementShape, type WebhookResend, WebhookResendShape
} from "../webhooks/webhookRequests.ts"
export { webhookUrlFault } from "../webhooks/webhookUrl.ts"
