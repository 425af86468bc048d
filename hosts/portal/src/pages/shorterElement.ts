import type { SecurityElement } from "@overa/domain"
import { DateTime } from "effect"
import { el, type Html } from "../html/el.ts"
import { notice } from "../html/parts.ts"
import { day } from "../language/formats.ts"
import type { Say } from "../language/Language.ts"

type Validity = Pick<SecurityElement, "validTo">

/** A warning where the new element ends before the active one that it replaces; nothing else says that a shop loses years of validity. */
export const shorterElementNotice = (say: Say, fresh: Validity, active: Validity | undefined): Html =>
  active === undefined || DateTime.toEpochMillis(fresh.validTo) >= DateTime.toEpochMillis(active.validTo) ? null : notice(
    "bad",
    el("p", {}, el("strong", {}, say("Нови елемент престаје пре садашњег. ", "The new element ends before the present one. ")),
      say("Нови важи до ", "The new one is valid until "), day(fresh.validTo),
      say(" а садашњи до ", " and the present one until "), day(active.validTo),
      say(" Замењени елемент се не користи поново. Наставите само ако је садашњи изгубљен или опозван.", " An element that was replaced is not used again. Go on only where the present one is lost or revoked."))
  )
