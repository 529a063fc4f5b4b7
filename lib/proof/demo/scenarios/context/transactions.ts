import { parseJson } from '../../../../protocol/json';
import type { TimelineView, WireCall } from '../../../../rgs/sandbox/view/wire';

/**
 * The calls about a round at the wallet, each as a text such as `debit 100`, `credit 250 + end (cut)` or
 * `debit 5000: 400`: what was sent, the fault in brackets, and the status unless it is 200.
 */
export function walletCallsIn({ steps }: TimelineView): string[] {
  const calls = steps.flatMap((step) => (step.kind === 'call' ? [step.call] : []));
  return calls.filter(isWalletCall).map((call) => {
    const fault = call.fault === null ? '' : ` (${call.fault})`;
    const { status } = call;
    const isPlain = status === 200 || call.fault !== null;
    return `${describe(call)}${fault}${isPlain ? '' : `: ${status ?? 'no reply'}`}`;
  });
}

/** Whether a call is doTransactions. */
export function isWalletCall({ line, call }: WireCall): boolean {
  return line === 'rgs-wallet' && call === 'doTransactions';
}

/** The transactions of a call, such as `credit 250 + end`. */
export function describe({ body }: WireCall): string {
  const { value } = parseJson(body.text);
  const { transactions = [] } = value as { transactions?: readonly Sent[] };
  return transactions.map(textOf).join(' + ');
}

/** A transaction as it goes over the wire. */
interface Sent {
  readonly type: string;
  readonly amount?: number;
  readonly isFirstDebit?: boolean;
  readonly freePlayUsed?: boolean;
}

function textOf({ type, amount, isFirstDebit, freePlayUsed }: Sent): string {
  const name = type.toLowerCase();
  if (name === 'end') return name;
  const isAdded = name === 'debit' && isFirstDebit === false;
  const kind = freePlayUsed === true ? 'free ' : isAdded ? 'added ' : '';
  return `${kind}${name} ${amount ?? 0}`;
}
