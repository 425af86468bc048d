import type { Migration } from "./Migration.ts"

// Why: a role hung on the text of an e-mail address, so whoever made an account with that address inherited every role that was waiting for it. A role now
// belongs to a person; one without a person opens nothing. An account also knows whether somebody has shown that its address is the person's own.
//
// Roles that were given after their account existed keep it. Roles that are older than their account were waiting for it: they open nothing until the
// operator gives them again (docs/operations/upgrade.md). An operator of the installation counts as known.
export const membershipsOfPersons: Migration = {
  number: 43,
  name: "memberships of persons",
  statements: [
    `alter table members add column person_id uuid`,
    `alter table people add column email_proven_at timestamptz`,
    `update members m set person_id = p.person_id from people p where p.email = m.person and p.created_at <= m.added_at`,
    `update people set email_proven_at = updated_at where operator`,
    `create index members_by_person_id on members (person_id)`
  ]
}
