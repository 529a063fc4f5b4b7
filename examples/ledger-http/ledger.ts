// A ledger that is a service: 200 is done, 409 and 422 with a reason are refused for good, and everything
// else is thrown, because the outcome is unknown: a time-out, a closed connection, a 5xx, a 404 of a proxy
// in between.
import type { Purse } from 'rgs-wallet-kit';
import type {
  Ledger,
  LedgerDone,
  LedgerRefused,
  PostedQuery,
  PostedRound,
} from 'rgs-wallet-kit/ledger';
import type { Account } from 'rgs-wallet-kit/store';

interface AccountJson {
  readonly currency: string;
  readonly real: string;
  readonly bonus: string | null;
}

interface Body {
  readonly paid?: { readonly real: string; readonly bonus: string };
  readonly accounts?: readonly AccountJson[] | null;
  readonly reason?: LedgerRefused['reason'];
  readonly rounds?: readonly RoundJson[];
}

/** What a round moved in one currency; its name is its ids and the currency, as JSON. */
interface RoundJson {
  readonly name: string;
  readonly real: string;
  readonly bonus: string;
  readonly lastAt: number;
}

const roundsOfPage = 1000;

export function createHttpLedger(url: string): Ledger {
  const ask = async (path: string, order: object, signal: AbortSignal) => {
    const body = JSON.stringify(order, asText);
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body, signal, redirect: 'error' } as const;
    const response = await fetch(`${url}/${path}`, request);
    return { status: response.status, body: (await response.json()) as Body };
  };
  const post = async (path: string, order: object, signal: AbortSignal) =>
    outcomeOf(await ask(path, order, signal));

  /** For `rgs-wallet books --check`: page by page, in the order of players and rounds. */
  async function* listPosted(query: PostedQuery, signal: AbortSignal): AsyncGenerator<PostedRound> {
    for (let after = ''; ; ) {
      const { status, body } = await ask('posted', { ...query, after }, signal);
      if (status !== 200 || body.rounds === undefined) throw notUnderstood(status);
      for (const { name, lastAt, ...moved } of body.rounds) {
        const [operatorId, playerId, gameRound, currency] = JSON.parse(name) as RoundName;
        yield { operatorId, playerId, gameRound, currency, moved: toPurse(moved), lastAt };
        after = name;
      }
      if (body.rounds.length < roundsOfPage) return;
    }
  }

  return {
    debit: (posting, signal) => post('debit', posting, signal),
    credit: ({ purse, ...posting }, signal) => post('credit', { ...posting, ...purse }, signal),
    reverse: (posting, signal) => post('reverse', posting, signal),
    async balances(player, signal) {
      const { status, body } = await ask('balances', player, signal);
      if (status !== 200 || body.accounts === undefined) throw notUnderstood(status);
      return body.accounts === null ? null : body.accounts.map(toAccount);
    },
    postedRounds: listPosted,
  };
}

type RoundName = [operatorId: string, playerId: string, gameRound: string, currency: string];

function outcomeOf({ status, body }: { status: number; body: Body }): LedgerDone | LedgerRefused {
  const { paid, accounts, reason } = body;
  if ((status === 409 || status === 422) && reason !== undefined)
    return { kind: 'refused', reason };
  if (status !== 200) throw notUnderstood(status);
  return {
    kind: 'done',
    ...(paid ? { paid: toPurse(paid) } : {}),
    ...(accounts ? { accounts: accounts.map(toAccount) } : {}),
  };
}

/** Amounts are strings in JSON: its numbers are not exact everywhere. */
function asText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

function toPurse({ real, bonus }: { readonly real: string; readonly bonus: string }): Purse {
  return { real: BigInt(real), bonus: BigInt(bonus) };
}

function toAccount({ currency, real, bonus }: AccountJson): Account {
  return { currency, real: BigInt(real), bonus: bonus === null ? null : BigInt(bonus) };
}

function notUnderstood(status: number): Error {
  return new Error(`the balance service answered ${status}, which is not understood`);
}
