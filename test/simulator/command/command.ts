/** Ends the process with 0 if all was right and 1 if not; with 2, and one line, for wrong use. */
export function endWith(work: Promise<boolean>): void {
  work.then(
    (isRight) => {
      process.exitCode = isRight ? 0 : 1;
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : 'it failed'}\n`);
      process.exitCode = error instanceof TypeError ? 2 : 1;
    },
  );
}

/** @throws TypeError naming the option that is wrong. */
export function wholeNumber(option: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new TypeError(`--${option} is a whole number of at least ${least}`);
}
