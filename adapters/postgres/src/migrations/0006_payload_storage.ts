import type { Migration } from "./Migration.ts"

// Why: payloads are written once and read rarely, so trying to compress them costs more than it saves (measured: about a fifth of
// the commit rate). Apart from the tables, because an engine without storage options may skip this step.
export const payloadStorage: Migration = {
  number: 6,
  name: "payload storage",
  statements: [
    `alter table operations
      alter column key_body set storage external,
      alter column content set storage external,
      alter column answer_text set storage external,
      alter column answer_facts set storage external`
  ]
}
