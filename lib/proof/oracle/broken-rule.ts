/** A rule that a wallet broke. */
export class BrokenRule extends Error {
  override readonly name = 'BrokenRule';

  /** `rule`: its number, or its name. */
  constructor(
    readonly rule: string,
    readonly text: string,
  ) {
    super(`${rule}: ${text}`);
  }
}

/** @throws BrokenRule if it does not hold. */
export function demand(holds: boolean, rule: string, text: () => string): asserts holds {
  if (!holds) throw new BrokenRule(rule, text());
}

/** A value as text, bigints as numbers. */
export function toText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' ? Number(part) : part,
  );
}
