import { doTransactions, type FullStore, type RoundKey } from '../../lib/operator/wallet';
import {
  type CallWatch,
  createCallWatch,
  proposeRepair,
  approveRepair,
} from '../../lib/operator/operations';
import { callRecorderOf } from '../../lib/operator/minutes/call-watch';
import { rowOf } from '../../lib/operator/minutes/row';
import { takeSample } from '../../lib/operator/minutes/sample';
import { startTotals } from '../../lib/operator/reconciliation/totals';
import { createMemoryStore } from '../../lib/operator/stores/memory';
import { createSeededRandom } from '../../lib/platform';
import { VirtualClock } from '../../lib/platform/virtual-clock';
import type { Transaction } from '../../lib/protocol/operator-api/transaction';
import { credit, debit, voidOf } from '../../lib/proof/contracts/repairs/round-play';
import { freshDelivery } from '../../lib/proof/subject/runner';

export const operatorId = 'my-casino';

/** A wallet in which a day was played, with trouble in it. */
export interface TroubledWallet {
  readonly store: FullStore;
  readonly clock: VirtualClock;
  readonly calls: CallWatch;
}

const [hourMs, minuteMs] = [3_600_000, 60_000];
/** A minute before a Monday in Malta: the accounts are opened, and the totals begin. */
const from = Date.parse('2026-11-22T22:59:00Z');
const games = ['Book of Sands', 'Viking Vault', 'Reactor 5x3', 'Lucky Kiln'] as const;
const maria = { id: 'maria', name: 'Maria Lind' };
const otto = { id: 'otto', name: 'Otto Berg' };

/** Plays for a Monday and the morning after. The same rounds each time. */
export async function troubledWallet(): Promise<TroubledWallet> {
  const clock = new VirtualClock(from);
  const store = createMemoryStore({ history: true, clock, events: ['totals', 'archive'] });
  const calls = createCallWatch({ clock });
  const play = new Play(store, clock, calls);
  await play.openPlayers();
  await play.countAll();
  await play.hours(31);
  await play.trouble();
  await play.hours(1);
  await play.countAll();
  return { store, clock, calls };
}

class Play {
  private readonly random = createSeededRandom(20_261_123);
  private readonly recorder;
  private number = 0;
  private sampled = 0;

  constructor(
    private readonly store: FullStore,
    private readonly clock: VirtualClock,
    private readonly calls: CallWatch,
  ) {
    this.recorder = callRecorderOf('pictures', calls);
  }

  async openPlayers(): Promise<void> {
    for (let at = 0; at < 40; at++) {
      const player = { operatorId, playerId: playerOf(at), currency: 'EUR' };
      const balances = at === 0 ? { real: '1022.50', bonus: '25.00' } : { real: '500.00' };
      await this.store.players.openPlayer({ ...player, balances });
    }
  }

  /** More is played in the evening than in the morning. */
  async hours(count: number): Promise<void> {
    for (let hour = 0; hour < count; hour++) {
      const busy = 1 + Math.cos(((new Date(this.clock.now()).getUTCHours() - 19) / 12) * Math.PI);
      const rounds = Math.round(12 + 30 * busy);
      for (let at = 0; at < rounds; at++) {
        await this.round();
        this.answer(60 / rounds);
        await this.sample();
        this.clock.setWallClock(hourMs / rounds);
      }
      if (hour % 7 === 2) await this.cash(hour);
    }
  }

  private async round(): Promise<void> {
    const at = Math.floor(this.random.next() * 40);
    const key = this.key(playerOf(at));
    const bet = BigInt(5_000 * (1 + Math.floor(this.random.next() * 8)));
    const win =
      this.random.next() < 0.36 ? (bet * BigInt(Math.floor(this.random.next() * 50))) / 10n : 0n;
    await this.call(key, debit(`d-${this.number}`, bet, true));
    if (this.random.next() < 0.02) return this.call(key, voidOf(`d-${this.number}`));
    const end: Transaction = { type: 'end', hash: `e-${this.number}` };
    await this.call(key, ...(win === 0n ? [] : [credit(`c-${this.number}`, win)]), end);
  }

  private async cash(hour: number): Promise<void> {
    const order = { operatorId, playerId: playerOf(hour), currency: 'EUR' };
    await this.store.players.deposit({ ...order, amount: '200.00', reference: `dep-${hour}` });
    const taken = { ...order, playerId: playerOf(hour + 1), amount: '120.00' };
    await this.store.players.withdraw({ ...taken, reference: `wd-${hour}` });
  }

  /** What a process answered in some minutes: for a quarter of an hour it was slow, and some outcomes were not known. */
  private answer(minutes: number): void {
    const hour = (this.clock.now() - from) / hourMs;
    const isSlow = hour > 30.2 && hour < 30.45;
    for (let at = 0; at < minutes * (40 + this.random.next() * 10); at++) {
      const durationMs = 3 + this.random.next() ** 4 * (isSlow ? 700 : 60);
      const isUnknown = isSlow && this.random.next() < 0.1;
      const isDeclined = this.random.next() < 0.01;
      this.calls.onOutcome({ status: isUnknown ? 503 : isDeclined ? 400 : 200, durationMs });
    }
  }

