import { digitExpectedInTaxIdentifier } from "@overa/domain"

/** A tax identifier made of eight digits and their check digit, as a person would enter it. */
export const withRightDigit = (first: string): string => first + (digitExpectedInTaxIdentifier(`${first}0`) ?? "0")
