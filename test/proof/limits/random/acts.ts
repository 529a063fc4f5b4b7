import { type LimitOrder, limitWindows } from '../../../../lib/operator/wallet';
import { freshId } from '../../../../lib/proof/subject/runner';
import { limitsOf } from '../model/book';
import { setLimit } from '../case';
import type { Play } from './play';

const currencies = ['EUR', 'USD'] as const;

/** Sets, changes or lifts a limit, around what counts already. */
export async function playLimit(play: Play): Promise<void> {
  const { dice, player, key } = play;
  const order = dice.chance(70) ? freshOrder(play) : knownOrder(play);
  const isMaking = play.behindMs > 0 && makes(play, order);
  if (isMaking) [play.process] = play.world.processes;
  const { now } = play;
  const units = order.units;
  const { answer, entry } = player.book.setting(
    { ...order.terms, amount: units, at: now },
    currencies,
  );
  play.note(`limit ${JSON.stringify(order.terms)} ${units}`);
  const amount = units === null ? null : { units };
  const given = await setLimit(play.process, key, { ...order.terms, amount } satisfies LimitOrder);
  play.keep('the answer to a limit', given, () => [answer]);
  if (entry !== null) player.book.add(entry);
  if (isMaking) play.world.wall.now += play.behindMs;
}

/**
 * Whether the order makes the counters of a kind and a currency. With clocks that differ, what moves within the difference
 * may be taken for earlier or later (P15): so the process whose clock is ahead makes them, and the other one follows.
 */
function makes({ player }: Play, { terms, units }: Order): boolean {
  const same = player.book
    .groups()
    .filter(({ kind, currency }) => kind === terms.kind && currency === terms.currency);
  return units !== null && same.every(({ most }) => most.size === 1);
}

interface Order {
  readonly terms: Pick<LimitOrder, 'kind' | 'currency' | 'window' | 'zone' | 'counts'>;
  readonly units: bigint | null;
}

function freshOrder({ dice, zones, limits }: Play): Order {
  const currency = dice.chance(4) ? 'GBP' : dice.pick(['EUR', 'EUR', 'EUR', 'USD']);
  const kind = dice.pick(limits.kinds);
  return {
    terms: {
      kind,
      currency,
      window: dice.pick(limitWindows),
      ...(dice.chance(50) ? { zone: dice.pick(zones) } : {}),
      ...(dice.chance(30) ? { counts: dice.pick(['real', 'all'] as const) } : {}),
    },
    units: BigInt(dice.between(0, 600)),
  };
}

/** Changes a limit that is set, or lifts it. */
function knownOrder(play: Play): Order {
  const { dice, player, now, readings } = play;
  const known = limitsOf(player.book.groups());
  const [reading] = readings;
  if (known.length === 0 || reading === undefined) return freshOrder(play);
  const { group, window } = dice.pick(known);
  const { kind, currency } = group;
  const terms = { kind, currency, window };
  if (dice.chance(35)) return { terms, units: null };
  const [used = 0n] = player.book.used(group, window, now, reading);
  const near = used + BigInt(dice.between(-30, 150));
  return { terms, units: near < 0n ? 0n : near };
}

/** Blocks the player, for ever or until a time, or lifts it. */
export async function playBlock(play: Play): Promise<void> {
  const { dice, player, now, behindMs, key } = play;
  const { players } = play.process.store;
  if (player.blocked !== null && dice.chance(80)) {
    play.note('unblock');
    await players.setBlocked(key, false);
    player.blocked = null;
    return;
  }
  const until = dice.chance(75) ? now + behindMs + dice.between(2, 3_000_000) : null;
  play.note(`block until ${until}`);
  await players.setBlocked(key, true, until === null ? {} : { until });
  player.blocked = { until };
}

/** Deposits, again sometimes: a known reference moves nothing and is within any limit. */
export async function playDeposit(play: Play): Promise<void> {
  const { dice, player, now, key } = play;
  const currency = dice.chance(80) ? 'EUR' : 'USD';
  const balance = currency === 'EUR' && dice.chance(25) ? 'bonus' : 'real';
  const units = BigInt(dice.between(1, 150));
  const purse = balance === 'real' ? { real: units, bonus: 0n } : { real: 0n, bonus: units };
  const order = {
    ...key,
    currency,
    amount: { units },
    reference: freshId('deposit'),
    balance,
  } as const;
  play.note(`deposit ${units} ${currency} ${balance}`);
  const { players } = play.process.store;
  const given = await players.deposit(order);
  const seen = given.kind === 'refused' ? given.reason : given.kind;
  play.keep('the answer to a deposit', seen, (reading) => {
    const over = player.exceeded('deposit', currency, purse, now, reading);
    if (over === 'perhaps') return ['done', 'limitReached'];
    return [over === null ? 'done' : 'limitReached'];
  });
  if (seen !== 'done') return player.book.add({ type: 'nothing', at: now });
  player.deposit(currency, purse, now);
  if (!dice.chance(20)) return;
  play.note('the same deposit');
  const again = await players.deposit(order);
  play.keep('a known reference', again.kind === 'done' && again.replay, () => [true]);
}

/** Takes cash out, or corrects a balance: neither counts, and neither is refused (D13.3). */
export async function playOtherCash(play: Play): Promise<void> {
  const { dice, player, key } = play;
  const { players } = play.process.store;
  const units = BigInt(dice.between(1, 40));
  const isCorrection = dice.chance(50) && players.correct !== undefined;
  const { real, bonus } = player.has('EUR');
  if (!isCorrection && real < units) return;
  play.note(`${isCorrection ? 'correct' : 'withdraw'} ${units} EUR`);
  const order = { ...key, currency: 'EUR', amount: { units }, reference: freshId('cash') };
  const act = { by: { id: 'anna', name: null }, reason: 'a ticket of a player' };
  const given = isCorrection
    ? await players.correct?.({ ...order, ...act })
    : await players.withdraw(order);
  play.keep('the answer to other cash', given?.kind, () => ['done']);
  player.accounts.set('EUR', { real: isCorrection ? real + units : real - units, bonus });
}
