import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type FileSteps, StepRecorder } from "./StepRecorder.ts"
import { bookSale, type ShopCaller, shopCaller } from "../../src/support/shopCaller.ts"
import { type WholeInstallation, wholeInstallation } from "../../src/support/wholeInstallation.ts"

let installation: WholeInstallation
let call: ShopCaller
let recorder: StepRecorder

beforeAll(async () => {
  installation = await wholeInstallation({ withWorker: false })
  call = await shopCaller(installation)
  recorder = await StepRecorder.start()
})

afterAll(async () => {
  recorder.stop()
  await installation.close()
})

const packageOf = ({ file }: FileSteps): string => file.split("/src/")[0] ?? file

const told = (name: string, steps: ReadonlyArray<FileSteps>): string => {
  const packages = Map.groupBy(steps, packageOf)
  const functions = steps.reduce((sum, step) => sum + step.functions.length, 0)
  const each = [...packages].map(([name, files]) => `${name} ${files.length}`)
  const lent = steps.filter(({ functions }) => functions.length <= 2).length
  return [
    `${name}: ${steps.length} files, ${functions} functions (${each.join(", ")}); ${lent} files lend one or two functions`,
    ...steps.map(({ file, functions }) => `  ${file}: ${functions.join(", ")}`)
  ].join("\n")
}

/** The second such request: what only the first one does (opening the element, reading the rates) is not counted. */
const stepsOf = async (name: string, status: number, send: (key: string) => ReturnType<ShopCaller>): Promise<number> => {
  const first = await send(`${name}-1`)
  expect(first.status, JSON.stringify(first.json)).toBe(status)
  const { answer, steps } = await recorder.during(() => send(`${name}-2`))
  expect(answer.status).toBe(status)
  process.stdout.write(`${told(name, steps)}\n`)
  return steps.length
}

const post = (path: string, body: unknown) => (key: string) => call("POST", path, { "Idempotency-Key": `counted-steps-${key.replaceAll(" ", "-")}` }, body)

describe("the files that one request passes through", () => {
  it("a sale", async () => {
    const sale = bookSale(installation.shop, "ORDER-1")
    expect(await stepsOf("a sale", 201, post("/v1/fiscal-documents", sale))).toBeLessThanOrEqual(95)
  })

  it("an advance payment", async () => {
    const { businessPremiseId, taxpayerId } = installation.shop
    const opened = await post("/v1/advance-cases", { taxpayerId, businessPremiseId, clientReference: "CASE-1", buyer: { id: "20:123456789" } })("case")
    expect(opened.status).toBe(201)
    const payment = {
      cashier: { id: "web" },
      items: [{ name: "10: Аванс (A)", quantity: 1, unitPrice: 100, taxLabels: ["A"] }],
      payments: [{ type: "CARD", amount: 100 }]
    }
    const path = `/v1/advance-cases/${opened.json.id}/payments`
    expect(await stepsOf("an advance payment", 201, post(path, payment))).toBeLessThanOrEqual(120)
  })
})
