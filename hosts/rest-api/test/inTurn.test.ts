import { FairSemaphore } from "@overa/host-kit"
import Koa from "koa"
import { once } from "node:events"
import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it } from "vitest"
import { inTurn } from "../src/http/inTurn.ts"

it("a public page is not made for a caller that has left before its turn, and the next one gets it", async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const served: Array<string> = []
  const page = inTurn(new FairSemaphore({ places: 1, waitingEach: 1, waitingTogether: 1 }), {
    method: "GET",
    path: "/page",
    serve: async (context) => {
      served.push(context.url)
      await opened
      context.body = "page"
    }
  })
  const server = createServer(new Koa().use(page.serve).callback()).listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`
  const first = fetch(`${url}?first`)
  await expect.poll(() => served).toEqual(["/page?first"])
  const left = get(`${url}?left`).on("error", () => undefined)
  const [, answer] = await once(server, "request") as [IncomingMessage, ServerResponse]
  // The one place to wait in is taken as long as that caller is there.
  expect((await fetch(`${url}?refused`)).status).toBe(429)
  left.destroy()
  await once(answer, "close")
  const next = fetch(`${url}?next`)
  open()
  expect([(await first).status, (await next).status]).toEqual([200, 200])
  expect(served).toEqual(["/page?first", "/page?next"])
  server.close()
})
