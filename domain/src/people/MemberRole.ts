import { Schema } from "effect"

/** The role of a person in an organization. Source: Decisions §13. */
export const MemberRole = Schema.Literals(["OWNER", "ADMINISTRATOR", "ACCOUNTANT", "SUPPORT"])
export type MemberRole = typeof MemberRole.Type

/** The permission that a page or an act of the portal requires. */
export type Permission =
  | "receipts:read"
  | "receipts:send"
  /** Copies and refunds: documents that the V-PFR signs. */
  | "receipts:issue"
  | "reports:read"
  | "catalogue:read"
  | "catalogue:write"
  | "setup:read"
  | "setup:write"
  /** Issuing and rotating credentials of the API: a secret outlives the role of who made it. */
  | "credentials:write"
  | "activity:read"
  | "members:write"
  /** Downloading all that the organization has, in one archive. */
  | "everything:take"
  | "subscription:read"

const reading: ReadonlyArray<Permission> = ["receipts:read", "reports:read", "catalogue:read", "setup:read", "activity:read"]

const granted: Readonly<Record<MemberRole, ReadonlyArray<Permission>>> = {
  OWNER: [...reading, "receipts:send", "receipts:issue", "catalogue:write", "setup:write", "credentials:write", "members:write", "everything:take", "subscription:read"],
  ADMINISTRATOR: [...reading, "receipts:send", "receipts:issue", "catalogue:write", "setup:write"],
  ACCOUNTANT: [...reading, "subscription:read"],
  SUPPORT: ["receipts:read", "receipts:send"]
}

/**
 * Whether a role has a permission. An Owner has all; an Administrator all but changing members' roles, credentials, the subscription and taking everything along; an Accountant reads and
 * exports; Support reads receipts and sends them (Decisions §13).
 */
export const mayDo = (role: MemberRole, permission: Permission): boolean => granted[role].includes(permission)
