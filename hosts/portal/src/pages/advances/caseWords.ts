import { AdvanceCaseState, caseDocuments, caseStateOf, type StoredAdvanceCase } from "@overa/domain"
import type { Html } from "../../html/el.ts"
import { badge } from "../../html/parts.ts"
import type { Say } from "../../language/Language.ts"

interface StateWords {
  readonly kind: "good" | "bad" | "wait" | "plain"
  readonly name: readonly [serbian: string, english: string]
  readonly says: readonly [serbian: string, english: string]
}

const states: Readonly<Record<AdvanceCaseState, StateWords>> = {
  OPEN: { kind: "plain", name: ["Отворен", "Open"], says: ["Може да прими следећу уплату, да се врати или затвори коначним рачуном.", "It can take another payment, be given back, or be closed with the final receipt."] },
  AWAITING_OUTCOME: { kind: "wait", name: ["Чека", "Waits"], says: ["Исход једног документа се не зна, или затварање није довршено. Погледајте његове документе.", "The outcome of a document is not known, or the closing is not finished. Look at its documents."] },
  CLOSED: { kind: "good", name: ["Затворен", "Closed"], says: ["Коначан рачун је издат.", "The final receipt is issued."] },
  FAILED: { kind: "bad", name: ["Неуспео", "Failed"], says: ["В-ПФР је одбио рефундацију аванса при затварању. Обратите се оператеру.", "The V-PFR rejected the refund of the advance at the closing. Contact the operator."] }
}

export const stateOf = ({ documents }: StoredAdvanceCase): AdvanceCaseState => caseStateOf(caseDocuments(documents))

export const stateBadge = (say: Say, state: AdvanceCaseState): Html => badge(states[state].kind, say(...states[state].name))
export const stateName = (say: Say, state: AdvanceCaseState): string => say(...states[state].name)

/** What the state means for the person. */
export const stateSays = (say: Say, state: AdvanceCaseState): string => say(...states[state].says)

/** Every state, for a choice. */
export const caseStates = AdvanceCaseState.literals
