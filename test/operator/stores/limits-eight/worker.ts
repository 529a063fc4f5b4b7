import { randomUUID } from 'node:crypto';
import { unsignedDelivery } from '../../../../lib/operator/gameround';
import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../../lib/operator/stores/redis';
import { doTransactions } from '../../../../lib/operator/wallet';
import { type Clock, systemClock } from '../../../../lib/platform';
import type { Transaction } from '../../../../lib/protocol/operator-api/transaction';

/** What the parent says. */
export type ToWorker =
  | {
      readonly kind: 'play';
      readonly players: readonly string[];
      readonly debits: number;
      /** Half of the calls hold one debit, the others up to so many. */
      readonly inCall: number;
    }
  /** Acknowledged, a block or a limit of nothing: from now on no debit of the player may be accepted. */
  | { readonly kind: 'stopped'; readonly playerId: string };

type PlayOrder = Extract<ToWorker, { readonly kind: 'play' }>;

/** What a worker says once it has played. */
export interface Played {
  readonly debits: number;
  readonly accepted: number;
  /** Debits that were begun after the player was stopped, and accepted. */
  readonly afterStop: number;
  /** Credits, ends and voids that were not processed. */
  readonly refusedOthers: number;
  /** By player: what stays staked, in units. */
  readonly staked: Readonly<Record<string, number>>;
}

const operatorId = 'casino';
const atOnce = 8;
const stopped = new Set<string>();
const url = process.env['STORE_URL'] ?? '';
/** How far the clock of this process is from that of the system, in milliseconds. */
const aheadMs = Number(process.env['CLOCK_AHEAD_MS']);
const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
const shared = { acceptMixed: true, url, clock, commandTimeoutMs: 60_000 } as const;
const store = url.startsWith('redis')
  ? createRedisStore(shared)
  : createPostgresStore({ ...shared, lockTimeoutMs: 60_000 });

async function call(playerId: string, gameRound: string, transactions: Transaction[]) {
  const round = { operatorId, playerId, gameRound };
  const request = { playerId, gameRound, gameCode: 'bells', transactions };
  const delivery = unsignedDelivery(randomUUID().slice(0, 4));
  const outcome = await doTransactions(round, request, delivery, {
    rounds: store.rounds,
    clock,
    policy: { useBonusFirst: true, creditTo: 'real' },
    deadlineMs: 60_000,
  });
  if (outcome.unknown !== null) throw outcome.unknown.cause;
  return outcome.verdicts.map(({ outcome: said }) => said === 'processed');
}

/** So many debits of a round, and what they take together. */
function debitsOf(gameRound: string, count: number) {
  const amounts = Array.from({ length: count }, () => 1 + Math.floor(Math.random() * 10));
  const debits = amounts.map(
    (amount, at) =>
      ({
        type: 'debit',
        hash: `${gameRound}-${at}`,
        amount: BigInt(amount),
        currency: 'EUR',
        discount: 0n,
        isFirstDebit: at === 0,
        serial: null,
      }) as const,
  );
  return { debits, units: amounts.reduce((all, one) => all + one, 0) };
}

async function play({ players, debits, inCall }: PlayOrder): Promise<Played> {
  const sum = { debits: 0, accepted: 0, afterStop: 0, refusedOthers: 0 };
  const staked: Record<string, number> = {};
  const follow = async (playerId: string, gameRound: string, all: Transaction[]): Promise<void> => {
    const done = await call(playerId, gameRound, all);
    sum.refusedOthers += done.filter((isDone) => !isDone).length;
  };
  const one = async (): Promise<void> => {
    const playerId = players[Math.floor(Math.random() * players.length)] ?? '';
    const gameRound = randomUUID();
    const count = Math.random() < 0.5 ? 1 : 1 + Math.floor(Math.random() * inCall);
    const isStopped = stopped.has(playerId);
    const sent = debitsOf(gameRound, count);
    // Some are sent twice at once: they count once, and have one answer.
    const copies = Math.random() < 0.05 ? 2 : 1;
    const answers = await Promise.all(
      Array.from({ length: copies }, () => call(playerId, gameRound, sent.debits)),
    );
    sum.debits += count;
    // All of a call are taken, or none (D4.6).
    const taken = answers.filter((all) => all.every(Boolean)).length;
    const refused = answers.filter((all) => !all.some(Boolean)).length;
    if (taken !== copies && refused !== copies) sum.refusedOthers += 1;
    if (taken === 0) return;
    sum.accepted += count;
    if (isStopped) sum.afterStop += count;
    const fate = Math.random();
    if (fate < 0.2) {
      const voids = sent.debits.map(
        ({ hash }) => ({ type: 'void', hash, amount: null, currency: null }) as const,
      );
      await follow(playerId, gameRound, voids);
    } else {
      staked[playerId] = (staked[playerId] ?? 0) + sent.units;
      const credit = {
        type: 'credit',
        hash: `${gameRound}-c`,
        amount: 3n,
        currency: 'EUR',
        serial: null,
      } as const;
      if (fate < 0.5)
        await follow(playerId, gameRound, [credit, { type: 'end', hash: `${gameRound}-e` }]);
    }
  };
  const run = async (): Promise<void> => {
    while (sum.debits < debits) await one();
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  return { ...sum, staked };
}

process.on('message', (message: ToWorker) => {
  if (message.kind === 'stopped') stopped.add(message.playerId);
  else {
    play(message).then(
      (played) => process.send?.(played),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exitCode = 1;
        process.disconnect();
      },
    );
  }
});
process.on('disconnect', () => void store.close());
void store.ready().then(() => process.send?.('ready'));
