import type { SetCookie } from "../../http/Reply.ts"
import type { Visit } from "../../http/Visit.ts"

const year = 365 * 24 * 60 * 60

/** Marks the browser as this person's: its attempts are counted separately, whatever others guess from elsewhere. */
export const deviceCookie = (visit: Visit, email: string): SetCookie => ({ name: "device", value: visit.deviceMark(email), maxAgeSeconds: year })
