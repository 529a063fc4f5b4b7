import { CommandFailure } from './failure';

/** Flags that a variable sets too. */
const ofVariables: Readonly<Record<string, string>> = {
  store: 'No store: name one with --store or WALLET_STORE.',
  operator: 'No operator: name one with --operator or OPERATOR_ID.',
};

/** @throws CommandFailure that names the flag, if the value is missing. */
export function needed(name: string, value: string | undefined): string {
  if (value === undefined) throw new CommandFailure(ofVariables[name] ?? `--${name} is missing.`);
  return value;
}
