import { toLatin } from "@overa/domain"
import type { FileKind, Finding, Subject, Verdict } from "../check/Finding.ts"

export const languages = ["sr-Cyrl", "sr-Latn", "en"] as const
export type Language = (typeof languages)[number]

type Pair = readonly [serbian: string, english: string]

const sentences: Readonly<Record<Subject, Pair>> = {
  checksumFits: ["Контролни збир линка је исправан. Може да га израчуна свако, па не говори ко је линк направио.", "The link's checksum fits. Anybody can compute it, so it does not say who made the link."],
  checksumWrong: ["Контролни збир линка није исправан: линк је оштећен или измењен.", "The link's checksum does not fit: the link was damaged or changed."],
  signatureValid: ["Потпис је исправан по кључу који сте дали: {0}.", "The signature verifies under a key you gave: {0}."],
  signatureOwnKey: ["Потпис је исправан по кључу који доноси сам доказ ({0}). Чији је то кључ, датотека не доказује.", "The signature verifies under the key the proof itself brings ({0}). The file does not show who holds the key."],
  signatureNoKey: ["Потпис није проверен: дајте јавни кључ потписника (PEM).", "The signature was not checked: give the signer's public key (PEM)."],
  signatureNoTin: ["Потпис није проверен: унесите ПИБ продавца, који је део потписане поруке.", "The signature was not checked: enter the seller's TIN, which is part of the signed message."],
  signatureUnknownKey: ["Потпис није исправан ни по једном од датих кључева ({0}): или је потписник други, или је податак измењен.", "The signature verifies under none of the given keys ({0}): another signer, or a changed fact."],
  sdcTime: ["Време потписивања: {0}", "Signed at: {0}"],
  totalAmount: ["Укупан износ: {0} РСД", "Total amount: {0} RSD"],
  kind: ["Врста: {0}, {1}", "Kind: {0}, {1}"],
  buyerId: ["ИД купца: {0}", "Buyer id: {0}"],
  counters: ["Бројачи: {0}/{1}", "Counters: {0}/{1}"],
  requestedBy: ["ЈИД продавца {0}: није обухваћен потписом. Свако може да га измени и поново израчуна контролни збир.", "Seller's JID {0}: not covered by the signature. Anybody can change it and compute the checksum anew."],
  signedBy: ["ЈИД потписника {0}: није обухваћен потписом. Потписник се зна само по кључу.", "Signer's JID {0}: not covered by the signature. A signer is known by its key alone."],
  linkAddress: ["Линк води на адресу {0}, која није обухваћена потписом.", "The link leads to {0}, which is not covered by the signature."],
  fingerprintFits: ["Отисак захтева је отисак његовог канонског текста.", "The request's fingerprint is that of its canonical text."],
  fingerprintWrong: ["Отисак захтева није отисак његовог канонског текста.", "The request's fingerprint is not that of its canonical text."],
  fingerprintRule: ["Отисак је направљен по правилима верзије {0}, које овај програм не познаје.", "The fingerprint was made by rules of version {0}, which this program does not know."],
  canonicalFits: ["Канонски текст је текст оног тела захтева које доказ приказује.", "The canonical text is that of the request's body as this proof shows it."],
  canonicalWrong: ["Канонски текст није текст оног тела захтева које доказ приказује.", "The canonical text is not that of the request's body as this proof shows it."],
  requestErased: ["Из захтева су {0} обрисани метаподаци и име касира, који нису део потписаног рачуна. Остатак је потписан кључем дневника који сте дали; шта је обрисано, више се не може проверити.", "On {0} metadata and the cashier's name, which are not part of the signed receipt, were erased from the request. What is left is signed by the log's key you gave; what was erased can no longer be checked."],
  requestErasedOwnKey: ["Из захтева су {0} обрисани метаподаци и име касира, који нису део потписаног рачуна. Остатак је потписан кључем који доноси сам доказ. Чији је то кључ, датотека не доказује.", "On {0} metadata and the cashier's name, which are not part of the signed receipt, were erased from the request. What is left is signed by the key the proof itself brings. The file does not show who holds the key."],
  erasureWrong: ["Доказ каже да је из захтева нешто обрисано, али захтев није оно што је брисање оставило, или брисање није потписано кључем дневника.", "The proof says that something was erased from the request, but the request is not what an erasure left, or no key of the log has signed the erasure."],
  answerFits: ["Документ каже исто што и одговор В-ПФР-а: рачун {0}.", "The document agrees with the V-PFR's answer: receipt {0}."],
  answerWrong: ["Документ каже друго него одговор В-ПФР-а: {0}.", "The document differs from the V-PFR's answer: {0}."],
  answerNone: ["В-ПФР није одлучио: нема ни рачуна ни одбијања. Статус {0} је тврдња.", "The V-PFR has not decided: no receipt, no rejection. The status {0} is a claim."],
  answerUnreadable: ["Одговор В-ПФР-а није потписан одговор: {0}.", "The V-PFR's answer is no signed answer: {0}."],
  linkFits: ["Линк припада истом рачуну као и одговор.", "The link belongs to the same receipt as the answer."],
  linkWrong: ["Линк у одговору не припада овом рачуну: {0}.", "The link in the answer does not belong to this receipt: {0}."],
  verificationWrong: ["Доказ о свом линку каже друго него што у линку пише: {0}.", "The proof states facts of its link that the link does not contain: {0}."],
  status: ["Статус {0}: одговор В-ПФР-а није потписан, па је ово тврдња.", "Status {0}: the V-PFR's answer is not signed, so this is a claim."],
  documentWrong: ["Документ каже друго него остатак доказа: {0}.", "The document differs from the rest of the proof: {0}."],
  documentInDoubt: ["По променама статуса документ је {0}; издавалац каже да исход није познат, јер можда постоји рачун који документ нема.", "By its changes of status the document is {0}; its issuer says that the outcome is unknown, because there may be a receipt that the document does not have."],
  documentOnly: ["Ово каже само документ, и ништа друго у доказу то не потврђује: {0}.", "Only the document says this, and nothing else in the proof confirms it: {0}."],
  checkpointSigned: ["Стање дневника „{0}“ са {1} записа потписано је кључем који сте дали.", "The checkpoint of the log “{0}” with {1} entries is signed by a key you gave."],
  checkpointOwnKey: ["Стање дневника „{0}“ са {1} записа потписано је кључем који доноси сам доказ. Чији је то кључ, датотека не доказује.", "The checkpoint of the log “{0}” with {1} entries is signed by the key the proof itself brings. The file does not show who holds the key."],
  checkpointWrong: ["Стање дневника „{0}“ није потписано кључем који доказ наводи.", "The checkpoint of the log “{0}” is not signed by the key the proof names."],
  checkpointOnly: ["Стање дневника „{0}“ са {1} записа: дајте кључ дневника да се провери потпис.", "A checkpoint of the log “{0}” with {1} entries: give the log's key to check its signature."],
  cosigned: ["Сведок „{0}“ је потврдио ово стање дневника: {1}.", "The witness “{0}” cosigned this checkpoint: {1}."],
  cosignatureMissing: ["Сведок „{0}“ није потврдио ово стање дневника: можда други виде другачији дневник.", "The witness “{0}” has not cosigned this checkpoint: others may be shown another log."],
  logNone: ["Документ још није у дневнику.", "The document is not in the log yet."],
  entriesIn: ["Свих {0} записа документа је у стаблу од {1}.", "All {0} entries of the document are in the tree of {1}."],
  entryNotIn: ["Запис {0} није у стаблу.", "Entry {0} is not in the tree."],
  leavesFit: ["Записи ({0}) одговарају захтеву, одговору и променама статуса у доказу.", "The entries ({0}) fit the request, the answer and the changes of status in the proof."],
  leafWrong: ["Запис {0} каже друго него доказ: {1}.", "Entry {0} differs from the proof: {1}."],
  unsealed: ["{0} промена статуса још није у дневнику.", "{0} changes of status are not in the log yet."],
  logFork: ["Дневник „{0}“ има два различита стања са {1} записа ({2}, {3}): неко га је изменио.", "The log “{0}” has two different checkpoints with {1} entries ({2}, {3}): somebody changed it."],
  exportRows: ["{0} докумената, од тога {1} рачуна.", "{0} documents, {1} of them receipts."],
  exportLinks: ["{0} од {1} рачуна слаже се са својим линком; потпис је исправан на {2}.", "{0} of {1} receipts agree with their link; the signature verifies on {2}."],
  exportOnly: ["Ове колоне каже само извоз, ниједан линк их не потврђује: {0}.", "Only the export says these columns, and no link confirms them: {0}."],
  rowWrong: ["Ред {0} каже друго него његов линк: {1}.", "Row {0} differs from its link: {1}."],
  rowUnreadable: ["Ред {0}: линк није читљив.", "Row {0}: the link cannot be read."],
  exportComplete: ["Да ниједан документ не недостаје, извоз не доказује; то показују докази докумената и стање дневника.", "The export does not show that no document is missing; the documents' proofs and the log's checkpoints do."],
  leavingWhole: ["Целина: {0} датотека, свака каква је била када је архива написана. Спискови отисака нису потписани.", "Whole: {0} files, each as it was when the archive was written. The lists of digests are not signed."],
  leavingCut: ["Није цело: последња датотека ({0}) недостаје, па је писање или преузимање прекинуто.", "Not whole: the last file ({0}) is missing, so the writing or the download broke off."],
  leavingMissing: ["Недостаје датотека: {0} ({1}).", "Files missing: {0} ({1})."],
  leavingChanged: ["Измењено датотека: {0} ({1}).", "Files changed: {0} ({1})."],
  leavingUnlisted: ["Датотека којих нема на списковима: {0} ({1}).", "Files that no list names: {0} ({1})."],
  archiveBroken: ["Архива се прекида или је оштећена ({0}); преузмите је поново.", "The archive breaks off or is damaged ({0}); download it again."],
  keyRead: ["Јавни кључ. Чији је, датотека не доказује: упоредите га са извором коме верујете.", "A public key. The file does not show who holds it: compare it with a source you trust."],
  unreadable: ["Није читљиво: {0}", "It cannot be read: {0}"],
  tooLarge: ["Датотека је већа од {0} MB.", "The file is larger than {0} MB."],
  noLink: ["Нема линка за проверу рачуна.", "There is no verification link in it."],
  noQrCode: ["На слици није нађен QR код.", "No QR code was found in the picture."]
}

