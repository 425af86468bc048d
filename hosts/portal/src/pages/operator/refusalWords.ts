import type { ActRefused, PersonActRefused } from "@overa/domain"
import type { Visit } from "../../http/Visit.ts"

/** What an operator is told of an act that was refused. */
export interface RefusalWords {
  /** In the reader's language. */
  readonly sentence: string
  /** The refusal's own English sentence, with the names and numbers of the case; null where the first one says it all. */
  readonly detail: string | null
}

/** An error of an act, as far as its sentence needs it. */
export interface KnownError {
  readonly _tag?: string
  readonly code?: unknown
  readonly detail?: string
  readonly reason?: string
  readonly reasons?: ReadonlyArray<string>
  readonly failureCode?: string | null
  readonly status?: string
}

type Words = readonly [serbian: string, english: string]

const byReason: Readonly<Record<ActRefused["reason"] | PersonActRefused["reason"], Words>> = {
  ORGANIZATION_NOT_FOUND: ["Те организације нема. Проверите списак организација.", "There is no such organization. Look at the list."],
  TAXPAYER_NOT_FOUND: ["Тог обвезника нема у овој организацији.", "There is no such taxpayer in this organization."],
  BUSINESS_PREMISE_NOT_FOUND: ["Тог пословног простора нема.", "There is no such premise."],
  SECURITY_ELEMENT_NOT_FOUND: ["Тог безбедносног елемента нема.", "There is no such security element."],
  SECURITY_ELEMENT_NOT_USABLE: ["Елемент у овом стању не може да се активира. Погледајте списак елемената.", "The element cannot be activated in this state. Look at the list of elements."],
  CREDENTIAL_NOT_FOUND: ["Тог акредитива нема.", "There is no such credential."],
  CREDENTIALS_NOT_ALLOWED: ["Организацији није дозвољено да сама издаје акредитиве.", "The organization may not issue credentials itself."],
  LICENSE_NOT_FOUND: ["Организација нема лиценцу. Прво је доделите.", "The organization has no licence. Grant one first."],
  TOKEN_KEY_NOT_FOUND: ["Тог кључа нема, или је већ опозван.", "There is no such key, or it is revoked already."],
  QUOTA_REACHED: ["Достигнут је највећи број регистрација. Повећајте га у подешавању инсталације.", "The limit of registrations is reached. Raise it in the installation's settings."],
  PU_IDENTIFIER_ALREADY_EXISTS: ["Обвезник већ има пословни простор са овом ознаком.", "The taxpayer already has a premise with this identifier."],
  JID_ALREADY_EXISTS: ["Овај елемент је већ учитан. Погледајте списак елемената.", "This element was uploaded already. Look at the list of elements."],
  TAX_IDENTIFIER_DIFFERS: ["ПИБ се не слаже са обвезником, или га држи друга организација.", "The tax id is not the taxpayer's, or another organization holds it."],
  ATTENTION_ITEM_NOT_FOUND: ["Те ставке нема, или је већ решена.", "There is no such item, or it was dealt with already."],
  MEMBER_NOT_FOUND: ["Та особа нема улогу у овој организацији.", "This person has no role in this organization."],
  MEMBER_ALREADY_EXISTS: ["Та особа већ има улогу. Прво је уклоните.", "This person has a role already. Remove it first."],
  REFERENCE_KEY_ALREADY_EXISTS: ["Тај кључ је већ унет.", "This key is known already."],
  ENVELOPE_UNREADABLE: ["Неке тајне не могу да се отворе садашњим кључевима. Додајте стари кључ у OVERA_SECRET_KEYS.", "Some secrets do not open with the present keys. Add the former key to OVERA_SECRET_KEYS."],
  RESTORE_STATE_DIFFERS: ["Враћање базе није у том стању. Погледајте поставке инсталације.", "The restore is not in that state. Look at the installation's settings."],
  INVOICE_NOT_FOUND: ["Те фактуре нема.", "There is no such invoice."],
  INVOICE_ALREADY_PAID: ["Фактура је већ означена као плаћена.", "The invoice is noted as paid already."],
  INVOICE_NOT_PAID: ["Фактура није плаћена, или дан уплате није исправан.", "The invoice is not paid, or the day of payment is not possible."],
  PRICES_NOT_POSSIBLE: ["Ове цене не могу да важе од тог месеца. Изаберите наредни месец.", "These prices cannot be in force from that month. Choose the next one."],
  MONTH_NOT_CLOSABLE: ["Тај месец још не може да се закључи.", "That month cannot be closed yet."],
  CHANGED_MEANWHILE: ["Неко је ово у међувремену изменио. Погледајте поново, па одлучите.", "Somebody has changed this meanwhile. Look again, then decide."],
  ADDRESS_NOT_PROVEN: ["Нико није потврдио да налог припада власнику те адресе. Прво особи дајте нову лозинку.", "Nobody has shown that the account belongs to the owner of that address. Give the person a new password first."],
  PERSON_ALREADY_EXISTS: ["Особа са овом адресом већ постоји.", "There is a person with this address already."],
  PERSON_HAS_ROLE: ["Особа још има улогу у некој организацији. Прво јој одузмите улоге.", "The person still has a role in an organization. Take the roles away first."],
  PERSON_NOT_FOUND: ["Нема такве особе.", "There is no such person."],
  INVITATION_NOT_USABLE: ["Позив је искоришћен, повучен или истекао.", "The invitation was used, withdrawn, or has ended."],
  RESET_NOT_USABLE: ["Линк је искоришћен или истекао.", "The link was used, or has ended."],
  LAST_OWNER: ["Организација мора имати бар једног власника. Прво именујте другог.", "An organization needs an Owner. Name another one first."]
}

