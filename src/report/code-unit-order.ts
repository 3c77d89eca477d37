/** Compares by code units: the same order on every machine and in every locale. For `sort`. */
export const codeUnitOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
