import { afterAll } from "vitest"
import type { ApiTarget } from "../../src/http/ApiTarget.ts"
import { toldPrograms } from "../../../tools/guidePrograms/section.ts"
import { stories } from "../../../tools/guidePrograms/stories/index.ts"
import { guideProgramsContract } from "../../src/guides/guidePrograms.contract.ts"
import { advancesContract } from "../../src/http/advances.contract.ts"
import { catalogueContract } from "../../src/http/catalogue.contract.ts"
import { clientContract } from "../../src/http/client.contract.ts"
import { dryRunContract } from "../../src/http/dryRun.contract.ts"
import { journalContract } from "../../src/http/journal.contract.ts"
import { eventsContract } from "../../src/http/events.contract.ts"
import { webhooksContract } from "../../src/http/webhooks.contract.ts"
import { journalLogContract } from "../../src/http/journalLog.contract.ts"
import { fuzzContract } from "../../src/http/fuzz.contract.ts"
import { keysContract } from "../../src/http/keys.contract.ts"
import { proformaTrainingContract } from "../../src/http/proformaTraining.contract.ts"
import { proofContract } from "../../src/http/proof.contract.ts"
import { refundsContract } from "../../src/http/refunds.contract.ts"
import { representationsContract } from "../../src/http/representations.contract.ts"
import { salesContract } from "../../src/http/sales.contract.ts"
import { sandboxTarget } from "../../src/http/sandboxTarget.ts"
import { setupContract } from "../../src/http/setup.contract.ts"
import { tenancyContract } from "../../src/http/tenancy.contract.ts"
import { tokensContract } from "../../src/http/tokens.contract.ts"
import { transportContract } from "../../src/http/transport.contract.ts"
import { turnoverContract } from "../../src/http/turnover.contract.ts"
import { sentencesContract } from "../../src/sentences/sentences.contract.ts"
import { type SandboxProcess, startSandboxProcess } from "../../src/support/sandboxProcess.ts"

// OVERA_SANDBOX_FILE names the sandbox.json of a running deployment; without it the suites start their own.
const given = process.env["OVERA_SANDBOX_FILE"]
const own: Promise<SandboxProcess> | null = given === undefined ? startSandboxProcess() : null
const target: Promise<ApiTarget> = own === null ? sandboxTarget(given ?? "") : own.then(({ file }) => sandboxTarget(file))
const start = () => target

afterAll(async () => {
  await (await own)?.stop()
})

transportContract("sandbox", start)
sentencesContract("sandbox", start)
tokensContract("sandbox", start)
salesContract("sandbox", start)
dryRunContract("sandbox", start)
proofContract("sandbox", start, { signs: true })
setupContract("sandbox", start)
tenancyContract("sandbox", start)
journalContract("sandbox", start)
journalLogContract("sandbox", start)
eventsContract("sandbox", start)
webhooksContract("sandbox", start)
turnoverContract("sandbox", start)
catalogueContract("sandbox", start)
refundsContract("sandbox", start)
advancesContract("sandbox", start)
keysContract("sandbox", start)
proformaTrainingContract("sandbox", start)
guideProgramsContract("sandbox", start, toldPrograms(stories))
representationsContract("sandbox", start)
clientContract("sandbox", start)
fuzzContract("sandbox", start, 500)
