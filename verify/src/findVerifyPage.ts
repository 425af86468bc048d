import { readFile } from "node:fs/promises"

export interface VerifyPage {
  readonly html: string
  /** The page's own content security policy, which allows it no network. */
  readonly policy: string
}

const built = new URL("../dist/verify.html", import.meta.url)

const policyOf = (html: string): string => /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(html)?.[1] ?? "default-src 'none'"

const hasBundler = (): boolean => {
  try {
    return import.meta.resolve("rolldown") !== ""
  } catch {
    return false // the package is not installed
  }
}

const pageOf = async (): Promise<VerifyPage | null> => {
  // A checkout has the bundler, and perhaps a page that was built from earlier sources; an installation has the page and no bundler.
  const html = hasBundler() ? await (await import("../tools/buildPage.ts")).buildPage() : await readFile(built, "utf8").catch(() => null)
  return html === null ? null : { html, policy: policyOf(html) }
}

let page: Promise<VerifyPage | null> | null = null

/** The page that checks receipts, as one file; built once in a process. Null where neither the built page nor the bundler is there. */
export const findVerifyPage = (): Promise<VerifyPage | null> => (page ??= pageOf())
