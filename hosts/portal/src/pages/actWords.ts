import { toLatin } from "@overa/domain"
import type { Say } from "../language/Language.ts"
import { ownReason } from "./personAct.ts"

/** What people issue in the portal; each is asked for, and then issued. */
const documents: Readonly<Record<string, string>> = {
  sale: "рачун о продаји",
  refund: "рефундација",
  advance: "авансни рачун",
  "refund of an advance": "рефундација аванса",
  copy: "копија",
  proforma: "предрачун",
  "refund of a proforma": "рефундација предрачуна",
  "training receipt": "рачун за обуку",
  "training refund": "рефундација за обуку"
}

const ofDocuments: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.entries(documents).map(([english, serbian]) => ({ [`${english} issued`]: `${serbian}: издато`, [`${english} asked for`]: `${serbian}: затражено` }))
)

// The English words are the log's own.
const acts: Readonly<Record<string, string>> = {
  ...ofDocuments,
  "receipt mailed": "рачун послат е-поштом",
  "mailing of a receipt asked for": "слање рачуна е-поштом затражено",
  "file downloaded": "датотека преузета",
  "test message of a webhook asked for": "пробна порука вебхука затражена",
  "webhook events asked for again": "догађаји вебхука поново затражени",
  "receipts of another ESIR imported": "рачуни другог ЕСИР-а увезени",
  "receipts of another ESIR removed": "рачуни другог ЕСИР-а уклоњени",
  "other sessions ended": "остале пријаве завршене",
  "session ended": "пријава завршена",
  "device forgotten": "уређај заборављен",
  "all devices forgotten": "сви уређаји заборављени",
  "closing given up": "од затварања аванса се одустало",
  "attention item acknowledged": "ставка означена као решена",
  "branding changed": "изглед рачуна промењен",
  "business premise changed": "пословни простор измењен",
  "business premise created": "пословни простор додат",
  "buyer's details erased": "подаци о купцу обрисани",
  "cashier name chosen": "име касира изабрано",
  "credential issued": "акредитив издат",
  "credential rotated": "акредитив има нову тајну",
  "credential revoked": "акредитив опозван",
  "own credentials allowed": "сопствени акредитиви дозвољени",
  "own credentials forbidden": "сопствени акредитиви забрањени",
  "data opened by an operator": "оператер отворио податке",
  "element added to the sandbox pool": "елемент додат у тестну залиху",
  "environment changed": "окружење измењено",
  "going live rehearsed": "пробан почетак рада",
  "invitation withdrawn": "позив повучен",
  "invoice found not paid": "фактура није плаћена",
  "invoice issued": "фактура издата",
  "invoice paid": "фактура плаћена",
  "issuer of invoices changed": "издавалац фактура измењен",
  "journal key added": "кључ журнала додат",
  "journal verified": "журнал проверен",
  "licence granted": "лиценца додељена",
  "licence resumed": "лиценца враћена",
  "licence suspended": "лиценца обустављена",
  "member invited": "члан позван",
  "metadata erased": "метаподаци обрисани",
  "month by mail switched on": "месец е-поштом укључен",
  "month by mail changed": "месец е-поштом измењен",
  "month by mail switched off": "месец е-поштом искључен",
  "month by mail ended": "месец е-поштом завршен са улогом",
  "month by mail queued": "месец е-поштом у реду за слање",
  "organization handed over": "сви подаци организације преузети",
  "hand-over begun": "преузимање свих података почело",
  "organization created": "организација отворена",
  "passkey added": "приступни кључ додат",
  "passkey removed": "приступни кључ уклоњен",
  "account at the issuer linked": "налог код издаваоца повезан",
  "recovery codes made": "резервни кодови направљени",
  "recovery code used": "резервни код употребљен",
  "address proven": "адреса потврђена",
  "password changed": "лозинка промењена",
  "person added": "особа додата",
  "person erased": "особа обрисана",
  "price list added": "ценовник додат",
  "product added": "производ додат",
  "product changed": "производ измењен",
  "products imported": "производи увезени",
  "receipt delivery changed": "слање рачуна измењено",
  "recipient's address erased": "адреса примаоца обрисана",
  "rejected copy retried": "одбијена копија поновљена",
  "document sent again": "документ послат поново",
  "restore begun": "враћање базе почело",
  "restore ended": "враћање базе завршено",
  "role changed": "улога промењена",
  "role given": "улога додељена",
  "role taken": "улога одузета",
  "new password asked for": "нова лозинка затражена",
  "second factor refused": "погрешан код другог фактора",
  "second factor set": "други фактор укључен",
  "second factor taken away": "други фактор уклоњен",
  "signed out everywhere": "одјава свуда",
  "secrets sealed again": "тајне поново шифроване",
  "security element activated": "безбедносни елемент активиран",
  "security element uploaded": "безбедносни елемент учитан",
  "signer key added": "кључ потписника додат",
  "taxpayer changed": "обвезник измењен",
  "taxpayer confirmed": "обвезник потврђен",
  "taxpayer created": "обвезник додат",
  "taxpayer registration refused": "ПИБ друге организације одбијен",
  "taxpayer released": "обвезник ослобођен",
  "token key added": "кључ токена додат",
  "token key revoked": "кључ токена опозван",
  "trust root added": "коренски сертификат додат",
  "webhook endpoint added": "вебхук додат",
  "webhook endpoint changed": "вебхук измењен",
  "webhook secret rotated": "вебхук има нову тајну",
  "unknown outcome decided": "непознат исход одлучен"
}

/** An act of the activity log in the reader's language; as the log has it where it has no word here. */
export const actWords = (say: Say, act: string): string => {
  const serbian = acts[act]
  return serbian === undefined ? act : say(serbian, act)
}

/** The acts whose Serbian words contain a text, in either script. */
export const actsNamed = (text: string): ReadonlyArray<string> => {
  const wanted = toLatin(text.toLowerCase())
  return Object.entries(acts).filter(([, serbian]) => toLatin(serbian).includes(wanted)).map(([act]) => act)
}

/** The reason of an act; the one that the portal writes by itself in the reader's language. */
export const reasonWords = (say: Say, reason: string): string => reason === ownReason ? say("у порталу", reason) : reason
