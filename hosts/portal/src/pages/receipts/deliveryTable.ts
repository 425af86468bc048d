import type { ReceiptDelivery } from "@overa/domain"
import { el, type Html } from "../../html/el.ts"
import { badge, table } from "../../html/parts.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { moment } from "../../language/formats.ts"

const state = ({ say }: MemberVisit, { lastError, status }: ReceiptDelivery): Html => {
  switch (status) {
    case "QUEUED":
      return [badge("wait", say("У реду за слање", "Queued")), lastError === null ? null : el("p", { class: "hint", lang: "en" }, lastError)]
    case "SENT":
      return badge("good", say("Послато", "Sent"))
    case "FAILED":
      return [badge("bad", say("Није стигло", "Failed")), lastError === null ? null : el("p", { class: "hint", lang: "en" }, lastError)]
  }
}

/** Messages with receipts and their status. */
export const deliveryTable = (visit: MemberVisit, deliveries: ReadonlyArray<ReceiptDelivery>): Html => {
  const { say } = visit
  return table(
    [say("Време", "Time"), say("Коме", "To"), say("Стање", "Status"), say("Покушаја", "Attempts"), say("Рачун", "Receipt")],
    deliveries.map((it) => [
      moment(it.createdAt),
      it.recipient ?? say("обрисано на захтев", "erased on request"),
      state(visit, it),
      String(it.attempts),
      el("a", { href: `/receipts/${it.fiscalDocumentId}` }, say("Погледај", "Look at it"))
    ]),
    { caption: say("Поруке", "Messages"), empty: say("Још ништа није послато.", "Nothing was sent yet."), numbers: [3], whole: [0] }
  )
}
