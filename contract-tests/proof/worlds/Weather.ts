/** How likely each failure is; with all zero there are none. */
export interface Weather {
  readonly unavailable: number
  readonly elementRefused: number
  readonly rejected: number
  readonly requestLost: number
  readonly requestLate: number
  readonly answerLost: number
  readonly answerLate: number
  readonly answerForeign: number
  readonly answerMangled: number
  readonly numberTwice: number
  readonly answersSwapped: number
  readonly searchFails: number
}

export const fairWeather: Weather = {
  unavailable: 0,
  elementRefused: 0,
  rejected: 0,
  requestLost: 0,
  requestLate: 0,
  answerLost: 0,
  answerLate: 0,
  answerForeign: 0,
  answerMangled: 0,
  numberTwice: 0,
  answersSwapped: 0,
  searchFails: 0
}
