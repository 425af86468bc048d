import { LeavingActs, OrganizationId } from "@overa/domain"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { runVerify } from "../../verify/src/command/runVerify.ts"
import { issueSale } from "../src/portal/issueSale.ts"
import { takeMails } from "../src/portal/mailedLinks.ts"
import { password } from "../src/portal/portalStage.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { activity, client, rowsOf, stage } = sharedPortal()

const folder = mkdtempSync(join(tmpdir(), "overa-leaving-"))
const at = (name: string): string => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let owner: string
beforeAll(async () => {
  owner = await stage.session(stage.people.OWNER)
  for (const item of ["Књига", "Кафа", "Чај"]) await issueSale(stage, { item })
  await client.get("/leaving", { session: owner })
})

/** The form of the page, as a browser sends it; the answer's body is not read. */
const ask = async (path: string, session: string, form: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(stage.portal.url + path, {
    method: "POST",
    headers: { cookie: `overa-session=${session}`, origin: stage.portal.url, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ proof: await client.proof(session), form: crypto.randomUUID(), ...form }),
    redirect: "manual"
  })
const place = () => `/o/${stage.shop.organizationId}/sandbox`
const download = (form: Readonly<Record<string, string>> = { current: password }) => ask(`${place()}/leaving`, owner, form)
const save = async (answer: Response, name: string): Promise<string> => {
  writeFileSync(at(name), new Uint8Array(await answer.arrayBuffer()))
  return at(name)
}

const verify = async (...args: ReadonlyArray<string>) => {
  const out: Array<string> = []
  const code = await runVerify(args, { write: (text) => out.push(text), writeError: (text) => out.push(text) })
  return { code, out: out.join("") }
}
const tin = async () => (await rowsOf<{ readonly tin: string }>("select tin from security_elements limit 1"))[0]?.tin ?? ""
const turns = () => rowsOf("select turn from leaving_turns")
const lines = async (act: string) => (await activity()).filter((line) => line.includes(act)).length

describe("everything of an organization, downloaded by an owner", () => {
  it("asks for the password, and nothing is read before it was right", async () => {
    const page = await client.get("/leaving", { session: owner })
    expect(page.text).toContain("Преузми све податке")
    const wrong = await download({ current: "not the password" })
    expect([wrong.status, await lines("hand-over begun")]).toEqual([422, 0])
    const accountant = await ask(`${place()}/leaving`, await stage.session(stage.people.ADMINISTRATOR), { current: password })
    expect([accountant.status, await lines("hand-over begun")]).toEqual([403, 0])
  })

  it("is one archive that is unpacked with tar and verified without the service, whole and each receipt; the log and the owners are told", async () => {
    await takeMails(stage)
    const answer = await download()
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/gzip"])
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="overa-[0-9a-f]{8}-\d{4}-\d{2}-\d{2}\.tar\.gz"$/)
    const archive = await save(answer, "all.tar.gz")
    const [direct, told] = [await verify("--tin", await tin(), archive), await verify("--tin", await tin(), "--summary", archive)]
    expect({ code: direct.code, out: direct.out }).toEqual({ code: 0, out: expect.stringMatching(/Whole: \d+ files, each as it was/) })
    expect(told.out).toMatch(/contradicted: 0/)
    mkdirSync(at("unpacked"))
    execFileSync("tar", ["-xzf", archive, "-C", at("unpacked")])
    execFileSync("sha256sum", ["--quiet", "-c", "checksums.sha256", ...readdirSync(at("unpacked/checksums")).map((name) => `checksums/${name}`)], { cwd: at("unpacked") })
    expect((await verify("--tin", await tin(), at("unpacked"))).code).toBe(0)
    const [shop = ""] = readdirSync(at("unpacked")).filter((name) => name.startsWith("sandbox-"))
    expect(readdirSync(at(`unpacked/${shop}/proofs`))).toHaveLength(3)
    expect(readFileSync(at(`unpacked/${shop}/journal-0001.csv`), "utf8").trim().split("\r\n")).toHaveLength(4)
    expect(readFileSync(at("unpacked/README.txt"), "utf8")).toContain("(3 documents, 3 receipts)")
    expect([await lines("hand-over begun"), await lines("organization handed over"), await turns()]).toEqual([1, 1, []])
    const mails = await takeMails(stage)
    expect(mails.map(({ recipient }) => recipient)).toEqual([stage.people.OWNER.email])
    expect(mails[0]?.text).toContain(stage.people.OWNER.email)
  })

  it("an archive that breaks off anywhere is refused, and so is a changed one", async () => {
    const whole = readFileSync(at("all.tar.gz"))
    for (let part = 1; part < 8; part += 1) {
      writeFileSync(at("cut.tar.gz"), whole.subarray(0, Math.floor((whole.length * part) / 8)))
      expect([part, await verify(at("cut.tar.gz"))]).toEqual([part, { code: 1, out: expect.stringContaining("The archive breaks off or is damaged") }])
    }
    // Cut where a file ends, and closed again: every file in it is whole.
    const tar = at("cut.tar")
    writeFileSync(tar, execFileSync("gzip", ["-dc", at("all.tar.gz")]))
    execFileSync("tar", ["--delete", "-f", tar, "checksums.sha256"])
    expect(await verify(tar)).toEqual({ code: 1, out: expect.stringContaining("Not whole: the last file (checksums.sha256) is missing") })
  })

  it("a form that is sent twice downloads once", async () => {
    const form = crypto.randomUUID()
    expect((await download({ current: password, form })).status).toBe(200)
    expect((await download({ current: password, form })).status).toBe(303)
  })
})

