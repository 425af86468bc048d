import { deviceMarkMillis } from "@overa/domain"
import type { SetCookie } from "../../http/Reply.ts"
import type { Visit } from "../../http/Visit.ts"

/** Marks the browser as this person's: its attempts are counted separately, whatever others guess from elsewhere. */
export const deviceCookie = (visit: Visit, email: string, nowMillis: number): SetCookie => ({
  name: "device",
  value: visit.deviceMark(email, nowMillis),
  maxAgeSeconds: deviceMarkMillis / 1_000
})
