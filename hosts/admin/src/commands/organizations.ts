import { MemberRole, OrganizationActs, readEmail, TenancyOversight } from "@overa/domain"
import { Command } from "commander"
import { Effect } from "effect"
import type { Desk } from "../Desk.ts"
import { shownTime, table } from "../output/Outcome.ts"
import { Refusal } from "../Refusal.ts"
import { asAct, asFinalAct, withExamples } from "./describe.ts"

const roles = MemberRole.literals

const list = (desk: Desk) =>
  new Command("list").description("all organizations").action(desk.does(() =>
    Effect.gen(function*() {
      const organizations = yield* (yield* TenancyOversight).organizations
      const rows = organizations.map((it) => [it.id, it.name, shownTime(it.createdAt)])
      return { text: table(["ID", "NAME", "CREATED"], rows, "No organizations yet."), json: { items: organizations } }
    })
  ))

const add = (desk: Desk) =>
  asAct(new Command("add").description("makes an organization").argument("<name>")).action(desk.does((input) =>
    Effect.gen(function*() {
      const act = yield* input.act
      const name = input.argument(0).trim()
      if (name === "" || name.length > 200) return yield* new Refusal({ sentence: "An organization's name has 1 to 200 characters." })
      const id = yield* (yield* OrganizationActs).createOrganization(act, name)
      return { text: `Made organization ${id}.`, json: { id, name } }
    })
  ))

const members = (desk: Desk) =>
  new Command("members").description("who acts for an organization").argument("<organization>").action(desk.does((input) =>
    Effect.gen(function*() {
      const organizationId = yield* input.id("organization", input.argument(0))
      const found = yield* (yield* TenancyOversight).members(organizationId)
      return { text: table(["PERSON", "ROLE", "SINCE", "STATE"], found.map((it) => [it.person, it.role, shownTime(it.addedAt), it.effective ? "" : "waits: give the role again"])), json: { items: found } }
    })
  ))

const addMember = (desk: Desk) =>
  asAct(
    new Command("add-member").description("gives a person a role")
      .argument("<organization>").argument("<person>", "e-mail address of an account")
      .requiredOption("--role <role>", roles.join(" or "))
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const organizationId = yield* input.id("organization", input.argument(0))
      const role = yield* input.choice("--role", input.text("role") ?? "", roles)
      const person = readEmail(input.argument(1))
      if (person === null) return yield* new Refusal({ sentence: "Say who: the e-mail address of an account (people add)." })
      const member = { person, role }
      yield* (yield* OrganizationActs).addMember(yield* input.act, organizationId, member)
      return { text: `${member.person} is now ${role}.`, json: member }
    })
  ))

const removeMember = (desk: Desk) =>
  asFinalAct(new Command("remove-member").description("takes a person's role").argument("<organization>").argument("<person>"))
    .action(desk.does((input) =>
      Effect.gen(function*() {
        const organizationId = yield* input.id("organization", input.argument(0))
        const act = yield* input.act
        const person = input.argument(1)
        yield* input.confirm(`${person} will no longer act for the organization.`)
        yield* (yield* OrganizationActs).removeMember(act, organizationId, person)
        return { text: `${person} has no role any more.`, json: { person } }
      })
    ))

/** `organizations`: the organizations of this installation and their members. */
export const organizations = (desk: Desk): Command =>
  withExamples(
    new Command("organizations").description("organizations, their Owners and Administrators")
      .addCommand(list(desk)).addCommand(add(desk)).addCommand(members(desk)).addCommand(addMember(desk)).addCommand(removeMember(desk)),
    [
      `organizations list`,
      `organizations add "Prodavnica d.o.o." --reason "contract 17"`,
      `organizations add-member 0190a1b2-0000-7000-8000-000000000001 ana@example.rs --role OWNER --reason "contract 17"`
    ]
  )