describe("a download of a large organization", () => {
  // Texts that do not compress: no buffer between the database and the reader holds all of them.
  beforeAll(async () => {
    await rowsOf(
      `insert into elsewhere_receipts (organization_id, environment, pfr_number, taxpayer_id, pfr_time, invoice_type, transaction_type, counter, total_amount, journal, standing, imported_at)
       select $1, 'sandbox', 'OTHER123-OTHER123-' || i, $2, now(), 'NORMAL', 'SALE', i || '/' || i || 'ПП', 100,
         (select string_agg(md5(i::text || part::text), '') from generate_series(1, 60) as part), 'CLAIMED', now() from generate_series(1, 6000) as i`,
      [stage.shop.organizationId, stage.shop.taxpayerId]
    )
  })

  it("waits for its reader, is alone in its organization, and gives its turn back when the reader leaves", async () => {
    const before = await lines("organization handed over")
    const abort = new AbortController()
    const first = await fetch(`${stage.portal.url}${place()}/leaving`, {
      method: "POST",
      headers: { cookie: `overa-session=${owner}`, origin: stage.portal.url, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ proof: await client.proof(owner), form: crypto.randomUUID(), current: password }),
      signal: abort.signal
    })
    const reader = first.body?.getReader()
    const begun = (await reader?.read())?.value ?? new Uint8Array()
    expect(await turns()).toHaveLength(1)
    const second = await download()
    expect([second.status, (await second.text()).includes("Неко управо преузима све податке")]).toEqual([422, true])
    abort.abort()
    await vi.waitFor(async () => expect(await turns()).toEqual([]), { timeout: 10_000 })
    expect(await lines("organization handed over")).toBe(before)
    writeFileSync(at("aborted.tar.gz"), begun)
    expect((await verify(at("aborted.tar.gz"))).code).toBe(1)
  }, 60_000)

  it("is whole when its reader takes it, and says how many receipts of another ESIR it has", async () => {
    const archive = await save(await download(), "large.tar.gz")
    expect(await verify("--summary", archive)).toEqual({ code: 0, out: expect.stringMatching(/Whole: \d+ files/) })
    expect(execFileSync("tar", ["-tzf", archive], { encoding: "utf8" }).match(/elsewhere-\d{4}\.jsonl/g)).toHaveLength(3)
  }, 60_000)

  it("a turn whose holder has died ends by itself", async () => {
    const organizationId = OrganizationId.make(stage.shop.organizationId)
    const act = { actor: "test", reason: "a host that dies" }
    const begun = await stage.run(Effect.flatMap(LeavingActs, (acts) => acts.begin(act, organizationId)))
    expect((await download()).status).toBe(422)
    await rowsOf("update leaving_turns set lasts_until = now() - interval '1 second'")
    expect((await (await download()).arrayBuffer()).byteLength).toBeGreaterThan(1_000_000)
    // The dead one's end, should it come after all, takes nobody's turn away.
    const later = await stage.run(Effect.flatMap(LeavingActs, (acts) => acts.begin(act, organizationId)))
    await stage.run(Effect.flatMap(LeavingActs, (acts) => acts.end(act, organizationId, "turn" in begun ? begun.turn : "", null)))
    expect(await turns()).toEqual([later])
    expect(await stage.run(Effect.flatMap(LeavingActs, (acts) => acts.goOn(organizationId, "turn" in begun ? begun.turn : "")))).toBe(false)
    await stage.run(Effect.flatMap(LeavingActs, (acts) => acts.end(act, organizationId, "turn" in later ? later.turn : "", null)))
  }, 60_000)
})

it("an operator downloads it with a reason", async () => {
  const operator = await stage.session(stage.people.OPERATOR)
  const path = `/operator/organizations/${stage.shop.organizationId}/everything`
  const without = await ask(path, operator, {})
  expect(without.status).toBe(422)
  await (await ask(path, operator, { reason: "the shop's letter of 3 May" })).arrayBuffer()
  expect(await lines("operator:operator@primer.example organization handed over")).toBe(1)
})