  /** What waits, as a process saves it with a row of its minutes. */
  private async sample(): Promise<void> {
    const minute = Math.floor(this.clock.now() / minuteMs);
    const [counts] = this.recorder?.minutes(minute, minute + 1) ?? [];
    if (this.recorder === null || counts === undefined || minute - (minute % 5) === this.sampled)
      return;
    this.sampled = minute - (minute % 5);
    const text = rowOf(counts, await takeSample(this.store, [operatorId], this.clock));
    await this.store.minutes.save({ minute, process: this.recorder.process, text });
  }

  /** Wins that were refused, a bet without a known outcome, and what people did about them. */
  async trouble(): Promise<void> {
    const stuck = this.key(playerOf(0), 'r-8f31c2d7');
    await this.call(stuck, debit('d-31a7', 20_000n, true));
    await this.call(stuck, credit('c-31a8', 34_000n));
    await this.call(stuck, credit('c-31a9', 186_000n));
    this.clock.setWallClock(7 * 60_000 + 36_000);
    await this.call(stuck, credit('c-31b0', 12_000_000n, 'USD'), { type: 'end', hash: 'e-31b1' });
    const other = this.key(playerOf(3), 'r-77b0e914');
    await this.call(other, debit('d-77b0', 10_000n, true));
    await this.call(other, credit('c-77b1', 400_000n, 'SEK'));
    const { store, clock } = this;
    const reason = 'Provider confirms the jackpot. Ticket 4471.';
    await proposeRepair(stuck, { kind: 'resolve', reference: 'psp-4471', reason }, otto, {
      store,
      clock,
    });
    const paid = this.key(playerOf(5), 'r-90aa17e2');
    await this.call(paid, debit('d-90aa', 10_000n, true));
    await this.call(paid, credit('c-90ab', 400_000n, 'USD'));
    await store.players.openPlayer({
      operatorId,
      playerId: playerOf(5),
      currency: 'USD',
      balances: { real: '0' },
    });
    const made = await proposeRepair(paid, { kind: 'pay', reason }, otto, { store, clock });
    if (made.kind === 'proposed')
      await approveRepair(paid, made.repair.id, maria, { store, clock });
    await this.people();
  }

  private async people(): Promise<void> {
    const player = { operatorId, playerId: playerOf(0) };
    const { players } = this.store;
    await players.setBlocked(player, true, { by: maria, reason: 'Source of funds asked.' });
    this.clock.setWallClock(60_000);
    await players.setBlocked(player, false, { by: otto, reason: 'Documents are in order.' });
    const limit = { kind: 'loss', currency: 'EUR', window: 'month', amount: '500.00' } as const;
    await players.setLimit(player, limit, { by: otto, reason: 'Asked for by chat.' });
    const order = { ...player, currency: 'EUR', amount: '12.50', reference: 'ticket-4102' };
    await players.correct({ ...order, by: maria, reason: 'A deposit was booked twice.' });
    await this.store.acts.note({
      type: 'rights',
      operatorId,
      playerId: null,
      at: this.clock.now(),
      by: maria,
      id: 'otto-approves',
      person: otto,
      may: ['look', 'propose', 'approve'],
      before: ['look', 'propose'],
      reason: 'On call this week.',
    });
  }

  private key(
    playerId: string,
    gameRound = `r-${(this.number + 7_340_033).toString(16)}`,
  ): RoundKey {
    this.number += 1;
    return { operatorId, playerId, gameRound };
  }

  private async call(key: RoundKey, ...transactions: readonly Transaction[]): Promise<void> {
    const gameCode = games[this.number % games.length] ?? games[0];
    const { store, clock } = this;
    const work = doTransactions(key, { ...key, gameCode, transactions }, freshDelivery(), {
      rounds: store.rounds,
      clock,
      policy: { useBonusFirst: false, creditTo: 'real' },
      deadlineMs: 60_000,
    });
    const outcome = await clock.run(work);
    if (outcome.unknown !== null) throw new Error('a call has no outcome');
    this.clock.setWallClock(1300);
  }

  /** Counts all events into the totals, and acknowledges those of the other consumer but for a few. */
  async countAll(): Promise<void> {
    const { store, clock } = this;
    const running = startTotals({ store, operatorIds: [operatorId], clock });
    const lagOf = async (consumer: string): Promise<number> => {
      const lags = await store.events.lag(operatorId);
      return lags.find((one) => one.consumer === consumer)?.waiting ?? 0;
    };
    while ((await lagOf('totals')) > 0) await clock.pass(1000);
    await running.stop();
    for await (const batch of store.events.read({ consumer: 'archive', operatorId })) {
      await batch.done();
      if ((await lagOf('archive')) < 40) break;
    }
  }
}

function playerOf(at: number): string {
  return `p-${204_173 + (at % 40) * 911}`;
}
