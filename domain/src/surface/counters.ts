/** The counters of an element, and what is missing among them. */
export { type CounterGap, counterGaps, counterOf, type CounterSpan, type CounterVerdict, gapSentence } from "../counters/counterGaps.ts"
