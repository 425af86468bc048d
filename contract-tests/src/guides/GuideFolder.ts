import { execFile } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { ApiTarget } from "../http/ApiTarget.ts"

const root = join(import.meta.dirname, "../../..")
export const guides = join(root, "docs/guides")
export const guidePage = (guide: string): string => readFileSync(join(guides, `${guide}.md`), "utf8")

const languages = {
  ts: { command: [process.execPath, "--conditions=@overa/source"], ending: "ts" },
  php: { command: ["php"], ending: "php" },
  python: { command: ["python3", "-B"], ending: "py" }
} as const
export type GuideLanguage = keyof typeof languages
export const guideLanguages = Object.keys(languages) as ReadonlyArray<GuideLanguage>

/** A guide, what its programs print, and whose credential they have. */
export interface ToldProgram {
  readonly guide: string
  readonly prints: string
  readonly credential?: "management"
  /** The program of a language. */
  readonly code: (language: GuideLanguage) => string
}

/** The folder of a reader who has copied the programs of a language from the guides, with the two files and the client beside them. */
export class GuideFolder {
  readonly path = mkdtempSync(join(tmpdir(), "overa-guides-"))
  private readonly language: GuideLanguage

  constructor(language: GuideLanguage) {
    this.language = language
    for (const name of ["php/Overa.php", "python/overa.py"]) copyFileSync(join(root, "docs/examples", name), join(this.path, name.replace(/.*\//, "")))
    copyFileSync(join(guides, "products.csv"), join(this.path, "products.csv"))
    writeFileSync(join(this.path, "package.json"), JSON.stringify({ type: "module" }))
    mkdirSync(join(this.path, "node_modules"))
    symlinkSync(join(root, "node_modules/@overa"), join(this.path, "node_modules/@overa"))
  }

  /** What the guide's program prints for an order; a warning is a failure. */
  async run(story: ToldProgram, target: ApiTarget, order: string): Promise<string> {
    const { command: [program, ...options], ending } = languages[this.language]
    const { clientId, clientSecret } = story.credential === "management" && target.management !== undefined ? target.management : target
    const file = join(this.path, `${story.guide}.${ending}`)
    writeFileSync(file, `${story.code(this.language)}\n`)
    const env = {
      ...process.env, OVERA_URL: target.baseUrl, OVERA_AUTH_URL: target.authUrl, OVERA_CLIENT_ID: clientId, OVERA_CLIENT_SECRET: clientSecret,
      TAXPAYER_ID: target.taxpayerId, BUSINESS_PREMISE_ID: target.businessPremiseId
    }
    const { stderr, stdout } = await promisify(execFile)(program, [...options, file, order], { cwd: this.path, env })
    if (stderr !== "") throw new Error(`${story.guide} in ${this.language}: ${stderr}`)
    return stdout.trimEnd()
  }

  remove(): void {
    rmSync(this.path, { recursive: true })
  }
}
