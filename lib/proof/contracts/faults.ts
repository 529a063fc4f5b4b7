/** The error of a text that is not of its form, as a person or another program may send it. */
export const wrongText = { name: 'InvalidInputError', code: 'INVALIDINPUT' } as const;

/** The error of a mistake of the program: a missing value, or one of another type. */
export const wrongUse = { name: 'TypeError' } as const;

/** The error of a wrong value. */
export function faultOf(value: unknown): typeof wrongText | typeof wrongUse {
  return typeof value === 'string' ? wrongText : wrongUse;
}
