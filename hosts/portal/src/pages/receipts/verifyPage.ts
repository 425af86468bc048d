import { JournalLog, KnownSigners, type Operation, readOperation, readProof, signedTin, TenancyOversight } from "@overa/domain"
import { proofJson } from "@overa/host-kit"
import { checkFiles, type Finding, type Knowledge, readLogKeys, sentence, type Verdict, verdictWord } from "@overa/verify/files"
import { Effect, Option } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { badge, card } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { documentId } from "./documentId.ts"

/** The keys of the installation and the seller's tax id, as a person would have to type them in elsewhere. */
const knowledgeOf = Effect.fnUntraced(function*(visit: MemberVisit, { taxpayerId }: Operation) {
  const seller = Option.getOrNull(yield* (yield* TenancyOversight).taxpayer(taxpayerId))
  const knowledge: Knowledge = {
    signers: (yield* KnownSigners).inEnvironment(visit.environment).signers,
    logKeys: readLogKeys((yield* (yield* JournalLog).verifierKeys).join("\n")),
    tin: seller === null ? null : signedTin(seller.taxpayer.taxIdentifier, visit.environment)
  }
  return knowledge
})

const kinds: Readonly<Record<Verdict, "good" | "bad" | "plain" | "wait">> = { PROVEN: "good", CLAIMED: "plain", NOT_COVERED: "wait", CONTRADICTED: "bad" }

const findingLine = ({ language }: MemberVisit, finding: Finding): Html =>
  el("li", {}, badge(kinds[finding.verdict], verdictWord(finding.verdict, language)), " ", sentence(finding, language))

/** The same check as of the page that needs no service, with the keys that this installation knows. */
const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const id = documentId(visit.params["id"])
  if (id === null) return yield* new NotFound({})
  const { operation } = yield* readOperation(visit.tenant, id)
  const proof = JSON.stringify(proofJson(yield* readProof(visit.tenant, id)))
  const knowledge = yield* knowledgeOf(visit, operation)
  const reports = yield* Effect.promise(() => checkFiles([{ name: `proof-${id}.json`, bytes: new TextEncoder().encode(proof) }], knowledge, () => Promise.resolve(null)))
  const { say } = visit
  const title = say("Провера документа", "Check of a document")
  const link = operation.answer?.pfr.verificationUrl
  return page(title, all(
    el("h1", {}, title),
    el("p", {}, el("a", { href: `/receipts/${id}` }, operation.answer?.pfr.invoiceNumber ?? say("Документ без броја", "Document without a number"))),
    el("p", { class: "hint" }, say("Проверено кључевима које ова инсталација познаје; ко јој не верује, провери преузети доказ својим кључевима.", "Checked with the keys that this installation knows; whoever does not trust it checks the downloaded proof with keys of their own.")),
    card(say("Шта је доказано", "What is proven"), el("ul", { class: "plain" }, reports.flatMap(({ findings }) => findings).map((finding) => findingLine(visit, finding)))),
    el(
      "div",
      { class: "actions" },
      el("a", { class: "button", href: `/receipts/${id}/proof` }, say("Преузми доказ", "Download the proof")),
      link === undefined ? null : el("a", { class: "button", href: link, rel: "noreferrer" }, say("Провера код Пореске управе", "Check at the tax authority"))
    )
  ))
}, (effect) => Effect.catchTag(effect, "FiscalDocumentNotFound", () => new NotFound({})))

/** Checks a document without asking for any key. */
export const verifyRoutes = [memberRoute("GET", "/receipts/:id/verify", "receipts:read", show)]
