import { execFileSync } from "node:child_process"
import { dirname } from "node:path"
import { describe, expect, it } from "vitest"
import { buildContext } from "../contract-tests/src/support/buildContext.ts"
import { filesOf } from "./sourceTree.ts"

const textOf = (path: string): string => filesOf(path)[0]?.text ?? ""
const dockerfile = textOf("Dockerfile")
const manifests = filesOf("{domain,client,orders,contract-tests,verify}/package.json", "{adapters,hosts}/*/package.json")

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const folderOf = new Map(manifests.map(({ path, text }) => [(JSON.parse(text) as Manifest).name, { folder: dirname(path), manifest: JSON.parse(text) as Manifest }]))

/** One of our packages and all others of ours that it needs. */
const neededBy = (name: string, known: ReadonlySet<string> = new Set()): ReadonlySet<string> => {
  const found = folderOf.get(name)
  if (found === undefined || known.has(name)) return known
  return Object.keys(found.manifest.dependencies ?? {}).reduce<ReadonlySet<string>>((all, next) => neededBy(next, all), new Set([...known, name]))
}

const runs = new Set(["@overa/rest-api", "@overa/worker", "@overa/admin", "@overa/portal"].flatMap((host) => [...neededBy(host)]))

interface Component {
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly hashes?: unknown
}

describe("the image", () => {
  it("installs with the manifest of every workspace, because npm ci compares all of them with the lockfile", () => {
    const missing = manifests.filter(({ path }) => !dockerfile.includes(`COPY ${path} ${dirname(path)}/\n`)).map(({ path }) => path)
    expect(missing).toEqual([])
  })

  const { version: ours } = JSON.parse(textOf("package.json")) as { readonly version: string }

  it("says what it was made of, by name, version and digest", () => {
    const flags = /RUN npm sbom (.*) > sbom\.cdx\.json/.exec(dockerfile)?.[1]?.split(" ") ?? []
    // At that moment the image has the manifests and the lockfile, but neither sources nor packages that only development needs.
    const said = execFileSync("npm", ["sbom", ...flags], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 16_000_000 })
    const { components } = JSON.parse(said) as { readonly components: ReadonlyArray<Component> }
    const named = new Set(components.map(({ group, name }) => group === undefined ? name : `${group}/${name}`))
    const needed = [...runs].flatMap((name) => Object.keys(folderOf.get(name)?.manifest.dependencies ?? {})).filter((name) => !folderOf.has(name))
    expect(needed.filter((name) => !named.has(name))).toEqual([])
    expect(named).toContain("effect")
    expect(named).not.toContain("vitest")
    expect(components.filter(({ hashes, version }) => hashes === undefined && version !== ours).map(({ name }) => name)).toEqual([])
  }, 60_000)

  it("carries the sources of each host it runs and of everything that host needs", () => {
    const [, last = ""] = dockerfile.split("COPY --from=install")
    const copied = [...last.matchAll(/^COPY (\S+) \S+$/gm)].map(([, from = ""]) => from)
    const folders = [...runs].map((name) => folderOf.get(name)?.folder ?? name)
    expect(folders.filter((folder) => !copied.some((from) => `${folder}/src`.startsWith(from)))).toEqual([])
  })

  it("and those beside it are named by digest: the operator gives it, and a name alone is refused", () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, from]) => from)
    expect(bases).toEqual(["${NODE_IMAGE}", "install", "${NODE_IMAGE}"])
    expect(dockerfile).toMatch(/RUN printf %s "\$NODE_IMAGE" \| grep -Eq '\^node:\S+@sha256:\[0-9a-f\]\{64\}\$'/)
    const images = [...textOf("compose.yaml").matchAll(/^ +image: "?([^"\n]+)"?$/gm)].map(([, image]) => image)
    expect(images).toEqual(["overa:local", "${OVERA_DATABASE_IMAGE:?must name the image of PostgreSQL with its digest, see compose.yaml}"])
    expect(textOf("deploy/database-start.sh")).toContain("grep -Eq '@sha256:[0-9a-f]{64}$'")
  })
})

describe.each(["Dockerfile", "hosts/vpfr-simulator/Dockerfile"])("%s", (file) => {
  const text = textOf(file)

  it("copies only what the build is given: files that git tracks and .dockerignore leaves", () => {
    const given = buildContext()
    const sources = [...text.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, from = ""]) => from.split(" "))
    expect(sources.length).toBeGreaterThan(0)
    expect(sources.filter((from) => from !== "." && !given.some((path) => path === from || path.startsWith(`${from}/`)))).toEqual([])
  })

  it("runs on the Node that this project is tested with", () => {
    const { devDependencies: { node } } = JSON.parse(textOf("package.json")) as { readonly devDependencies: { readonly node: string } }
    const bases = [...text.matchAll(/node:(\d+[\d.]*\d)-bookworm-slim/g)].map(([, version]) => version)
    expect(new Set(bases)).toEqual(new Set([node]))
  })
})
