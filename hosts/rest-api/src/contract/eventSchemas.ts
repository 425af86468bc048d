import { changeTypes, resourceTypes } from "@overa/domain"
import { integer, type JsonSchema, list, nullable, object, oneOfTexts, ref, text, utcTime, uuid } from "@overa/host-kit/contract"

/** Events: an extension of the contract. Source: docs/adr/0176; Standard Webhooks, payload structure. */
export const eventSchemas: Readonly<Record<string, JsonSchema>> = {
  EventPage: object("Events in their order.", {
    items: list("Behind `after`, the lowest sequence first; none is left out.", ref("Event")),
    last: integer("The sequence of the last event that exists now; 0 where there is none. What is behind the last item is read with another request.", { minimum: 0 })
  }),
  Event: object("A change of a document, of the workflow that it is part of, or of a delivery, a security element or the licence.", {
    id: text("The same whenever this event is answered: keep it to know what you have already processed."),
    sequence: integer("The event's number: from 1, without gaps, in each organization and environment.", { minimum: 1 }),
    type: ref("EventType"),
    timestamp: utcTime("When the change happened."),
    data: ref("EventData")
  }),
  EventType: oneOfTexts(
    "`document.fiscalized` and `document.found`: there is a receipt; found means that its outcome was not known at first. `document.rejected`, `document.not_fiscalized`, `document.outcome_unknown`: as the statuses. `….changed`: read it again. `receipt_delivery.…`: as the statuses of a delivery. `security_element.…`: an element is in use, was replaced, or its certificate ends or has ended. `license.expired`: production issues nothing until the licence is renewed.",
    changeTypes
  ),
  EventData: object("What changed. Read `url` for what is true now: later changes may have followed.", {
    resource: object("What the event is about.", {
      type: oneOfTexts("What it is.", resourceTypes),
      id: uuid("Its id."),
      url: text("Its path.")
    }),
    fiscalDocumentId: nullable(uuid("The document whose change it was, or that it concerns; null where it concerns none.")),
    clientReference: nullable(text("That document's, as you gave it.")),
    invoiceNumber: nullable(text("The official number, where the event says that there is a receipt; null elsewhere."))
  })
}
