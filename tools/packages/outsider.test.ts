import { execFile, execFileSync } from "node:child_process"
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { blocksOf } from "../../contract-tests/outside/guides/guidePage.ts"
import { EmptyFolder } from "../EmptyFolder.ts"
import { asCommonJs } from "./commonJs.ts"
import { Installation, type Place, type Shop } from "./Installation.ts"

const place: Place = { businessName: "Књижара Зора", tin: "100000049", locationName: "Веб", address: "Његошева 12", city: "Београд" }
const guide = blocksOf(readFileSync("docs/guides/php-and-python.md", "utf8"))
const guideProgram = (language: string): string => guide.find((block) => block.language === language)?.code ?? ""
const checkout = readFileSync("docs/examples/checkout/checkout.ts", "utf8")

interface Element extends Readonly<Record<"jid" | "pac" | "password" | "pfxBase64", string>> {}

interface Receipts {
  readonly count: number
  readonly receipts: ReadonlyArray<{ readonly invoiceNumber: string }>
}

let installation: Installation
let folder: EmptyFolder
let shop: Shop

beforeAll(async () => {
  folder = EmptyFolder.with(["hosts/vpfr-simulator", "client", "verify"])
  installation = await Installation.open()
}, 600_000)
afterAll(async () => {
  await installation.close()
  folder.remove()
})

const installed = (name: string, file: string): string => join(folder.path, "node_modules/@overa", name, file)

/** A program of a shop, in a folder of its own; the answer is what it prints. */
const run = async (program: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const [command = "", ...before] = program.split(" ")
  const { stdout } = await promisify(execFile)(command, [...before, ...args], { cwd: folder.path, env: { PATH: process.env["PATH"], PYTHONDONTWRITEBYTECODE: "1", ...shop }, timeout: 280_000 })
  return stdout
}

const secondsSince = (from: number): string => ((performance.now() - from) / 1_000).toFixed(1)

const sale = (order: string) => ({
  taxpayerId: shop.TAXPAYER, businessPremiseId: shop.PREMISE, clientReference: order, invoiceType: "NORMAL", transactionType: "SALE", cashier: { id: "web" },
  items: [{ name: "Чарапе", unitOfMeasure: "пар", quantity: 2, unitPrice: 450, taxLabels: ["A"] }], payments: [{ type: "CARD", amount: 900 }]
})

describe("an outsider who operates, with the release's archive and the simulator's package", () => {
  it("installs, makes an organization with an element and a credential, issues a receipt and verifies it", async () => {
    const from = performance.now()
    await installation.install()
    await installation.startSimulator(installed("vpfr-simulator", "bin/overa-vpfr-simulator.mjs"))
    const element = await installation.control<Element>("elements", { environment: "sandbox", ...place })
    installation.admin(["schema", "migrate"])
    installation.act(["token-keys", "add"])
    installation.act(["environment", "set", "sandbox", "--esir", "999/0.1"])
    const pfx = installation.write("element.pfx", Buffer.from(element.pfxBase64, "base64"))
    installation.act(["pool", "add", "--pfx", pfx], { OVERA_PFX_PASSWORD: element.password, OVERA_PFX_PAC: element.pac })
    const { id: organization = "" } = installation.act(["organizations", "add", place.businessName])
    const options = ["--environment", "sandbox", "--tax-id", place.tin, "--name", place.businessName, "--vat", "IN_VAT", "--pu", "1000001", "--premise", place.locationName]
    const { businessPremiseId = "", id: taxpayer = "" } = installation.act(["taxpayers", "add", organization, ...options])
    const { clientId = "", clientSecret = "" } = installation.act(["credentials", "issue", organization, "--environment", "sandbox"])
    const url = await installation.start("api")
    await installation.start("worker")
    shop = { OVERA_URL: url, OVERA_AUTH_URL: `${url}/oauth/token`, OVERA_CLIENT_ID: clientId, OVERA_CLIENT_SECRET: clientSecret, TAXPAYER: taxpayer, PREMISE: businessPremiseId }

    mkdirSync(join(folder.path, "first"))
    cpSync("docs/examples/checkout", join(folder.path, "first"), { recursive: true })
    const [number = "", link = ""] = (await run(`${process.execPath} first/checkout.ts`, "FIRST")).trim().split(" ")
    process.stdout.write(`  from the release's archive to the first receipt: ${secondsSince(from)} s\n`)
    expect((await installation.control<Receipts>("receipts")).receipts.map(({ invoiceNumber }) => invoiceNumber)).toEqual([number])

    mkdirSync(join(folder.path, "keys"))
    const { sandbox: signers } = await installation.control<{ readonly sandbox: ReadonlyArray<{ readonly uid: string; readonly publicKeyPem: string }> }>("signers")
    for (const { publicKeyPem, uid } of signers) writeFileSync(join(folder.path, "keys", `${uid}.pem`), publicKeyPem)
    const verified = await run(`${process.execPath} ${installed("verify", "dist/overa-verify.js")}`, "--json", "--tin", `RS${place.tin}`, link, "keys")
    const [report] = JSON.parse(verified) as ReadonlyArray<{ readonly findings: ReadonlyArray<{ readonly subject: string; readonly verdict: string; readonly values: ReadonlyArray<string> }> }>
    const verdictOf = (subject: string) => report?.findings.find((finding) => finding.subject === subject)
    expect([verdictOf("signatureValid")?.verdict, verdictOf("totalAmount")]).toEqual(["PROVEN", expect.objectContaining({ verdict: "PROVEN", values: ["900.00"] })])
  }, 600_000)
})

