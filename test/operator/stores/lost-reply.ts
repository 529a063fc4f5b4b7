import { describe, expect, test } from '@jest/globals';

import type { AccountStore, AttentionEntry } from '../../../lib/operator/wallet';
import type { TcpProxy } from '../../network/tcp-proxy';
import { ServiceConnections, type ServiceReply } from '../../rgs/load/call';
import type { Cleanup } from '../../servers/cleanup';
import { until } from '../../servers/until';
import { startWalletServer, type WalletServer } from '../../servers/wallet-server';
import type { LeapingClock } from '../../support/leaping-clock';
import { patience } from '../../support/patience';

/** Both are longer than any machine takes: they pass when the clock leaps. */
const COMMAND_TIMEOUT_MS = patience.commandTimeoutMs;
const DEADLINE_MS = 2 * COMMAND_TIMEOUT_MS;

export const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };
export const debit = { type: 'debit', hash: 'd1', amount: 10, currency: 'EUR', isFirstDebit: true };
const followUp = { ...debit, hash: 'd2', amount: 3, isFirstDebit: false };
export const credit = { type: 'credit', hash: 'c1', amount: 25, currency: 'EUR' };
export const end = { type: 'end', hash: 'e1' };
const voidOfDebit = { type: 'VOID', hash: 'd1', amount: 10, currency: 'EUR' };
const voidOfFollowUp = { ...voidOfDebit, hash: 'd2', amount: 3 };
type Wire = { readonly [key: string]: string | number | boolean };

/** A wallet whose store is behind a network that loses what a test says. */
export class LossyWallet {
  private constructor(
    readonly store: AccountStore,
    readonly proxy: TcpProxy,
    private readonly clock: LeapingClock,
    private readonly wallet: WalletServer,
    private readonly service: ServiceConnections,
  ) {}

  /** With a player who has 100 units. */
  static async open(
    store: AccountStore,
    proxy: TcpProxy,
    clock: LeapingClock,
    cleanup: Cleanup,
  ): Promise<LossyWallet> {
    cleanup.after(store);
    await store.ready();
    await store.players.openPlayer({ ...player, balances: { real: '100' } });
    const times = { deadlineMs: DEADLINE_MS, clock };
    const wallet = cleanup.after(await startWalletServer(store, times));
    const service = cleanup.after(new ServiceConnections([wallet.origin], 4, DEADLINE_MS));
    return new LossyWallet(store, proxy, clock, wallet, service);
  }

  send(...transactions: Wire[]): Promise<ServiceReply> {
    return this.sendAs(player.playerId, ...transactions);
  }

  sendAs(playerId: string, ...transactions: Wire[]): Promise<ServiceReply> {
    const timestamp = new Date().toISOString();
    return this.service.send(
      this.wallet.signer.doTransactions({
        playerId,
        gameCode: 'game',
        gameRound: 'round',
        transactions: transactions.map((transaction) => ({ ...transaction, timestamp })),
        transactionCount: transactions.length,
      }),
    );
  }

  /**
   * Sends a call into a silent network: the store is asked again after the time of a command, and the answer
   * comes when the deadline passes, not before.
   */
  async sendPastDeadline(...transactions: Wire[]): Promise<ServiceReply> {
    let isAnswered = false;
    const replying = this.send(...transactions).finally(() => {
      isAnswered = true;
    });
    await this.#somethingLost();
    this.clock.leap(COMMAND_TIMEOUT_MS);
    await this.#somethingLost();
    expect(isAnswered).toBe(false);
    this.clock.leap(DEADLINE_MS - COMMAND_TIMEOUT_MS);
    return replying;
  }

  /** Sends a call until it is answered 200, since a store may still have to connect again. */
  sendUntilDone(...transactions: Wire[]): Promise<ServiceReply> {
    return until('the call to be done', async () => {
      const answer = await this.send(...transactions);
      return answer.kind === 'answered' && answer.status === 200 && answer;
    });
  }

  /** Resolves when the network swallows something more. */
  async #somethingLost(): Promise<void> {
    const { bytesLost } = this.proxy.counters;
    await until('something to be lost', () => this.proxy.counters.bytesLost > bytesLost);
  }

  async balance(): Promise<bigint | undefined> {
    const result = await until('the store to answer', async () => {
      const answer = await this.store.rounds.accounts(player);
      return answer.kind === 'known' && answer;
    });
    return result.accounts?.[0]?.real;
  }

  async attention(): Promise<AttentionEntry[]> {
    const entries: AttentionEntry[] = [];
    for await (const entry of this.store.lists.attention('op')) entries.push(entry);
    return entries;
  }
}

/**
 * What a call is to a store: `opening` is taken to open its round, `adding` adds to a running round without
 * reading it, `other` reads its round first.
 */
export type CallKind = 'opening' | 'adding' | 'other';

