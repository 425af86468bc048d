export { addressFault } from "./addressFault.ts"
export { HttpWebhookSender, type WebhookConnection } from "./HttpWebhookSender.ts"
export { HttpWitnesses, type WitnessPlace } from "./HttpWitnesses.ts"
export { layerWebhookKeys, signatureHeader } from "./webhookKeys.ts"
