import { ExactNumber, type Writable } from '../../protocol/json/write';
import { formatAmount } from '../../protocol/money/amount';
import type { ErrorCode } from '../../protocol/operator-api/catalogue';
import type { Call, Transaction, TransactionType } from '../../protocol/operator-api/transaction';
import type { Account, CallOutcome } from '../wallet';
import type { OperatorSettings } from './options';

/** An answer, ready to be written. */
export interface Reply {
  readonly status: number;
  readonly body: { readonly [key: string]: Writable };
}

/**
 * The answer to a doTransactions call whose transactions were processed: every definite outcome (D6.1), the
 * first failure on top and the balances (D6.2), 400 for a definite refusal (D6.3), or what D7 says.
 */
export function callReply(
  call: Call,
  outcome: CallOutcome,
  settings: Pick<OperatorSettings, 'renderError' | 'policy'>,
  decimals: number,
): Reply {
  const { renderError, policy } = settings;
  let failure: { readonly id: number; readonly msg: string; readonly clientmsg: string } | null =
    null;
  const hashesProcessed = outcome.verdicts.map((verdict, at) => {
    const { hash } = verdict;
    if (verdict.outcome !== 'refused') return { hash };
    const { code } = verdict;
    const transaction = call.transactions[at];
    const errorCode = { ...renderError(code, detailOf(code, transaction, outcome)) };
    const own = verdict.replay || transaction?.type !== 'debit' ? undefined : outcome.disallowed;
    if (own?.code === code && own.clientmsg !== null) errorCode.clientmsg = own.clientmsg;
    failure ??= errorCode;
    return { hash, errorCode };
  });
  const isUnknown = outcome.unknown !== null;
  if (isUnknown) failure ??= { ...renderError('TEMPORARILYUNAVAILABLE') };
  const account = accountFor(call, outcome);
  const body = balanceMembers(account, decimals, policy.useBonusFirst);
  body['hashesProcessed'] = hashesProcessed;
  if (failure !== null) body['errorCode'] = failure;
  const status = isUnknown ? unknownStatus(call) : failure === null ? 200 : 400;
  return { status, body };
}

/** The status of an unknown outcome, by what the call holds (D7). */
export function unknownStatus(call: Call): 400 | 503 {
  if (holds(call, 'debit')) return 503;
  return holds(call, 'credit') ? 400 : 503;
}

/** Whether a call holds a transaction of this type. */
export function holds(call: Call, wanted: TransactionType): boolean {
  return call.transactions.some(({ type }) => type === wanted);
}

/** Why a currency is refused: the gameround has another one, or the player has no account in it. */
function detailOf(
  code: ErrorCode,
  transaction: Transaction | undefined,
  { currency }: CallOutcome,
): string | undefined {
  if (code !== 'CURRENCYNOTSUPPORTED') return undefined;
  const own = transaction !== undefined && 'currency' in transaction ? transaction.currency : null;
  const isOther = currency !== null && own !== currency;
  return isOther
    ? 'The gameround has another currency.'
    : 'The player has no account in this currency.';
}

/** The account in the currency of the call, else of the round, else the player's first: a reply has balances (D6.2). */
function accountFor(call: Call, { accounts, currency }: CallOutcome): Account | null {
  if (accounts === null) return null;
  for (const transaction of call.transactions) {
    const named = 'currency' in transaction ? accountIn(accounts, transaction.currency) : null;
    if (named !== null) return named;
  }
  return accountIn(accounts, currency) ?? firstByCode(accounts);
}

/** The same in every store, whatever its order. */
function firstByCode(accounts: readonly Account[]): Account | null {
  let first: Account | null = null;
  for (const account of accounts) {
    if (first === null || account.currency < first.currency) first = account;
  }
  return first;
}

function accountIn(accounts: readonly Account[], currency: string | null): Account | null {
  for (const account of accounts) if (account.currency === currency) return account;
  return null;
}

/** The members of a reply for a balance (operator-api 2.2): real, and bonus if there is one. */
export function balanceMembers(
  account: Account | null,
  decimals: number,
  useBonusFirst: boolean,
): { [key: string]: Writable } {
  if (account === null) return {};
  const { currency, real, bonus } = account;
  const entry = (type: string, units: bigint) => ({
    type,
    amount: new ExactNumber(formatAmount(units, decimals)),
    currency,
  });
  if (bonus === null) return { balances: [entry('real', real)] };
  return { balances: [entry('real', real), entry('bonus', bonus)], useBonusFirst };
}