/** Every call of the service, what came before it, what the player has after it. */
const calls: readonly (readonly [string, CallKind, readonly Wire[][], Wire[], bigint])[] = [
  ['opens a round', 'opening', [], [debit], 90n],
  ['opens and ends a round', 'opening', [], [debit, credit, end], 115n],
  ['debits again', 'adding', [[debit]], [followUp], 87n],
  ['credits', 'adding', [[debit]], [credit], 115n],
  ['credits and ends', 'adding', [[debit]], [credit, end], 115n],
  ['ends', 'other', [[debit]], [end], 90n],
  ['voids a round', 'other', [[debit], [followUp], [credit]], [voidOfDebit], 100n],
  ['voids a debit that followed', 'other', [[debit], [followUp]], [voidOfFollowUp], 90n],
  ['voids a debit that never came', 'other', [], [voidOfDebit], 100n],
];

/** The reply to one of the store's commands is lost: `text` is in its request, `takes` says which calls send it. */
export interface LostCommand {
  readonly name: string;
  readonly text: string;
  readonly takes: readonly CallKind[];
  /** Whether a call that opens its round takes it only in a round that is known. */
  readonly inKnownRound?: boolean;
}

/** Whichever reply of the store is lost, a call is done once. */
export function lostReplies(wallet: () => LossyWallet, commands: readonly LostCommand[]): void {
  describe.each(commands)('when the reply to $name is lost', ({ text, takes, inKnownRound }) => {
    test.each(calls.filter(([, kind]) => takes.includes(kind)))(
      'a call that %s is done once, and answered',
      async (_, kind, before, call, after) => {
        const { proxy } = wallet();
        for (const earlier of before) await wallet().send(...earlier);
        if (inKnownRound && kind === 'opening') await wallet().send({ ...end, hash: 'early' });
        const dropped = proxy.dropNextReply({ to: (request) => request.includes(text) });
        const reply = await wallet().send(...call);
        await dropped;
        const hashesProcessed = call.map(({ hash }) => ({ hash }));
        expect(reply).toMatchObject({ status: 200, body: { hashesProcessed } });
        expect(await wallet().balance()).toBe(after);
        const again = await wallet().send(...call);
        expect(again).toMatchObject({ status: 200, body: { hashesProcessed } });
        expect(await wallet().balance()).toBe(after);
      },
    );
  });
}

/** An order of cash whose reply is lost: the text is in its request. */
export function lostCash(wallet: () => LossyWallet, text: string): void {
  test.each([
    ['deposit', 107n],
    ['withdraw', 93n],
  ] as const)(
    'when the reply to a %s is lost, the same order again tells of one move',
    async (move, after) => {
      const { store, proxy } = wallet();
      const order = { ...player, amount: '7', reference: 'r' };
      const dropped = proxy.dropNextReply({ to: (request) => request.includes(text) });
      expect(await store.players[move](order)).toMatchObject({ kind: 'unknown' });
      await dropped;
      // A slow machine may take more than one command's time to connect again: unknown once more, never two moves.
      const known = await until('the order to be known', async () => {
        const result = await store.players[move](order);
        return result.kind !== 'unknown' && result;
      });
      expect(known).toMatchObject({ kind: 'done', replay: true });
      expect(await wallet().balance()).toBe(after);
    },
  );
}

/** A network that loses everything for longer than a call may take. */
export function silentNetwork(wallet: () => LossyWallet): void {
  describe.each([
    ['swallows only replies', true],
    ['swallows requests too', false],
  ])('past the deadline in a network that %s', (_, deliver) => {
    test.each([
      ['the first debit', [], [debit, credit, end], voidOfDebit, 'voided', 100n],
      ['a debit that follows', [[debit]], [followUp], voidOfFollowUp, 'open', 90n],
    ] as const)(
      'a call with %s is answered 503, and its round is cancelled until the void',
      async (__, before, call, order, state, after) => {
        const { proxy, store } = wallet();
        for (const earlier of before) await wallet().send(...earlier);
        proxy.blackhole({ deliver });
        const answer = await wallet().sendPastDeadline(...call);
        expect(answer).toMatchObject({ status: 503, body: { hashesProcessed: [] } });
        await proxy.pass();
        const cancelled = await until('the round to be listed', async () => {
          const entries = await wallet().attention();
          return entries.length > 0 && entries;
        });
        const round = { operatorId: 'op', playerId: 'p', gameRound: 'round' };
        expect(cancelled).toMatchObject([{ ...round, state: 'cancelled' }]);
        expect(await wallet().send(order)).toMatchObject({ status: 200 });
        expect(await wallet().attention()).toEqual([]);
        expect(await wallet().balance()).toBe(after);
        expect((await store.rounds.readRound(round))?.head.state).toBe(state);
      },
    );

    test.each([
      ['a credit', 400, credit, 115n],
      ['an end', 503, end, 90n],
      ['a void', 503, voidOfDebit, 100n],
    ])(
      '%s is answered %i without its hash, and done once when it is sent again',
      async (__, status, transaction, after) => {
        const { proxy } = wallet();
        await wallet().send(debit);
        proxy.blackhole({ deliver });
        const answer = await wallet().sendPastDeadline(transaction);
        expect(answer).toMatchObject({ status, body: { hashesProcessed: [] } });
        await proxy.pass();
        const done = await wallet().sendUntilDone(transaction);
        expect(done).toMatchObject({ body: { hashesProcessed: [{ hash: transaction.hash }] } });
        expect(await wallet().balance()).toBe(after);
        expect(await wallet().attention()).toEqual([]);
      },
    );
  });
}
