import { readFileSync } from "node:fs"
import { type Step, stepsOf } from "./guidePage.ts"
import type { Ran, Shell } from "./Shell.ts"
import { differences } from "./shownAnswer.ts"

const judged = ({ answer, command }: Step, ran: Ran): ReadonlyArray<string> => {
  const wrong = [...ran.failed, ...(ran.stderr === "" ? [] : [ran.stderr])]
  if (answer === null) return wrong
  if (answer.language === "text") return ran.stdout === answer.code.trim() ? wrong : [...wrong, `shown ${answer.code}, answered ${ran.stdout}`]
  try {
    return [...wrong, ...differences(JSON.parse(answer.code), JSON.parse(ran.stdout))]
  } catch {
    return [...wrong, `not JSON: ${ran.stdout} after ${command.code}`]
  }
}

/** Pastes every command of a page into a terminal, one after the other; answers the differences from the page. */
export const runPage = async (page: string, shell: Shell, isPasted: (step: Step) => boolean = () => true): Promise<ReadonlyArray<string>> => {
  const faults: Array<string> = []
  for (const step of stepsOf(readFileSync(page, "utf8")).filter(isPasted)) {
    const ran = await shell.run(step.command.code)
    faults.push(...judged(step, ran).map((fault) => `${page}:${step.command.line}: ${fault}`))
  }
  return faults
}
