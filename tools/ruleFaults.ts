import { existsSync } from "node:fs"
import { join } from "node:path"
import { ErrorCode } from "../domain/src/errorCatalogue.ts"
import { openCodes } from "./openCodes.ts"
import { reachFaults } from "./ruleReach.ts"
import type { RulesIndex, CodeProof, RuleFile } from "./rulesMarkdown.ts"
import { type SpecificationRow, specificationRows } from "./specificationRows.ts"

const known: ReadonlyArray<string> = ErrorCode.literals

const ruleFaults = (files: ReadonlyArray<RuleFile>): ReadonlyArray<string> => {
  const records = files.flatMap((file) => file.records)
  const ids = records.map((record) => record.id)
  return [
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `rule ${id} is written twice`),
    ...records.filter((record) => record.claims.length === 0).map((record) => `rule ${record.id} makes no claim that holds`),
    ...records.flatMap((record) =>
      record.proves.filter((code) => !known.includes(code)).map((code) => `rule ${record.id} proves ${code}, which is no code`)
    )
  ]
}

const codeFaults = (proofs: ReadonlyArray<CodeProof>): ReadonlyArray<string> => [
  ...[...openCodes.keys()].filter((code) => !known.includes(code)).map((code) => `tools/openCodes.ts names ${code}, which is no code`),
  ...proofs
    .filter((proof) => proof.open === null && proof.rules.length + proof.contractTests.length === 0)
    .map((proof) => `code ${proof.code} is proven nowhere`),
  ...proofs
    .filter((proof) => proof.open === null && openCodes.has(proof.code))
    .map((proof) => `code ${proof.code} is proven: take it out of tools/openCodes.ts`)
]

const rowFaults = (ids: ReadonlyArray<string>, root: string): ReadonlyArray<string> => {
  const isThere = (proof: string): boolean => (proof.endsWith(".ts") ? existsSync(join(root, proof)) : ids.includes(proof))
  const faultsOf = ({ row, provenBy }: SpecificationRow): ReadonlyArray<string> => [
    ...(provenBy.length === 0 ? [`${row} is proven nowhere`] : []),
    ...provenBy.filter((proof) => !isThere(proof)).map((proof) => `${row} names ${proof}, which is not there`)
  ]
  const rows = specificationRows.map(({ row }) => row)
  return [
    ...rows.filter((row, at) => rows.indexOf(row) !== at).map((row) => `${row} is listed twice`),
    ...specificationRows.flatMap(faultsOf)
  ]
}

/** The faults of the rules' index: one sentence each, empty when every rule proves something that is shipped and every code and row is proven. */
export const indexFaults = ({ files, proofs, reach }: RulesIndex, root: string): ReadonlyArray<string> => [
  ...ruleFaults(files),
  ...codeFaults(proofs),
  ...reachFaults(reach),
  ...rowFaults(files.flatMap((file) => file.records).map((record) => record.id), root)
]
