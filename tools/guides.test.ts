import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { blocksOf, stepsOf } from "../contract-tests/outside/guides/guidePage.ts"
import { differences } from "../contract-tests/outside/guides/shownAnswer.ts"

// `npm run outside` tests whether the commands do what the pages say, in a clone with everything running.

const pages = ["README.md", "client/README.md", "hosts/vpfr-simulator/README.md", ...readdirSync("docs/guides").filter((name) => name.endsWith(".md")).map((name) => `docs/guides/${name}`)]
const commandsOf = (page: string) => stepsOf(readFileSync(page, "utf8")).map(({ command }) => command)

/** Set by the shell itself. */
const given = new Set(["RANDOM", "HOME", "PWD"])

describe("Pages whose commands are pasted", () => {
  it.each(pages)("%s: every block is a command that bash can read", (page) => {
    for (const { code, line } of commandsOf(page)) expect([line, spawnSync("bash", ["-n"], { input: code, encoding: "utf8" }).stderr]).toEqual([line, ""])
  })

  it.each(pages)("%s: every variable is set by a command above, and no id stands in one", (page) => {
    const set = new Set(given)
    for (const { code, line } of commandsOf(page)) {
      for (const [, name = ""] of code.matchAll(/(?:^|[\s;(])(?:for )?([A-Za-z_]\w*)(?:=| in )/gm)) set.add(name)
      const unset = [...code.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name = ""]) => name).filter((name) => !set.has(name))
      expect([line, unset]).toEqual([line, []])
      expect([line, code.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g)]).toEqual([line, null])
    }
  })

  it.each(pages)("%s: what is shown as JSON is JSON", (page) => {
    const shownAsJson = blocksOf(readFileSync(page, "utf8")).filter(({ language }) => language === "json")
    expect(() => shownAsJson.map(({ code }) => JSON.parse(code) as unknown)).not.toThrow()
  })
})

describe("The comparison of an answer with what a page shows", () => {
  const shown = { id: "01a1fc69-7513-72c2-8a76-670ab1dbdea8", at: "2026-11-21T05:42:12.125+01:00", amount: 99.99, url: "http://127.0.0.1:44527/v/?vl=A0w2…" }
  const answered = { id: "01b2fc69-7513-72c2-8a76-670ab1dbdea9", at: "2027-01-21T05:42:12.1259863Z", amount: 99.99, url: "http://127.0.0.1:5/v/?vl=B1", more: true }

  it("lets ids, times, addresses and members that are left out differ, and nothing else", () => {
    expect(differences(shown, answered)).toEqual([])
    expect(differences(shown, { ...answered, amount: 99.98 })).toEqual(["$.amount: shown 99.99, answered 99.98"])
    expect(differences(shown, { ...answered, id: "none" })).toHaveLength(1)
    expect(differences({ list: [1] }, { list: [1, 2] })).toHaveLength(1)
    expect(differences({ gone: null }, {})).toHaveLength(1)
    expect(differences({ text: "FAILED" }, { text: "COMPLETED" })).toHaveLength(1)
  })
})