const byTag: Readonly<Record<string, Words>> = {
  ActivationRefused: ["Елемент не може да се активира.", "The element cannot be activated."],
  ActivationNotProven: [
    "Рачун обуке није постао рачун; елемент остаје неактиван. Активирајте га касније: други рачун се не шаље док први није решен.",
    "The Training document did not become a receipt; the element stays inactive. Activate it again later: no second document is sent while the first is unresolved."
  ],
  DecisionRefused: ["Одлука није могућа.", "The decision is not possible."],
  GiveUpRefused: ["Од затварања се не може одустати.", "The closing cannot be given up."],
  RetryRefused: ["Копија није послата.", "The copy is not sent."],
  FoundReceiptRefused: ["Ово није рачун те радње.", "This is not the receipt of the operation."],
  TaxpayerAlreadyExists: ["Обвезник са овим ПИБ-ом већ постоји у овом окружењу.", "A taxpayer with this tax id already exists in this environment."],
  TaxConfigurationUnavailable: ["В-ПФР тренутно не даје пореске стопе. Покушајте поново.", "The V-PFR gives no tax rates at the moment. Try again."],
  PfxUnreadable: ["Датотека не може да се користи. Проверите датотеку и лозинку.", "The file cannot be used. Check the file and its password."]
}

/** What the refusal itself knows beyond its kind. */
const detailOf = ({ detail, failureCode, reason, reasons, status }: KnownError): string | null => {
  if (detail !== undefined) return detail
  if (reasons !== undefined) return reasons.join("; ")
  if (status !== undefined) return `${status}${failureCode ? ` (${failureCode})` : ""}`
  return reason === undefined || reason in byReason ? null : reason
}

/** The words for a refusal; null for an error that is none. */
export const refusalWords = ({ say }: Visit, error: KnownError): RefusalWords | null => {
  const words = Object.hasOwn(byReason, error.reason ?? "") ? byReason[error.reason as ActRefused["reason"]] : Object.hasOwn(byTag, error._tag ?? "") ? byTag[error._tag ?? ""] : undefined
  if (words !== undefined) return { sentence: say(...words), detail: detailOf(error) }
  return typeof error.code === "string" ? { sentence: say("Одбијено.", "Refused."), detail: error.code } : null
}
