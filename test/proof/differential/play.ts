import { unsignedDelivery } from '../../../lib/operator/gameround';
import {
  type CallOutcome,
  cancelRound,
  doTransactions,
  type PlayerKey,
  type Players,
  type RoundKey,
  type WalletStore,
} from '../../../lib/operator/wallet';
import type { VirtualClock } from '../../../lib/platform/virtual-clock';
import { gameRoundOf, type History, type HistoryAction } from '../../../lib/proof/histories/action';
import { isEligible } from '../../../lib/proof/subject/voided-call';
import { callOf, type CallOrder, resendOf } from '../../../lib/proof/histories/orders';
import type { Call, Transaction } from '../../../lib/protocol/operator-api/transaction';

/** A store under comparison; its wall clock stands still while histories are played. */
export interface Subject {
  readonly name: string;
  /** With the services that open, fund and block its players. */
  readonly store: Omit<WalletStore, 'players'> & { readonly players: Players };
  readonly clock: VirtualClock;
  /** Whether it leaves a call that falls to its voids: a ledger has posted what falls in other stores (D4.6, D7). */
  readonly leavesFallen?: true;
}

/** Longer than any store takes. */
const deadlineMs = 300_000;

/** What a store told of a history. */
export interface Told {
  /** Every answer, and what the store has in the end as its own readers tell it. */
  readonly lines: readonly string[];
  /** Whether one of its calls fell, or was left to its voids. */
  readonly hasFallen: boolean;
}

/** Plays a history to a store, one action after the other. */
export async function tellHistory(
  subject: Subject,
  operatorId: string,
  history: History,
): Promise<Told> {
  const telling = new Telling(subject, operatorId, history);
  await telling.play();
  return telling;
}

class Telling implements Told {
  readonly lines: string[] = [];
  hasFallen = false;
  private readonly sent: CallOrder[] = [];
  private readonly rounds = new Map<string, RoundKey>();
  private deliveries = 0;

  constructor(
    private readonly subject: Subject,
    private readonly operatorId: string,
    private readonly history: History,
  ) {}

  async play(): Promise<void> {
    const { store } = this.subject;
    for (const [at, player] of this.history.players.entries()) {
      if (player === null) continue;
      const bonus = player.bonus === null ? {} : { bonus: { units: player.bonus } };
      const balances = { real: { units: player.real }, ...bonus };
      for (const currency of player.dollars ? ['EUR', 'USD'] : ['EUR']) {
        this.tell('open', await store.players.openPlayer({ ...this.key(at), currency, balances }));
      }
    }
    for (const action of this.history.batches.flat()) {
      await this.act(action);
    }
    for (const order of this.sent) await this.send(order, 'again');
    await this.tellState();
  }

  private async act(action: HistoryAction): Promise<void> {
    const { store } = this.subject;
    for (const order of [...callOf(action), ...resendOf(action, this.sent)]) {
      if (action.kind === 'call') this.sent.push(order);
      await this.send(order, action.kind);
    }
    if (action.kind === 'deposit' || action.kind === 'withdraw') {
      const { units, balance, reference } = action;
      const order = { currency: 'EUR', amount: { units }, balance, reference };
      this.tell(
        action.kind,
        await store.players[action.kind]({ ...this.key(action.player), ...order }),
      );
    } else if (action.kind === 'block') {
      this.tell('block', await store.players.setBlocked(this.key(action.player), action.blocked));
    } else if (action.kind === 'read') {
      this.tell('accounts', await store.rounds.accounts(this.key(action.player)));
    }
  }

  private async send({ player, round, transactions, lost }: CallOrder, kind: string) {
    const { store, clock } = this.subject;
    const key: RoundKey = { ...this.key(player), gameRound: gameRoundOf(round) };
    this.rounds.set(`${player} ${round}`, key);
    const call: Call = { ...key, gameCode: 'game', transactions };
    const delivery = unsignedDelivery((++this.deliveries).toString(36).padStart(4, '0'));
    const { policy } = this.history;
    const ports = { rounds: store.rounds, clock, policy, deadlineMs, discountCheck: eligible };
    if (lost?.arrives !== false) {
      const outcome = await doTransactions(key, call, delivery, ports);
      this.hasFallen ||= falls(transactions, outcome);
      this.tell(kind, outcome);
    }
    if (lost === undefined) return;
    const { signal } = new AbortController();
    await cancelRound(key, call, delivery, { ...ports, signal });
  }

  private async tellState(): Promise<void> {
    const { store } = this.subject;
    for (const key of this.rounds.values()) this.tell('round', await store.rounds.readRound(key));
    for (const at of this.history.players.keys()) {
      this.tell('player', await store.players.readPlayer(this.key(at)));
    }
  }

  private key(player: number): PlayerKey {
    return { operatorId: this.operatorId, playerId: `player-${player}` };
  }

  private tell(what: string, value: unknown): void {
    this.lines.push(`${what} ${textOf(value)}`);
  }
}

/** Whether a debit failed after a new one of its call (D4.6): all are declined, or the call has no outcome (D7). */
export function falls(
  transactions: readonly Transaction[],
  { verdicts, unknown }: CallOutcome,
): boolean {
  if (unknown !== null) return true;
  const debits = verdicts.filter((_, at) => transactions[at]?.type === 'debit');
  const [first] = debits.filter((one) => !one.replay);
  const isFallen = first?.outcome === 'refused' && first.code === 'DEBITFAILEDBEFORE';
  return isFallen && debits.some((one) => one.outcome === 'refused' && one.code !== first.code);
}

const eligible = ({ debit }: { readonly debit: Parameters<typeof isEligible>[0] }): boolean =>
  isEligible(debit);

/** The version of a round, and what is kept of the balances: where nothing moved, each store has its own form. */
const ownOfStore: ReadonlySet<string> = new Set(['version', 'balances']);

/** A value as text: members and entries by their names, accounts by currency; without what is a store's own. */
export function textOf(value: unknown): string {
  return JSON.stringify(plain(value));
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Error) return { error: value.message };
  if (value instanceof Map) return plain(Object.fromEntries(value));
  if (Array.isArray(value)) return value.map(plain).toSorted(byCurrency);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(
    ([name, one]) => !ownOfStore.has(name) && one !== undefined,
  );
  const sorted = members.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, one]) => [name, plain(one)]));
}

/** Accounts come in any order; all other lists have one. */
function byCurrency(one: unknown, other: unknown): number {
  const [a, b] = [one, other].map(
    (account) => (Object(account) as { currency?: unknown }).currency,
  );
  if (typeof a !== 'string' || typeof b !== 'string' || 'hash' in Object(one)) return 0;
  return a < b ? -1 : Number(a > b);
}
