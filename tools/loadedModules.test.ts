import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"

/** Loads a module in a process of its own, as a host does, and prints every file that was loaded for it. */
const program = `
import { registerHooks } from "node:module"
const loaded = new Set()
registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) })
await import(process.argv[1])
process.stdout.write(JSON.stringify([...loaded]))`

const loadedFor = (entry: string): ReadonlyArray<string> => {
  const said = execFileSync(process.execPath, ["--conditions=@overa/source", "--input-type=module", "--eval", program, new URL(`../${entry}`, import.meta.url).href], { encoding: "utf8", maxBuffer: 64_000_000 })
  return JSON.parse(said) as ReadonlyArray<string>
}

const packagesIn = (urls: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []))

/** Each is run only by processes of its own, or by other hosts: without them an API host needs 20 MB less. */
const drawsOrMails = ["pdfkit", "fontkit", "brotli", "@hyzyla/pdfium", "nodemailer", "tar-stream"]

describe("what a host loads", () => {
  it("is, for the API, nothing that draws, sends mail or packs archives (docs/adr/0408)", () => {
    const packages = packagesIn(loadedFor("hosts/rest-api/src/startRestApi.ts"))
    expect([...packages]).toEqual(expect.arrayContaining(["effect", "koa", "undici"]))
    expect(drawsOrMails.filter((name) => packages.has(name))).toEqual([])
  }, 60_000)

  it("is, for the worker, nothing that draws", () => {
    const packages = packagesIn(loadedFor("hosts/worker/src/worker.ts"))
    expect([...packages]).toEqual(expect.arrayContaining(["effect", "nodemailer"]))
    expect(["pdfkit", "fontkit", "brotli", "@hyzyla/pdfium"].filter((name) => packages.has(name))).toEqual([])
  }, 60_000)
})
