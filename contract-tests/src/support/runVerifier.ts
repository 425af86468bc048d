/** What the verifier says of one file. */
interface Told {
  readonly name: string
  readonly kind: string
  readonly findings: ReadonlyArray<{ readonly verdict: string; readonly subject: string; readonly values: ReadonlyArray<string> }>
}

/** `runVerify` of `overa-verify`: the tests hand it over, because this folder imports no package by a path. */
type Verifier = (args: ReadonlyArray<string>, io: { readonly write: (text: string) => void; readonly writeError: (text: string) => void }) => Promise<number>

/** Runs the verifier in this process: `run` answers its exit code and what it wrote, `report` the same with `--json`, read. */
export const verifierWith = (verifier: Verifier) => {
  const run = async (...args: ReadonlyArray<string>) => {
    const [out, err]: [Array<string>, Array<string>] = [[], []]
    const code = await verifier(args, { write: (text) => void out.push(text), writeError: (text) => void err.push(text) })
    return { code, out: out.join(""), err: err.join("") }
  }
  const report = async (...args: ReadonlyArray<string>) => {
    const { code, out } = await run("--json", ...args)
    return { code, reports: JSON.parse(out) as ReadonlyArray<Told> }
  }
  return { run, report }
}

/** Of one file the verdict by subject. */
export const verdictsOf = ({ findings }: Told): Readonly<Record<string, string>> => Object.fromEntries(findings.map(({ subject, verdict }) => [subject, verdict]))
