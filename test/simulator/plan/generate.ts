import type { RepairKind } from '../../../lib/operator/gameround';
import { Dice } from '../../../lib/proof/subject/dice';
import { attackKinds } from './attack-kinds';
import type { Act, Incident, Plan, PlayerPlan, RoundPlan, StoreName, Wire } from './types';
import { withConsumers } from './consumers';
import { withCurrencies } from './currencies';
import { withLateCredits } from './late-credits';
import { withLimits } from './limits';
import { withRetention } from './retention';
import { workloads } from './workloads';

/** What a plan is generated from. */
export interface PlanOptions {
  /** The only source of what differs between plans. */
  readonly seed: number;
  /** Money calls that it sends, about: what goes wrong adds some. */
  readonly calls: number;
  readonly store: StoreName;
  /** How calls come; as messages unless set. */
  readonly wire?: Wire;
}

/** How much goes wrong. */
const weathers = [
  { weight: 2, line: 0.004, port: 0.004, callsAnIncident: 1500 },
  { weight: 5, line: 0.03, port: 0.025, callsAnIncident: 300 },
  { weight: 2, line: 0.1, port: 0.08, callsAnIncident: 120 },
  { weight: 1, line: 0.35, port: 0.15, callsAnIncident: 80 },
] as const;

/** Calls for each person who looks at a round. */
const callsAVisit = 12;
const ways = ['approve', 'approve', 'twice', 'byTwo', 'own', 'reject', 'leave'] as const;
/** A proposal is too old then (D11.2). */
const dayMs = 24 * 3_600_000;

/** A share of all rounds is of one player; in some worlds nearly all. */
const hotPercents = [25, 25, 25, 25, 90] as const;

/** Draws a plan; the same options give the same one. */
export function generatePlan({ seed, calls, store, wire = 'message' }: PlanOptions): Plan {
  const dice = new Dice(seed);
  const weather = dice.weighed(weathers);
  const players = times(dice.between(3, 6 + Math.ceil(calls / 150)), () => playerOf(dice));
  const wallets = dice.between(2, 4);
  const hotPercent = dice.pick(hotPercents);
  // Over HTTP it takes longer, so that secrets are rotated while rounds are played.
  const gapMs = dice.between(1, 12) * (wire === 'http' ? 10 : 1);
  const rounds: RoundPlan[] = [];
  for (let planned = 0; planned < calls; ) {
    const { kind, steps: draw } = dice.weighed(workloads);
    const id = `g${rounds.length + 1}`;
    const player = dice.chance(hotPercent) ? 0 : dice.between(0, players.length - 1);
    const steps = draw(dice, id);
    rounds.push({ id, kind, player, atMs: rounds.length * gapMs, steps });
    planned += steps.length;
  }
  const endMs = rounds.length * gapMs;
  const acts = times(Math.ceil(calls / 25), (n) => actOf(dice, n, endMs, players.length));
  const incidents = times(Math.floor(calls / weather.callsAnIncident), () => {
    return incidentOf(dice, endMs, wallets);
  });
  const policy = {
    useBonusFirst: dice.chance(50),
    creditTo: dice.pick<'real' | 'stakeShares'>(['real', 'stakeShares']),
  };
  const { line, port } = weather;
  if (wire === 'http')
    acts.push(...times(Math.ceil(calls / 4), () => httpActOf(dice, endMs, players.length)));
  if (wire === 'http' && dice.chance(60)) acts.push({ do: 'rotate', atMs: dice.between(0, endMs) });
  acts.push(...visitsOf(seed, Math.ceil(calls / callsAVisit), endMs));
  acts.push(...correctionsOf(seed, Math.ceil(calls / 60), endMs, players.length));
  const drawn = { players, rounds, acts, incidents };
  const plan = { seed, store, wire, wallets, policy, rates: { line, port }, ...drawn };
  return withRetention(withLimits(withConsumers(withLateCredits(withCurrencies(plan)))));
}

function playerOf(dice: Dice): PlayerPlan {
  return {
    real: dice.pick([0, 40, 300, 5000, 100_000]),
    bonus: dice.pick([null, null, 0, 25, 800]),
  };
}

function actOf(dice: Dice, n: number, endMs: number, players: number): Act {
  const [atMs, player] = [dice.between(0, endMs), dice.between(0, players - 1)];
  if (dice.chance(12)) return { do: 'block', atMs, player, blocked: dice.chance(40) };
  const kind = dice.chance(65) ? 'deposit' : 'withdraw';
  // A reference that comes again must not move anything again.
  const reference = `r${dice.chance(10) ? Math.floor(n / 2) : n}`;
  return { do: kind, atMs, player, units: dice.pick([1, 50, 200]), reference };
}

/** People who look after rounds that wait for them; some come when all is played. */
function visitsOf(seed: number, count: number, endMs: number): Act[] {
  const dice = new Dice(seed ^ 0x3c6ef372);
  return times(count, () => ({
    do: 'repair',
    atMs: dice.between(0, endMs + 5000),
    kind: dice.pick<RepairKind>(['pay', 'pay', 'resolve', 'void']),
    way: dice.pick(ways),
    pick: dice.between(0, 999),
    pauseMs: dice.chance(4) ? dayMs : dice.between(1, dice.pick([20, 4000])),
  }));
}

/** People who set balances right; some use a reference that is known already. */
function correctionsOf(seed: number, count: number, endMs: number, players: number): Act[] {
  const dice = new Dice(seed ^ 0x165667b1);
  return times(count, (n) => ({
    do: 'correct',
    atMs: dice.between(0, endMs),
    player: dice.between(0, players - 1),
    units: dice.pick([-400, -30, -1, 1, 25, 300]),
    balance: dice.pick<'real' | 'bonus'>(['real', 'real', 'bonus']),
    reference: dice.chance(8) ? `r${n}` : `k${dice.chance(15) ? Math.floor(n / 2) : n}`,
  }));
}

/** A question for a balance, or an attack. */
function httpActOf(dice: Dice, endMs: number, players: number): Act {
  const atMs = dice.between(0, endMs);
  if (dice.chance(30)) return { do: 'ask', atMs, player: dice.between(0, players - 1) };
  return { do: 'attack', atMs, kind: dice.pick(attackKinds), pick: dice.between(0, 999_999) };
}

function incidentOf(dice: Dice, endMs: number, wallets: number): Incident {
  const kind = dice.pick<Incident['kind']>(['kill', 'kill', 'partition', 'unplug', 'outage']);
  const [wallet, atMs] = [dice.between(0, wallets - 1), dice.between(0, endMs)];
  return { kind, wallet, atMs, ms: dice.between(1, 8000) };
}

function times<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}
