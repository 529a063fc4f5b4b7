import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import type { Delivery } from '../../../lib/operator/gameround';
import type { CallOutcome } from '../../../lib/operator/wallet';
import { credit, debit, first, Rig, round, startUnits, voidOf } from './rig';
import type { Script } from './scripted-store';

const fingerprint = 'aaaaaabbbbbb';
/** The fingerprint of an earlier call. */
const earlier = (hash: string): string => `cccc${hash}dddd${hash}`;

/** What comes before the call: debits that stand, one that the wallet declined, and a win. */
export const opening = first('d1', 10n);
export const followUp = debit('k2', 20n);
export const declined = debit('kx', 50_000n);
export const takenBack = debit('kv', 40n);
export const voidedAhead = debit('kz', 15n);
export const changed = debit('k3', 1n);
export const second = first('d9', 10n);
export const win = credit('c0', 30n);
const history = [
  opening,
  declined,
  followUp,
  debit('k3', 2n),
  takenBack,
  voidOf('kv'),
  voidOf('kz'),
  win,
];
export const unitsBefore = startUnits - 10n - 20n - 2n + 30n;

/** Debits that stand before the call, and what the void of each gives back. */
export const standing = new Map([
  ['k2', 20n],
  ['k3', 2n],
]);

/** When something happens: so long after the start of the play, or after the end of the delivery before. */
interface Moment {
  readonly isAfterPrevious: boolean;
  readonly ms: number;
}

/** One arrival of the call, and when it marks should it end unknown. */
export interface Copy {
  readonly starts: Moment;
  readonly marksAfterMs: number;
}

export interface Play {
  readonly call: readonly Transaction[];
  readonly copies: readonly Copy[];
  /** Which of the answers the RGS hears. */
  readonly heard: number;
  readonly voidsAfterMs: number;
  readonly creditTo: 'real' | 'stakeShares';
  readonly follows: boolean;
  readonly commits: readonly Script[];
  readonly loads: readonly Script[];
  /** Money that the player pays in, or out below zero, and when. */
  readonly cash: { readonly atMs: number; readonly units: bigint } | null;
  /** When what is late in the store happens. */
  readonly landsAtMs: number;
}

/** What came of a play. */
export interface Played {
  readonly outcomes: readonly CallOutcome[];
  readonly heard: CallOutcome;
  /** Wins that the RGS was told are not paid, since the round waits for a void (D4.1): a person looks at them. */
  readonly left: ReadonlySet<string>;
  readonly cash: bigint;
  readonly balance: bigint | undefined;
}

export type Status = '200' | '4xx' | '5xx';

export function statusOf({ unknown, verdicts }: CallOutcome): Status {
  if (unknown !== null) return '5xx';
  return verdicts.some(({ outcome }) => outcome === 'refused') ? '4xx' : '200';
}

export function isDebit(transaction: Transaction): boolean {
  return transaction.type === 'debit';
}

export async function play(given: Play): Promise<Played> {
  const rig = await Rig.create();
  if (given.follows) rig.store.follows();
  for (const before of history) {
    await rig.call([before], { delivery: rig.delivery({ fingerprint: earlier(before.hash) }) });
  }
  rig.store.next('commit', ...given.commits).next('load', ...given.loads);
  rig.store.next('follow', ...(given.follows ? given.commits.slice(0, 1) : []));
  const { clock } = rig;
  const ends: Promise<CallOutcome>[] = [];
  const parts: Promise<unknown>[] = [];
  const left = new Set<string>();
  let cash = 0n;

  const arrive = async (
    { starts }: Copy,
    previous: Promise<CallOutcome> | undefined,
    of: Delivery,
  ) => {
    if (starts.isAfterPrevious) await previous;
    await clock.pause(starts.ms);
    const policy = { useBonusFirst: true, creditTo: given.creditTo } as const;
    return rig.start(given.call, { policy, delivery: of });
  };
  for (const copy of given.copies) {
    const delivery = rig.delivery({ fingerprint });
    const ended = arrive(copy, ends.at(-1), delivery);
    ends.push(ended);
    parts.push(
      ended.then(async (outcome) => {
        if (statusOf(outcome) !== '5xx') return;
        await clock.pause(copy.marksAfterMs);
        await rig.startMark(given.call, delivery);
      }),
    );
  }
  const listen = ({ verdicts }: CallOutcome): void => {
    for (const verdict of verdicts) {
      const isLeft = verdict.outcome === 'refused' && verdict.code === 'GAMEROUNDNOTACTIVE';
      if (isLeft) left.add(verdict.hash);
    }
  };
  const sendUntilKnown = async (transaction: Transaction): Promise<void> => {
    for (;;) {
      const outcome = await rig.start([transaction]);
      listen(outcome);
      if (outcome.unknown === null) return;
    }
  };
  const hear = async (): Promise<CallOutcome> => {
    const outcome = (await ends[given.heard]) as CallOutcome;
    if (statusOf(outcome) !== '5xx') return outcome;
    listen(outcome);
    await clock.pause(given.voidsAfterMs);
    for (const { hash } of given.call.filter(isDebit).toReversed())
      await sendUntilKnown(voidOf(hash));
    const told = new Set(outcome.verdicts.map(({ hash }) => hash));
    for (const waiting of wonBefore(given.call, isDebit)) {
      if (!told.has(waiting.hash)) await sendUntilKnown(waiting);
    }
    return outcome;
  };
  const heard = hear();
  const pay = async () => {
    if (given.cash === null) return;
    await clock.pause(given.cash.atMs);
    const { units } = given.cash;
    const isIn = units > 0n;
    const order = { ...round, currency: 'EUR', reference: 'cash' };
    const amount = `${(isIn ? units : -units) / 100n}`;
    const { players } = rig.store.kept;
    const result = await players[isIn ? 'deposit' : 'withdraw']({ ...order, amount });
    if (result.kind === 'done') cash = units;
  };
  const land = async () => {
    await clock.pause(given.landsAtMs);
    await rig.store.land();
  };
  await clock.run(Promise.all([...parts, heard, pay(), land()]));
  await rig.store.land();
  return {
    outcomes: await Promise.all(ends),
    heard: await heard,
    left,
    cash,
    balance: await rig.balance(),
  };
}

/** The new credits of the call before the first transaction of which this holds. */
export function wonBefore(call: readonly Transaction[], isBound: (one: Transaction) => boolean) {
  const bound = call.findIndex(isBound);
  return call
    .slice(0, bound === -1 ? call.length : bound)
    .filter((one) => one.type === 'credit')
    .filter(({ hash }) => hash !== win.hash);
}