/** Each program, and how it is called for an order. All of them are shown in the documentation; two are the same program in another language. */
const programs = {
  "strict TypeScript": { file: "checkout.ts", code: checkout, command: process.execPath },
  "plain JavaScript": { file: "checkout.mjs", code: stripTypeScriptTypes(checkout), command: process.execPath },
  CommonJS: { file: "checkout.cjs", code: asCommonJs(stripTypeScriptTypes(checkout)), command: process.execPath },
  Python: { file: "checkout.py", code: guideProgram("python"), command: "python3" },
  PHP: { file: "checkout.php", code: guideProgram("php"), command: "php" }
} as const
type Language = keyof typeof programs

/** What the program is given: the order's number, or the file with its request and key. */
const argumentOf = (language: Language): string => {
  const order = `LOST-${language}`
  if (programs[language].command === process.execPath) return order
  writeFileSync(join(folder.path, `${language}.json`), JSON.stringify({ key: `order-${language}-00000001`, sale: sale(order) }))
  return `${language}.json`
}

/** Number and link, on one line or on two. */
const printed = /^(\S{8}-\S{8}-\d+)\s(https?:\/\/\S+)\n$/

describe("an outsider's shop whose answers are lost, against that installation", () => {
  it("each program issues one receipt, in five languages at once; a repeat finds the same one", async () => {
    copyFileSync("docs/examples/python/overa.py", join(folder.path, "overa.py"))
    copyFileSync("docs/examples/php/Overa.php", join(folder.path, "Overa.php"))
    for (const { code, file } of Object.values(programs)) writeFileSync(join(folder.path, file), code)
    const languages = Object.keys(programs) as ReadonlyArray<Language>
    const before = (await installation.control<Receipts>("receipts")).count
    await installation.control("faults", { fault: "sign-then-reset", times: languages.length })
    const asked = languages.map((language) => ({ language, argument: argumentOf(language), program: programs[language] }))
    const all = () => Promise.all(asked.map(async ({ argument, language, program }) => {
      const from = performance.now()
      const said = await run(`${program.command} ${program.file}`, argument)
      return { language, number: printed.exec(said)?.[1] ?? said, seconds: secondsSince(from) }
    }))
    const first = await all()
    process.stdout.write(first.map(({ language, seconds }) => `  ${language}: a receipt after a lost answer in ${seconds} s\n`).join(""))
    const { count, receipts } = await installation.control<Receipts>("receipts")
    expect(count).toBe(before + languages.length)
    expect(first.map(({ number }) => number).toSorted()).toEqual(receipts.slice(0, languages.length).map(({ invoiceNumber }) => invoiceNumber).toSorted())
    expect(await installation.control("faults")).toMatchObject({ faults: [{ struck: languages.length, remaining: 0 }] })

    const again = await all()
    expect(again.map(({ number }) => number)).toEqual(first.map(({ number }) => number))
    expect((await installation.control<Receipts>("receipts")).count).toBe(count)
  }, 600_000)

  it("what runs is what the documentation shows, and the programs end when they are asked to", async () => {
    expect([guideProgram("python"), guideProgram("php")]).toEqual([expect.stringContaining("from overa import"), expect.stringContaining("require 'Overa.php'")])
    expect(execFileSync("python3", ["--version"], { encoding: "utf8" })).toContain("Python 3")
    expect(await installation.stop()).toEqual([0, 0, 0])
  })
})
