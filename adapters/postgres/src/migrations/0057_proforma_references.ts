import type { Migration } from "./Migration.ts"

// Why: the tax authority's questionnaire demands that a sale which arises from a proforma takes its number as reference, and the contract refuses it. An
// operator may switch it on for an environment (docs/adr/0208); it is off wherever nobody has.
export const proformaReferences: Migration = {
  number: 57,
  name: "proforma references",
  statements: ["alter table environment_settings add column proforma_references boolean not null default false"]
}
