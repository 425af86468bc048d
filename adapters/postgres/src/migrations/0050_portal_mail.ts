import type { Migration } from "./Migration.ts"

// Why: messages to people of the portal, written in the commit of the act that they tell of and sent by the worker. Their contents are encrypted, because they hold links
// that open something; a row is removed when the mail server has answered for good. The link of an invitation is not shown to the inviter any more, so whoever has it has the
// mailbox: such an invitation proves the address. Those that exist do not.
export const portalMail: Migration = {
  number: 50,
  name: "portal mail",
  statements: [
    `create table portal_mail (
      mail_id uuid not null,
      recipient text not null,
      contents text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      due_at timestamptz not null,
      attempts integer not null,
      last_error text,
      claim uuid,
      claimed_until timestamptz,
      constraint portal_mail_pk primary key (mail_id),
      constraint portal_mail_claim_whole check ((claim is null) = (claimed_until is null))
    )`,
    `create index portal_mail_due on portal_mail (due_at)`,
    `create index portal_mail_of_recipient on portal_mail (recipient)`,
    `alter table invitations add column proves_address boolean not null default false`
  ]
}
