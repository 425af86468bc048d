import { BrandingStore, DeliveryOutbox, DeliveryStore, MailTransport, ReceiptMailer, ReceiptRenderer } from "@overa/domain"
import { Effect, Layer } from "effect"
import type { FaultyStore } from "./FaultyStore.ts"
import { plantInOutbox } from "./plantedInMail.ts"
import type { SimulatedMail } from "./SimulatedMail.ts"

type Step = <A, E>(name: string, effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** Papers are drawn elsewhere: these worlds send empty ones. */
const surroundings = Layer.mergeAll(
  Layer.succeed(BrandingStore, BrandingStore.of({ find: () => Effect.succeedNone, current: () => Effect.succeedNone, save: () => Effect.die("the simulation saves no branding") })),
  Layer.succeed(ReceiptRenderer, ReceiptRenderer.of({
    entityTag: () => "",
    render: () => Effect.succeed({ bytes: new Uint8Array(), mediaType: "application/pdf", fileName: "receipt.pdf" })
  }))
)

/** The ports of deliveries as one host uses them: the stores with their failures, and the mail server. `step` is where that host may crash. */
export const mailPorts = (store: FaultyStore, step: Step, mail: SimulatedMail) => {
  const { clocked, mail: behind } = store.behind
  const deliveries = Layer.effect(
    DeliveryStore,
    Effect.map(DeliveryStore, (inner) =>
      DeliveryStore.of({
        queue: (delivery) => step("queueMail", store.commit("queueMail", delivery.fiscalDocumentId, clocked(inner.queue(delivery)))),
        findByKey: (organizationId, key) => step("findMail", store.read(clocked(inner.findByKey(organizationId, key)))),
        get: (tenant, id) => step("getMail", store.read(clocked(inner.get(tenant, id)))),
        list: (tenant, filter, place) => step("listMail", store.read(clocked(inner.list(tenant, filter, place)))),
        use: (delivery, recipient) => step("mailUse", store.read(clocked(inner.use(delivery, recipient)))),
        settings: (organizationId, taxpayerId) => step("mailSettings", store.read(clocked(inner.settings(organizationId, taxpayerId))))
      }))
  )
  const outbox = Layer.effect(
    DeliveryOutbox,
    Effect.map(DeliveryOutbox, (found) => {
      const inner = plantInOutbox(mail.plantedBug)(found)
      return DeliveryOutbox.of({
        claimDue: (limit, lease) => step("claimMail", store.read(clocked(inner.claimDue(limit, lease)))),
        beginSending: (claimed, lease) => {
          const begin = Effect.tap(inner.beginSending(claimed, lease), (begun) => Effect.sync(() => {
            if (begun) mail.noteBegun(claimed.delivery.id)
          }))
          return step("beginMail", store.commit("beginMail", claimed.delivery.fiscalDocumentId, clocked(begin)))
        },
        conclude: (claimed, after) => step("concludeMail", store.commit("concludeMail", claimed.delivery.fiscalDocumentId, clocked(inner.conclude(claimed, after)))),
        release: (claimed, due) => step("releaseMail", store.commit("releaseMail", claimed.delivery.fiscalDocumentId, clocked(inner.release(claimed, due)))),
        raiseWaiting: (waiting) => step("raiseMail", store.read(clocked(inner.raiseWaiting(waiting))))
      })
    })
  )
  const transport = Layer.effect(
    MailTransport,
    Effect.map(MailTransport, (inner) =>
      MailTransport.of({
        available: step("mailAvailable", store.read(clocked(inner.available))),
        state: step("mailState", store.read(clocked(inner.state))),
        note: (failed) => step("noteMail", store.read(clocked(inner.note(failed))))
      }))
  )
  const mailer = Layer.succeed(ReceiptMailer, ReceiptMailer.of({ send: (message) => step("mail", mail.receive(message)) }))
  return Layer.mergeAll(Layer.mergeAll(deliveries, outbox, transport).pipe(Layer.provide(behind.ports())), mailer, surroundings)
}
