/** A share of 1 as percent with one digit, rounded down, so that 100.0 % is said of the whole alone. */
export const percentText = (share: number): string => `${(Math.floor(share * 1000 + 1e-9) / 10).toFixed(1)}%`
