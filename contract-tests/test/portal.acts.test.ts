import { pageFolders } from "@overa/portal"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { actTable } from "../src/portal/actTable.ts"

const routes = pageFolders.flatMap((folder) => folder.routes)

describe("what each act of a person leaves in the activity log", () => {
  it("the table names every POST route of the portal, and no other", () => {
    const posts = routes.filter(({ method }) => method === "POST").map(({ path }) => path)
    assert.deepStrictEqual(posts.toSorted(), Object.keys(actTable).toSorted())
  })

  it("where a test of its own carries it out, that test reads the line; `proof/whole/portalActs` carries out all others", () => {
    const unread = Object.entries(actTable).filter(([, row]) => "leaves" in row && row.seenIn !== undefined && !readFileSync(row.seenIn, "utf8").includes(row.leaves))
    assert.deepStrictEqual(unread, [])
  })
})
