import { invitationHours, MemberRole, OrganizationActs, readEmail, TenancyOversight } from "@overa/domain"
import { invitePerson, isSafe } from "@overa/host-kit"
import { Command } from "commander"
import { Effect } from "effect"
import type { Desk } from "../Desk.ts"
import type { Input } from "../input/Input.ts"
import { namedOrganization } from "../input/named.ts"
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
      return { text: table(["PERSON", "ROLE", "SINCE", "STATE"], found.map((it) => [it.person, it.role, shownTime(it.addedAt), it.effective ? "" : "waits: invite the person"])), json: { items: found } }
    })
  ))

/** Both languages: who is invited may read either. */
const inBoth = (serbian: string, english: string): string => `${serbian} / ${english}`

/** Where the portal answers, for the link of an invitation. */
const portalOf = (input: Input): Effect.Effect<string, Refusal> => {
  const text = input.text("portal") ?? input.surroundings.environment["OVERA_PORTAL_URL"] ?? ""
  const url = URL.parse(text)
  return url !== null && isSafe(url)
    ? Effect.succeed(url.origin)
    : Effect.fail(new Refusal({ sentence: "Say with --portal, or in OVERA_PORTAL_URL, at which https address the portal answers: the invitation's link leads there." }))
}

const handOver = (email: string, link: string): string =>
  [
    `No mail server is configured (OVERA_SMTP_URL). Hand this link over to ${email} yourself, to a person whom you know:`,
    link,
    `Whoever opens it becomes the member and the owner of the account with that address. It is shown only now and works once, for ${invitationHours} hours.`
  ].join("\n")

const addMember = (desk: Desk) =>
  asAct(
    new Command("add-member").description("invites a person: whoever opens the mailed link has the role")
      .argument("<organization>").argument("<person>", "e-mail address")
      .requiredOption("--role <role>", roles.join(" or "))
      .option("--portal <address>", "address of the portal; else OVERA_PORTAL_URL")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const organizationId = yield* input.id("organization", input.argument(0))
      const role = yield* input.choice("--role", input.text("role") ?? "", roles)
      const email = readEmail(input.argument(1))
      if (email === null) return yield* new Refusal({ sentence: "Say who: an e-mail address." })
      const portal = yield* portalOf(input)
      const { name } = yield* namedOrganization(organizationId)
      const { mailConfigured } = input.config
      const link = yield* invitePerson(yield* input.act, { organizationId, organizationName: name, email, role }, { portal, mailConfigured, say: inBoth })
      return {
        text: link === null ? `${email} is invited as ${role}; the message with the link goes out now.` : handOver(email, link),
        json: { person: email, role, link }
      }
    })
  ))

/** Roles that open nothing: an earlier release gave them to an address, and nobody has shown whose it is. */
const doubtful = (desk: Desk) =>
  new Command("doubtful").description("roles that wait: an earlier release gave them to an address instead of a person. Invite the person: the accepted invitation takes the role's place").action(desk.does(() =>
    Effect.gen(function*() {
      const items = yield* (yield* TenancyOversight).waitingRoles
      const rows = items.map((it) => [it.organizationId, it.organization, it.person, it.role, shownTime(it.addedAt)])
      return { text: table(["ORGANIZATION", "NAME", "ADDRESS", "ROLE", "SINCE"], rows, "Every role belongs to a person."), json: { items } }
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
      .addCommand(list(desk)).addCommand(add(desk)).addCommand(members(desk)).addCommand(doubtful(desk)).addCommand(addMember(desk)).addCommand(removeMember(desk)),
    [
      `organizations list`,
      `organizations add "Prodavnica d.o.o." --reason "contract 17"`,
      `organizations add-member 0190a1b2-0000-7000-8000-000000000001 ana@example.rs --role OWNER --portal https://portal.example.rs --reason "contract 17"`,
      `organizations doubtful`
    ]
  )
