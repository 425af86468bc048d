import type { Migration } from "./Migration.ts"

// Why: a person sees on which browsers the account was signed in to, and forgets one that was lost (docs/adr/0321). The browser has the mark, the table its digest. A row
// that was forgotten stays until the mark has expired, or a copy of the mark would be known again.
export const personDevices: Migration = {
  number: 66,
  name: "devices of a person",
  statements: [
    `create table portal_devices (
      person_id uuid not null,
      device_id text not null,
      description text not null,
      address text not null,
      first_used_at timestamptz not null,
      last_used_at timestamptz not null,
      forgotten_at timestamptz,
      constraint portal_devices_pk primary key (person_id, device_id),
      constraint portal_devices_person_fk foreign key (person_id) references people (person_id),
      constraint portal_devices_id_is_sha256 check (device_id ~ '^[0-9a-f]{64}$')
    )`,
    `alter table portal_sessions add column device_id text`
  ]
}
