import { exampleDocument } from "./exampleDocument.ts"

export const exampleNewEndpoint = { url: "https://shop.example/overa", description: "ERP", eventTypes: ["document.fiscalized", "document.found"], signature: "v1" }
export const exampleEndpoint = {
  id: "01936b0e-7f3a-7c11-9d55-4f6f2a9f0c20",
  ...exampleNewEndpoint,
  keys: [{ publicKey: null, validUntil: null }],
  status: "ACTIVE",
  pausedBecause: null,
  failingSince: null,
  sequence: 1042,
  createdAt: exampleDocument.updatedAt,
  updatedAt: exampleDocument.updatedAt
}
export const exampleEndpointWithSecret = { ...exampleEndpoint, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }
export const exampleEndpointReplacement = { url: exampleEndpoint.url, description: "ERP", eventTypes: ["document.found"], status: "PAUSED" }
export const exampleAttempt = {
  eventId: "evt_0f343b0931126a20f133d67c2b018a3b", sequence: 1042, at: exampleDocument.updatedAt, taken: true, statusCode: 204, answer: "", error: null, millis: 87
}
