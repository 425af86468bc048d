import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const npm = (cwd: string, ...args: ReadonlyArray<string>) => execFileSync("npm", [...args, "--no-audit", "--no-fund"], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

describe.each([20, 22, 24])("@overa/client in an empty folder on Node %i", (major) => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "overa-node-"))
    npm(resolve("client"), "pack", "--pack-destination", folder)
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "shop", private: true }))
    npm(folder, "install", `node@${major}`, "./overa-client-0.1.0.tgz")
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const run = (...args: ReadonlyArray<string>): string =>
    execFileSync(join(folder, "node_modules/node/bin/node"), args, { cwd: folder, encoding: "utf8" }).trim()

  it("is imported, required and used", () => {
    expect(run("-p", "process.versions.node")).toMatch(new RegExp(`^${major}\\.`))
    const use = `const client = new OveraClient({ baseUrl: "http://127.0.0.1:9", authUrl: "http://127.0.0.1:9", clientId: "a", clientSecret: "b", surroundings: { wait: async () => {} } })
      client.call("readRuntime", {}).catch((error) => console.log(error.name, error.receipt))`
    expect(run("--input-type=module", "-e", `import { OveraClient } from "@overa/client"\n${use}`)).toBe("ServiceUnavailable unknown")
    expect(run("--input-type=commonjs", "-e", `const { OveraClient } = require("@overa/client")\n${use}`)).toBe("ServiceUnavailable unknown")
  })
})
