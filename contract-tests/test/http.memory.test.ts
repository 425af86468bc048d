import { afterAll } from "vitest"
import { accessContract } from "../src/http/access.contract.ts"
import { catalogueContract } from "../src/http/catalogue.contract.ts"
import { dryRunContract } from "../src/http/dryRun.contract.ts"
import { journalContract } from "../src/http/journal.contract.ts"
import { eventsContract } from "../src/http/events.contract.ts"
import { webhooksContract } from "../src/http/webhooks.contract.ts"
import { journalLogContract } from "../src/http/journalLog.contract.ts"
import { proofContract } from "../src/http/proof.contract.ts"
import { refundsContract } from "../src/http/refunds.contract.ts"
import { representationsContract } from "../src/http/representations.contract.ts"
import { salesContract } from "../src/http/sales.contract.ts"
import { setupContract } from "../src/http/setup.contract.ts"
import { tenancyContract } from "../src/http/tenancy.contract.ts"
import { tokensContract } from "../src/http/tokens.contract.ts"
import { transportContract } from "../src/http/transport.contract.ts"
import { type MemoryApi, startMemoryApi } from "../src/support/memoryApi.ts"

// One API in memory for all suites: the contract of HTTP itself, without the cost of a database.
const started: Promise<MemoryApi> = startMemoryApi()
const target = async () => (await started).target

afterAll(async () => {
  await (await started).running.stop()
})

transportContract("memory", target)
tokensContract("memory", target)
salesContract("memory", target)
dryRunContract("memory", target)
proofContract("memory", target, { signs: false })
setupContract("memory", target)
accessContract("memory", target)
tenancyContract("memory", target)
journalContract("memory", target)
journalLogContract("memory", target)
eventsContract("memory", target)
webhooksContract("memory", target)
catalogueContract("memory", target)
refundsContract("memory", target)
representationsContract("memory", target)
