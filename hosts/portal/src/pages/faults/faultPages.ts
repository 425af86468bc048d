import { el } from "../../html/el.ts"
import { page, type Reply } from "../../http/Reply.ts"
import type { Arrival, Visit } from "../../http/Visit.ts"

interface FaultWords {
  readonly status: number
  readonly title: readonly [serbian: string, english: string]
  readonly sentence: readonly [serbian: string, english: string]
}

const notFound: FaultWords = {
  status: 404,
  title: ["Не постоји", "Not found"],
  sentence: [
    "Ове странице нема, или припада другој организацији или другом окружењу. Проверите адресу или промените окружење у заглављу.",
    "There is no such page, or it belongs to another organization or environment. Check the address, or switch the environment at the top."
  ]
}

const fault: FaultWords = {
  status: 500,
  title: ["Грешка код нас", "Our fault"],
  sentence: [
    "Нешто је пошло наопако код нас. Проверите стање пре него што поновите радњу.",
    "Something went wrong on our side. Check the current state before you repeat the action."
  ]
}

const words: Readonly<Record<string, FaultWords>> = {
  NotAllowed: {
    status: 403,
    title: ["Није дозвољено", "Not allowed"],
    sentence: ["Ваша улога не дозвољава ову страницу. Обратите се власнику организације.", "Your role does not allow this. Ask an Owner of the organization."]
  },
  ForeignOrigin: {
    status: 403,
    title: ["Образац није са овог портала", "The form is not from this portal"],
    sentence: [
      "Ништа није промењено. Отворите страницу на овој адреси портала и пошаљите образац одатле.",
      "Nothing was changed. Open the page at this address of the portal and send the form from there."
    ]
  },
  NotProven: {
    status: 403,
    title: ["Образац је застарео", "The form is out of date"],
    sentence: [
      "Ништа није промењено. Вратите се, освежите страницу и пошаљите образац поново.",
      "Nothing was changed. Go back, reload the page and send the form again."
    ]
  },
  UnreadableForm: {
    status: 413,
    title: ["Образац није примљен", "The form was not taken"],
    sentence: [
      "Ништа није промењено. Образац са датотеком сме да има највише 1 MB.",
      "Nothing was changed. A form with its file may have at most 1 MB."
    ]
  },
  Busy: {
    status: 429,
    title: ["Превише захтева одједном", "Too many requests at once"],
    sentence: ["Ништа није промењено. Сачекајте тренутак, па поновите.", "Nothing was changed. Wait a moment and repeat it."]
  },
  StoreUnavailable: {
    status: 503,
    title: ["База не одговара", "The database does not answer"],
    sentence: [
      "Не знамо да ли је радња сачувана. Сачекајте минут, погледајте стање, па поновите ако треба.",
      "We do not know whether this was saved. Wait a minute, check the current state, and repeat it if needed."
    ]
  },
  RenderingUnavailable: {
    status: 503,
    title: ["Рачун се тренутно не може нацртати", "The receipt cannot be drawn now"],
    sentence: ["Рачун је сачуван. Покушајте поново за минут.", "The receipt is safe. Try again in a minute."]
  },
  FiscalDocumentNotFound: notFound,
  OperationNotFound: notFound,
  RefundWorkflowNotFound: notFound,
  RepresentationNotAvailable: {
    status: 409,
    title: ["Рачун још не постоји", "There is no receipt yet"],
    sentence: ["Само фискализован документ има рачун за преузимање.", "Only a fiscalized document has a receipt to download."]
  },
  NotFound: notFound
}

/** The page for something that cannot be shown or done, by the tag of the error; an unexpected error is our fault. */
export const faultPage = (visit: Arrival | Visit, tag: string): Reply => {
  const { sentence, status, title } = words[tag] ?? fault
  return page(
    visit.say(...title),
    [el("h1", {}, visit.say(...title)), el("p", {}, visit.say(...sentence)), el("p", {}, el("a", { href: "/" }, visit.say("На почетак", "To the start")))],
    status
  )
}
