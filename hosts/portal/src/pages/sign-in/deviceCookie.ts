import { deviceMarkMillis } from "@overa/domain"
import type { SetCookie } from "../../http/Reply.ts"

/** Marks the browser as this person's: its attempts are counted separately, whatever others guess from elsewhere. */
export const deviceCookie = (mark: string): SetCookie => ({
  name: "device",
  value: mark,
  maxAgeSeconds: deviceMarkMillis / 1_000
})
