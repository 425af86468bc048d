import { el, type Html } from "../html/el.ts"
import { notice } from "../html/parts.ts"
import type { MemberVisit, Visit } from "../http/Visit.ts"
import { placeWords } from "./placeWords.ts"

// Only these texts are ever shown: nothing from the address is.
const words: Readonly<Record<string, readonly [serbian: string, english: string]>> = {
  saved: ["Сачувано.", "Saved."],
  already: ["Овај образац је већ једном послат; није поновљено. Погледајте стање испод.", "This form was sent once already; nothing was repeated. The current state is below."],
  "password-changed": ["Лозинка је промењена. Све остале пријаве су завршене.", "The password is changed. All other sessions have ended."],
  "password-set": ["Нова лозинка је сачувана. Пријавите се њом.", "The new password is saved. Sign in with it."],
  "second-factor-set": ["Други фактор је укључен. Све остале пријаве су завршене.", "The second factor is on. All other sessions have ended."],
  "second-factor-off": ["Други фактор је искључен. Све остале пријаве су завршене.", "The second factor is off. All other sessions have ended."],
  "recovery-used": ["Код је употребљен. Додајте нови други фактор и, ако вам је остало мало кодова, направите нове.", "The code is used up. Add a new second factor and, if few codes are left, make new ones."],
  "passkey-added": ["Приступни кључ је додат. Све остале пријаве су завршене.", "The passkey is added. All other sessions have ended."],
  "passkey-removed": ["Приступни кључ је уклоњен. Све остале пријаве су завршене.", "The passkey is removed. All other sessions have ended."],
  "session-ended": ["Пријава је завршена.", "The session has ended."],
  "device-forgotten": ["Уређај више није познат.", "The device is not known any more."],
  "devices-forgotten": ["Остали уређаји више нису познати.", "The other devices are not known any more."],
  "sessions-ended": ["Све остале пријаве су завршене.", "All other sessions have ended."],
  "credential-revoked": ["Акредитив је опозван; његови токени престају да важе за највише неколико минута.", "The credential is revoked; tokens it got before end within minutes."],
  "webhook-tested": ["Пробна порука је у реду за слање. Њен исход је у списку испод, за који тренутак.", "The test message is queued. How it ended is in the list below in a moment."],
  "webhook-resent": ["Догађаји су у реду за слање.", "The events are queued."],
  "webhook-changed": ["Измена је сачувана; шаље се и све што је чекало.", "The change is saved; everything that waited is sent too."],
  "webhook-changed-paused": ["Измена је сачувана. Слање је и даље заустављено: наставите га испод.", "The change is saved. Sending is still paused: resume it below."],
  "webhook-paused": ["Слање је заустављено; догађаји чекају.", "Sending is paused; events wait."],
  "webhook-resumed": ["Слање је настављено: шаље се и све што је чекало.", "Sending goes on: everything that waited is sent too."],
  "webhook-removed": ["Вебхук је уклоњен.", "The webhook is removed."],
  "member-changed": ["Улога је промењена.", "The role is changed."],
  "member-removed": ["Члан је уклоњен и његове пријаве су завршене.", "The member is removed and the member's sessions have ended."],
  "invitation-withdrawn": ["Позив је повучен.", "The invitation is withdrawn."],
  "branding-saved": ["Сачувано. Важи за рачуне издате од сада; раније издати остају какви су.", "Saved. It holds for receipts issued from now on; earlier ones stay as they are."],
  "taxpayer-added": ["Обвезник је додат са својим пословним простором.", "The taxpayer is added with its premise."],
  "premise-added": ["Пословни простор је додат.", "The premise is added."],
  "shop-opened": ["Радња је отворена. Шта је урађено и шта недостаје, стоји испод.", "The shop is open. What was done and what is missing is below."],
  "element-uploaded": ["Елемент је учитан. Оператер га проверава и активира.", "The element is uploaded. The operator checks and activates it."],
  "search-saved": ["Претрага је сачувана; отвара се једним кликом изнад поља за тражење.", "The search is saved; one click above the search field opens it."],
  "search-removed": ["Сачувана претрага је обрисана.", "The saved search is deleted."],
  "month-mail-on": ["Слање месеца е-поштом је сачувано.", "The month by e-mail is saved."],
  "month-mail-off": ["Месец се више не шаље е-поштом.", "The month is not sent by e-mail any more."],
  "copy-issued": ["Копија је издата.", "The copy is issued."],
  queued: ["Рачун је у реду за слање; стиже за минут-два.", "The receipt is queued; it arrives in a minute or two."],
  imported: ["Увезено је све из датотеке.", "Everything of the file is imported."],
  decided: ["Одлука је сачувана.", "The decision is kept."],
  "prices-set": ["Ценовник је сачуван; раније објављени остају какви су.", "The price list is saved; earlier ones stay as they are."],
  "issuer-set": ["Сачувано. Важи за фактуре издате од сада; раније издате остају какве су.", "Saved. It holds for invoices issued from now on; earlier ones stay as they are."],
  "month-closed": ["Фактуре за месец су издате.", "The month's invoices are issued."],
  "month-begun": ["Део фактура је издат; радник издаје остале, или поновите.", "A part of the invoices is issued; the worker issues the others, or repeat it."],
  "payment-noted": ["Забележено.", "Noted."],
  acknowledged: ["Ставка је означена као решена.", "The item is marked as dealt with."]
}

const isMember = (visit: Visit): visit is MemberVisit => "may" in visit

/** The result of the act before this page. */
export const doneNotice = (visit: Visit): Html => {
  const name = visit.query.get("done") ?? ""
  // A name that every object has, such as `__proto__`, is not one of these.
  const done = Object.hasOwn(words, name) ? words[name] : undefined
  return done === undefined ? null : notice("good", el("p", {}, visit.say(...done), isMember(visit) ? el("span", { class: "hint" }, ` ${placeWords(visit.say, visit.person, visit.place)}`) : null))
}
