import type { Say } from "../../language/Language.ts"

type Words = readonly [serbian: string, english: string]

/** The kinds of identification by their prefix. Source: Spec, Buyer identification. */
const kinds: Readonly<Record<string, Words>> = {
  10: ["ПИБ домаћег правног лица или предузетника", "tax id of a domestic company or entrepreneur"],
  11: ["ЈМБГ", "personal number"],
  12: ["ПИБ и ЈБКЈС буџетског корисника", "tax id and number of a budget user"],
  13: ["пензионерска картица", "pensioner's card"],
  14: ["ПИБ пољопривредног газдинства", "tax id of an agricultural holding"],
  15: ["ЈМБГ носиоца газдинства", "personal number of a holding's owner"],
  16: ["БПГ газдинства", "number of an agricultural holding"],
  20: ["лична карта", "identity card"],
  21: ["избегличка легитимација", "refugee's document"],
  22: ["ЕБС странца са боравком", "number of a foreigner residing in Serbia"],
  23: ["домаћи пасош", "domestic passport"],
  30: ["страни пасош", "foreign passport"],
  31: ["дипломатска легитимација", "diplomatic identity card"],
  32: ["лична карта Северне Македоније", "identity card of North Macedonia"],
  33: ["лична карта Црне Горе", "identity card of Montenegro"],
  34: ["лична карта Албаније", "identity card of Albania"],
  35: ["лична карта Босне и Херцеговине", "identity card of Bosnia and Herzegovina"],
  36: ["лична карта држављанина ЕУ, Швајцарске, Норвешке или Исланда", "identity card of a citizen of the EU, Switzerland, Norway or Iceland"],
  40: ["порески број из иностранства", "foreign tax number"]
}

/** What a kind of identification is; nothing where there is no such kind. */
export const buyerKindWords = (say: Say, prefix: string): string => {
  const words = kinds[prefix]
  return words === undefined ? "" : say(...words)
}