const verdicts: Readonly<Record<Verdict, Pair>> = {
  PROVEN: ["доказано", "proven"],
  CLAIMED: ["тврдња", "claimed"],
  NOT_COVERED: ["није обухваћено потписом", "not covered"],
  CONTRADICTED: ["оспорено", "contradicted"]
}

const kinds: Readonly<Record<FileKind, Pair>> = {
  LINK: ["линк", "link"],
  PDF: ["ПДФ рачуна", "receipt's PDF"],
  PICTURE: ["слика QR кода", "picture of a QR code"],
  PROOF: ["доказ о документу", "proof of a document"],
  EXPORT: ["извоз дневника", "export of the journal"],
  CHECKPOINT: ["стање дневника", "checkpoint of the log"],
  KEY: ["јавни кључ", "public key"],
  LEAVING: ["сви подаци организације", "everything of an organization"],
  UNKNOWN: ["непозната датотека", "unknown file"]
}

/** Texts of the page or the command only. */
const labels = {
  title: ["Провера рачуна", "Check a receipt"],
  intro: [
    "Спустите ПДФ рачуна, слику QR кода, линк, доказ или извоз. Све се рачуна на овом уређају; ништа се никуда не шаље.",
    "Drop a receipt's PDF, a picture of its QR code, a link, a proof or an export. Everything is computed on this device; nothing is sent anywhere."
  ],
  files: ["Датотеке", "Files"],
  text: ["Линк или текст", "Link or text"],
  tin: ["ПИБ продавца, како је потписан", "Seller's TIN, as it is signed"],
  check: ["Провери", "Check"],
  results: ["Налаз", "Findings"],
  keysHint: [
    "Уз рачун спустите и јавни кључ потписника (PEM) или кључ дневника: само по кључу коме верујете нешто је доказано.",
    "Drop the signer's public key (PEM) or the log's key beside the receipt: only a key you trust proves anything."
  ],
  language: ["Језик", "Language"]
} as const satisfies Readonly<Record<string, Pair>>
export type Label = keyof typeof labels

const inLanguage = ([serbian, english]: Pair, language: Language): string => {
  if (language === "en") return english
  return language === "sr-Latn" ? toLatin(serbian) : serbian
}

export const label = (name: Label, language: Language): string => inLanguage(labels[name], language)
export const verdictWord = (verdict: Verdict, language: Language): string => inLanguage(verdicts[verdict], language)
export const kindWord = (kind: FileKind, language: Language): string => inLanguage(kinds[kind], language)

/** A finding as a sentence; facts are inserted unchanged, in their own script. */
export const sentence = ({ subject, values }: Finding, language: Language): string =>
  inLanguage(sentences[subject], language).replaceAll(/\{(\d)\}/g, (_all, at: string) => values[Number(at)] ?? "")
