import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { blocksOf } from "./guidePage.ts"
import { runPage } from "./runPage.ts"
import { Shell, type ShellProgram } from "./Shell.ts"
import { differences } from "./shownAnswer.ts"

const page = (name: string): string => readFileSync(name, "utf8")
const codeOf = (name: string, language: string): ReadonlyArray<string> => blocksOf(page(name)).filter((block) => block.language === language).map(({ code }) => code)

/** The files that git tracks in this checkout, as a clone has them. */
const cloneInto = (folder: string): void => {
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" }).split("\0")
  for (const file of files.filter((name) => name !== "")) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(file, join(folder, file))
  }
}

// No personal settings of this machine may influence the run.
const plain = { NODE_OPTIONS: "", NODE_ENV: "", PORT: "0", npm_config_loglevel: "error" }

describe("A clone, and what the pages print, pasted", () => {
  const folder = mkdtempSync(join(tmpdir(), "overa-guides-"))
  const checkout = join(folder, "overa")
  const terminal = (at: string, program: ShellProgram = "bash"): Shell => new Shell(at, plain, program)
  let service: Shell
  let printed = ""

  beforeAll(async () => {
    cloneInto(checkout)
    service = terminal(checkout)
    const [install = ""] = codeOf("README.md", "sh")
    const [first, second] = install.trim().split("\n")
    expect([first, second]).toEqual(["npm install", "npm start"])
    await service.run("npm install > install.log 2>&1", 300_000)
    printed = await service.start("npm start", /Ctrl-C stops everything/)
  })
  afterAll(async () => {
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it("README: the printed command issues the receipt that the page shows", async () => {
    const command = /Issue a receipt:\s+([\s\S]*?)\n\s*\nSee it in the portal: http/.exec(printed)?.[1] ?? ""
    expect(command).toMatch(/^curl /)
    const shell = terminal(checkout)
    const { stdout } = await shell.run(command)
    expect(differences(JSON.parse(codeOf("README.md", "json")[0] ?? ""), JSON.parse(stdout))).toEqual([])
    expect(await runPage("README.md", shell, ({ command: { code } }) => !code.startsWith("npm install"))).toEqual([])
    expect(JSON.parse((await shell.run(command)).stdout)).toMatchObject({ status: "OUTCOME_UNKNOWN", fiscalized: false })
    await shell.close()
  })

  const guides = readdirSync("docs/guides").filter((name) => name.endsWith(".md")).map((name) => `docs/guides/${name}`)
  it.each(guides.flatMap((name) => (["bash", "zsh"] as const).map((program) => [name, program] as const)))("%s in %s", async (name, program) => {
    const shell = terminal(checkout, program)
    expect(await runPage(name, shell)).toEqual([])
    await shell.close()
  })

  it("every npm command that stands in a sentence of these pages exists", async () => {
    const text = ["README.md", ...guides].map(page).join("\n").replaceAll(/```[\s\S]*?```/g, "")
    const commands = [...new Set([...text.matchAll(/`(npm run [^`]+)`/g)].map(([, command = ""]) => command))]
    expect(commands.length).toBeGreaterThan(2)
    const shell = terminal(checkout)
    // A sentence names the arguments only by example: the command's own help answers where it exists.
    for (const command of commands) {
      const words = command.split(" ").filter((word) => /^(--|[a-z-]+)$/.test(word))
      const ran = await shell.run([...words, ...(words.includes("--") ? [] : ["--"]), ...(command.endsWith("--help") ? [] : ["--help"])].join(" "))
      expect([command, ran.failed, ran.stdout]).toEqual([command, [], expect.stringMatching(/usage/i)])
    }
    await shell.close()
  })

  describe("@overa/client's page", () => {
    const project = join(folder, "shop")
    const driver = `import { readFileSync } from "node:fs"
import { fiscalize } from "./checkout.ts"
const { taxpayerId, businessPremiseId: premiseId } = JSON.parse(readFileSync(process.env.SANDBOX, "utf8"))
let kept = null
const memory = {
  begin: async (key) => (kept ??= { key, documentId: null }),
  watch: async (key, documentId) => { kept = { key, documentId } },
  forget: async () => { kept = null }
}
const order = { number: "ORDER-1", taxpayerId, premiseId, lines: [{ name: "Чарапе", unit: "пар", quantity: 2, price: 450, label: "F" }], total: 900 }
const [first, again] = [await fiscalize(order, memory), await fiscalize(order, memory)]
console.log(first.status, first.id === again.id)
`
    beforeAll(async () => {
      mkdirSync(project)
      const [pack = "", install = ""] = (codeOf("client/README.md", "sh")[0] ?? "").trim().split("\n")
      const shell = terminal(checkout)
      expect((await shell.run(pack)).failed).toEqual([])
      cpSync(join(checkout, "overa-client-0.1.0.tgz"), join(project, "overa-client-0.1.0.tgz"))
      writeFileSync(join(project, "package.json"), JSON.stringify({ name: "shop", private: true, type: "module" }))
      expect((await shell.run(`cd ${project} && ${install}`)).failed).toEqual([])
      await shell.close()
    })

    const run = (file: string): string => {
      const sandbox = join(checkout, ".overa/sandbox.json")
      const { authUrl, baseUrl, businessPremiseId, clientId, clientSecret, taxpayerId } = JSON.parse(readFileSync(sandbox, "utf8")) as Readonly<Record<string, string>>
      return execFileSync(process.execPath, [file], {
        cwd: project,
        encoding: "utf8",
        env: {
          ...process.env, SANDBOX: sandbox, OVERA_URL: baseUrl, OVERA_AUTH_URL: authUrl, OVERA_CLIENT_ID: clientId, OVERA_CLIENT_SECRET: clientSecret,
          TAXPAYER: taxpayerId, PREMISE: businessPremiseId
        }
      }).trim()
    }
    const [checkoutCode = "", rest = ""] = codeOf("client/README.md", "ts")

    it("the checkout issues one receipt, called twice", () => {
      writeFileSync(join(project, "checkout.ts"), checkoutCode)
      writeFileSync(join(project, "driver.mjs"), driver)
      expect(run("driver.mjs")).toBe("FISCALIZED true")
    })

    it("its other snippet, and those of the guides, run behind it", () => {
      const [journal = ""] = codeOf("docs/guides/journal.md", "ts")
      const [, dryRun = ""] = codeOf("docs/guides/dry-run.md", "ts")
      const values = `const taxpayerId = process.env["TAXPAYER"] ?? "", businessPremiseId = process.env["PREMISE"] ?? ""
const { items: [latest] } = await overa.call("searchJournal", { query: { status: "FISCALIZED", pageSize: 1 } })
const fiscalDocumentId = latest?.id ?? ""
const sale: Parameters<typeof overa.dryRun>[0] = {
  taxpayerId, businessPremiseId, clientReference: "ORDER-2", invoiceType: "NORMAL", transactionType: "SALE", cashier: { id: "web" },
  items: [{ name: "Чарапе", unitOfMeasure: "пар", quantity: 2, unitPrice: 450, taxLabels: ["F"] }], payments: [{ type: "CARD", amount: 900 }]
}`
      writeFileSync(join(project, "rest.ts"), `${checkoutCode}\n${values}\n${rest}\n${journal}\n${dryRun}\nconsole.log(rates.labels.length > 0, pdf.length > 1_000, preview.totalAmount)\n`)
      expect(run("rest.ts").split("\n").at(-1)).toBe("true true 900")
    })
  })

  it("the domain's snippet of the dry run", async () => {
    const [preview = ""] = codeOf("docs/guides/dry-run.md", "ts")
    const values = `import { BigDecimal } from "effect"
const decimal = BigDecimal.fromStringUnsafe
const content = { items: [{ name: "Чарапе", quantity: decimal("2"), unitPrice: decimal("450"), taxLabels: ["F"] }] }
const seller = null, taxRates = null`
    writeFileSync(join(checkout, "preview.mjs"), `${values}\n${preview}\nconsole.log(BigDecimal.format(totalAmount), taxes, journalPreview)\n`)
    const shell = terminal(checkout)
    expect((await shell.run("node --conditions=@overa/source preview.mjs")).stdout).toBe("900 null null")
    await shell.close()
  })
})

describe("The simulator's page", () => {
  const folder = mkdtempSync(join(tmpdir(), "overa-simulator-guide-"))
  const name = "hosts/vpfr-simulator/README.md"
  const ready = /"ready":true.*\n/
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const [inCheckout = "", packed = ""] = codeOf(name, "sh")

  it("is started in the repository by its command, on the ports the page names", async () => {
    const shell = new Shell(process.cwd(), { ...plain, OVERA_SIMULATOR_DATA: join(folder, "data") })
    const line = await shell.start(inCheckout.split("#")[0]?.trim() ?? "", ready)
    await shell.close()
    expect(differences(JSON.parse(codeOf(name, "json")[0] ?? ""), JSON.parse(/^\{.*\}$/m.exec(line)?.[0] ?? "{}"))).toEqual([])
  })

  it("is packed, started by npx in an empty folder, and does what the page prints", async () => {
    const [pack = "", start = ""] = packed.trim().split("\n").map((line) => (line.split("#")[0] ?? "").trim())
    const packing = new Shell(process.cwd(), plain)
    expect((await packing.run(`${pack} --pack-destination ${folder}`)).failed).toEqual([])
    await packing.close()
    const simulator = new Shell(folder, { ...plain, npm_config_yes: "true" })
    await simulator.start(start, ready)
    const shell = new Shell(folder, plain)
    // Its own control address replaces the one in a folder of `npm start`.
    const faults = await runPage(name, shell, ({ command: { code } }) => ![inCheckout, packed].includes(code) && !code.includes("sandbox.json"))
    expect(faults).toEqual([])
    const { receipts } = JSON.parse((await shell.run(`curl -s "$CONTROL/receipts?requestId=my-first-receipt"`)).stdout) as { readonly receipts: ReadonlyArray<unknown> }
    expect(receipts).toHaveLength(1)
    await Promise.all([shell.close(), simulator.close()])
  })
})
