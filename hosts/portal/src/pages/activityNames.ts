import type { Activity } from "@overa/domain"
import { el, type Html } from "../html/el.ts"

/** A name, with what stands for it in the log below; that alone where there is no name. */
const named = (name: string | null, text: string): Html => name === null || name === text ? text : [name, el("br", {}), el("span", { class: "hint" }, text)]

/** Who acted: the person's name and address, or what acted by itself. */
export const actorHtml = ({ actor, actorName }: Activity): Html => named(actorName, actor)

/** What was acted on: the name that it had then, and its identifier. */
export const subjectHtml = ({ subject, subjectName }: Activity): Html => named(subjectName, subject)
