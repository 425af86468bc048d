import { blocksOf } from "../../contract-tests/outside/guides/guidePage.ts"
import { type GuideLanguage, guidePage, type ToldProgram } from "../../contract-tests/src/guides/GuideFolder.ts"
import { phpProgram } from "./phpProgram.ts"
import { pythonProgram } from "./pythonProgram.ts"
import { type Story } from "./Story.ts"
import { typeScriptProgram } from "./typeScriptProgram.ts"

const [begin, end] = ["<!-- programs: written by `npm run generate` -->", "<!-- end of programs -->"]

const block = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``

const told = (story: Story): string =>
  JSON.stringify(story.steps).includes("{order}") ? "The argument is the number of your order; the keys are made of it, so a second run issues nothing more." : ""

/** The part of a guide with its three programs. */
const sectionOf = (story: Story): string => [
  begin,
  "## In TypeScript, PHP and Python",
  "",
  `${story.about} ${told(story)}`.trim(),
  "",
  "The same program three times, with [`@overa/client`](../../client/README.md), [Overa.php](../examples/php/Overa.php) and [overa.py](../examples/python/overa.py). They renew the token, repeat what may be repeated, and wait "
  + "where an outcome is not known. The settings come from [the environment](php-and-python.md#settings). Each prints:",
  "",
  block("text", story.prints),
  "",
  block("ts", typeScriptProgram(story)),
  "",
  block("php", phpProgram(story)),
  "",
  block("python", pythonProgram(story)),
  end
].join("\n")

/** The page with its programs as the story has them. */
export const withPrograms = (page: string, story: Story): string => {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${story.guide}.md has no place for its programs: ${begin} … ${end}`)
  return `${page.slice(0, from)}${sectionOf(story)}${page.slice(to + end.length)}`
}

/** The program of a language in this part of a page. */
export const programIn = (page: string, language: string): string =>
  blocksOf(page.slice(page.indexOf(begin), page.indexOf(end))).find((block) => block.language === language)?.code ?? ""

/** The stories with their programs as their pages have them. */
export const toldPrograms = (stories: ReadonlyArray<Story>): ReadonlyArray<ToldProgram> =>
  stories.map(({ credential, guide, prints }) => ({ guide, prints, ...(credential === undefined ? {} : { credential }), code: (language: GuideLanguage) => programIn(guidePage(guide), language) }))
