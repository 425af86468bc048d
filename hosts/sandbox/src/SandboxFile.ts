import { join } from "node:path"
import { rmSync } from "node:fs"
import { Effect } from "effect"
import { writePrivate } from "./privateFile.ts"
import type { SandboxPeople } from "./seed/sandboxPeople.ts"
import type { SeededSandbox } from "./seed/SeededSandbox.ts"

/** The addresses on which the sandbox answers. */
export interface SandboxAddresses {
  readonly baseUrl: string
  readonly authUrl: string
  readonly portalUrl: string
  readonly mailUrl: string
  readonly vpfr: { readonly url: string; readonly controlUrl: string }
}

/** The content of `.overa/sandbox.json`: the sandbox's secrets, for every program on this machine (Decisions §8). */
export const sandboxFile = (addresses: SandboxAddresses, seeded: SeededSandbox, people: SandboxPeople) => ({
  baseUrl: addresses.baseUrl,
  authUrl: addresses.authUrl,
  ...seeded.sandbox,
  organizationId: seeded.organizationId,
  vpfr: addresses.vpfr,
  smtp: { webUrl: addresses.mailUrl },
  production: seeded.production,
  other: seeded.other,
  noEnvironment: seeded.noEnvironment,
  ...(seeded.webhooks === undefined ? {} : { webhooks: seeded.webhooks }),
  ...(seeded.management === undefined ? {} : { management: seeded.management }),
  portal: { url: addresses.portalUrl, ...people }
})

/** The file's place. */
export const sandboxFilePath = (home: string): string => join(home, "sandbox.json")

/** Written when everything answers, removed before the sandbox stops: while the file exists the sandbox is ready. */
export const announceReady = (home: string, addresses: SandboxAddresses, seeded: SeededSandbox, people: SandboxPeople) => {
  const file = sandboxFilePath(home)
  return Effect.acquireRelease(
    Effect.as(writePrivate(file, sandboxFile(addresses, seeded, people)), file),
    () => Effect.sync(() => rmSync(file, { force: true }))
  )
}
