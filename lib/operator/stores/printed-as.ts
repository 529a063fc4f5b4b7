import { inspect } from 'node:util';

/**
 * Makes stores of a class print as a name: their connection holds the password, which neither `inspect` nor JSON may show,
 * as of every other secret.
 */
export function printAs(type: { readonly prototype: object }, name: string): void {
  const value = (): string => name;
  Object.defineProperties(type.prototype, { toJSON: { value }, [inspect.custom]: { value } });
}
