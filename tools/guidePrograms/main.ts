import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { withPrograms } from "./section.ts"
import { stories } from "./stories/index.ts"

// `--check` tests that the pages have the programs of the stories.
for (const story of stories) {
  const file = join(import.meta.dirname, `../../docs/guides/${story.guide}.md`)
  const page = readFileSync(file, "utf8")
  const written = withPrograms(page, story)
  if (written === page) continue
  if (process.argv.includes("--check")) {
    process.stderr.write(`docs/guides/${story.guide}.md has other programs than tools/guidePrograms; run npm run generate\n`)
    process.exitCode = 1
  } else writeFileSync(file, written)
}
