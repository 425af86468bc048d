import type { Migration } from "./Migration.ts"

// Why: most of a receipt's bytes are spaces and repeated words. LZ4 stores them in half the space and two thirds of the log, for no more
// processor time (docs/adr/0395). Step 6 turned compression off because of the price of pglz, the only method of every server.
//
// - Only values written from now on are compressed. Stored ones are read as they are, and are never rewritten: they are evidence.
// - A server built without LZ4 refuses with feature_not_supported. Then nothing changes, and the texts of step 6 stay as they were.
// - `key_body_packed` is compressed by the host already.
// - It changes the catalogue only, no row.
export const packedTexts: Migration = {
  number: 80,
  name: "packed texts",
  statements: [
    `do $$
    begin
      alter table operations
        alter column content set compression lz4, alter column content set storage extended,
        alter column answer_text set compression lz4, alter column answer_text set storage extended,
        alter column answer_facts set compression lz4, alter column answer_facts set storage extended,
        alter column key_body set compression lz4, alter column key_body set storage extended,
        alter column first_answer_text set compression lz4,
        alter column rejection set compression lz4,
        alter column history set compression lz4;
      alter table attempts alter column answer_text set compression lz4;
      alter table attention alter column evidence set compression lz4;
      alter table advance_cases alter column key_body set compression lz4;
      alter table journal_entries alter column search_text set compression lz4;
      alter table receipt_deliveries alter column request_body set compression lz4;
      alter table webhook_messages alter column body set compression lz4;
      alter table elsewhere_receipts alter column journal set compression lz4;
    exception when feature_not_supported then
      null;
    end $$`
  ]
}
