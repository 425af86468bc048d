import { SmtpPersonMailer, SmtpReceiptMailer } from "@overa/adapter-mail"
import {
  type AfterDeliveryAttempt, BrandingStore, type ClaimedDelivery, type ClaimedPersonMail, DeliveryOutbox, DeliveryStore, MailTransport, OperationStore, PersonMailOutbox, ReceiptRenderer,
  sendDueDeliveries, sendPersonMails, TenancyDirectory
} from "@overa/domain"
import { keepDoing } from "@overa/worker"
import { DateTime, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { type AddressInfo, createServer, type Server } from "node:net"
import { afterEach, assert, describe, it } from "vitest"
import { sampleMail } from "../../adapters/mail/test/support/sampleMail.ts"
import { mintUuid } from "../src/support/mintIdentity.ts"
import { mintPlace, sampleAnswer, sampleOperation } from "../src/support/sampleOperations.ts"

/** How far a mail server goes before it says nothing any more, the connection open. */
type SilentAt = "GREETING" | "RCPT" | "DOT"

const servers: Array<Server> = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A mail server that falls silent. `reached` ends when it has; with `answersAfter` it takes the message so much later. */
const silentServer = async (silentAt: SilentAt, answersAfter: number | null = null) => {
  const { promise: reached, resolve: isSilent } = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    if (silentAt === "GREETING") return isSilent()
    socket.write("220 peer\r\n")
    let isMessage = false
    socket.on("data", (chunk) => {
      for (const line of chunk.toString("latin1").split("\r\n")) {
        if (isMessage && line === ".") {
          isSilent()
          if (answersAfter !== null) setTimeout(() => socket.write("250 taken\r\n"), answersAfter)
        } else if (isMessage || line === "") continue
        else if (line.startsWith("RCPT") && silentAt === "RCPT") isSilent()
        else if (line === "DATA") isMessage = socket.write("354 go on\r\n") || true
        else socket.write("250 fine\r\n")
      }
    })
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const url = Redacted.make(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return { reached, connection: { url, sender: "receipts@overa.example.rs", trustAnchors: null, stopMillis: 300 } }
}

const transport = Layer.mock(MailTransport, { state: Effect.succeed({ failures: 0, mayTryInMillis: 0 }), note: () => Effect.void })

/** Starts a job of the worker, stops it when the mail server has fallen silent, and answers how long the stop took. */
const stopped = (pass: Effect.Effect<unknown>, reached: Promise<void>): Promise<number> =>
  Effect.runPromise(Effect.gen(function*() {
    const fiber = yield* Effect.forkChild(keepDoing({ name: "mails", pass: Effect.as(pass, false), pauseMillis: 10, busyPauseMillis: 10 }))
    yield* Effect.promise(() => reached)
    const began = performance.now()
    yield* Fiber.interrupt(fiber)
    return performance.now() - began
  }))

describe("a worker that stops while the mail server is silent", () => {
  const personMail = (id: string): ClaimedPersonMail => ({ id, claim: "c", attempts: 0, mail: { recipient: "ana@primer.example", subject: "s", text: "t" } })

  it.each<readonly [SilentAt, number | null, string]>([
    ["GREETING", null, "back Message sending aborted"],
    ["RCPT", null, "back the connection was lost before the message: Message sending aborted"],
    ["DOT", null, "back no answer after the message: Message sending aborted"],
    ["DOT", 100, "removed"]
  ])("stores how far a message to a person came, and begins no other (%s, answered after %s)", async (silentAt, answersAfter, expected) => {
    const { connection, reached } = await silentServer(silentAt, answersAfter)
    const happened: Array<string> = []
    let claims = 0
    const outbox = Layer.mock(PersonMailOutbox, {
      claimDue: () => Effect.sync(() => [personMail(String(claims += 1))]),
      putBack: (_claimed, _dueIn, error) => Effect.sync(() => void happened.push(`back ${error}`)),
      remove: () => Effect.sync(() => void happened.push("removed"))
    })
    const millis = await stopped(sendPersonMails(20).pipe(Effect.provide(Layer.mergeAll(outbox, transport, SmtpPersonMailer.layer(connection))), Effect.orDie), reached)
    assert.deepStrictEqual([happened, claims], [[expected], 1])
    assert.isBelow(millis, 10_000)
  })

  const receipts = (conclude: (after: AfterDeliveryAttempt) => void, release: (id: string) => void) => {
    const operation = sampleOperation(mintPlace())
    const { deliveryId, locale, recipient } = sampleMail()
    const now = DateTime.makeUnsafe(Date.now())
    const claimed = Array.from({ length: 3 }, (): ClaimedDelivery => ({
      claim: "c", interrupted: false,
      delivery: {
        id: mintUuid() as typeof deliveryId, organizationId: operation.organizationId, environment: operation.environment, taxpayerId: operation.taxpayerId, fiscalDocumentId: operation.id,
        clientId: "c", boundKey: operation.boundKey, recipient, formats: [], locale, status: "QUEUED", attempts: 0, maybeTaken: 0, lastError: null, failure: null, createdAt: now, updatedAt: now
      }
    }))
    return Layer.mergeAll(
      Layer.mock(DeliveryOutbox, {
        claimDue: () => Effect.succeed(claimed), beginSending: () => Effect.succeed(true),
        conclude: (_claimed, after) => Effect.sync(() => {
          conclude(after)
          return true
        }),
        release: ({ delivery }) => Effect.sync(() => release(delivery.id))
      }),
      Layer.mock(OperationStore, { get: () => Effect.succeed(Option.some({ ...operation, answer: sampleAnswer() })) }), Layer.mock(BrandingStore, {}),
      Layer.mock(ReceiptRenderer, { entityTag: () => "" }),
      Layer.mock(DeliveryStore, { settings: () => Effect.succeed({ senderName: "Shop", replyTo: null } as never) }),
      Layer.mock(TenancyDirectory, { taxpayers: () => Effect.succeed([]) })
    )
  }

  it("stores that a receipt may have been taken, and returns the others to the queue", async () => {
    const { connection, reached } = await silentServer("DOT")
    const [concluded, released] = [[] as Array<AfterDeliveryAttempt>, new Set<string>()]
    const stores = receipts((after) => concluded.push(after), (id) => released.add(id))
    const sending = sendDueDeliveries({ limit: 40, concurrency: 1 }).pipe(Effect.provide(Layer.mergeAll(stores, transport, SmtpReceiptMailer.layer(connection))), Effect.orDie)
    assert.isBelow(await stopped(sending, reached), 10_000)
    assert.deepStrictEqual(concluded.map(({ attempts, event, maybeTaken }) => [event, attempts, maybeTaken]), [["deferred", 1, 1]])
    assert.strictEqual(released.size, 3, "a release of what was concluded changes nothing")
  })
})
