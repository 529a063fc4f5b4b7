import { type Random, wholeBelow } from '../../../platform/random';
import type {
  Case,
  CaseResult,
  CertificationProgress,
  MoneyLeft,
  PlayerMoney,
  Step,
  Verdict,
} from '../talk/case';
import { type Credentials, curlOf, type Exchange } from '../client';
import type { CertificationOptions } from './options';
import {
  type LongCases,
  Undecided,
  unitsInOne,
  type CaseContext,
  CaseFailure,
  NotTried,
} from '../talk';
import { counts, leftInWords } from './conclusion';
import { giveBack, type Signers, PlayersMoney } from './players-money';
import { PlayerBlock } from './commands/block';
import { casesToKill } from './commands/kills';
import { MoneyAtRisk } from './risk';
import { type CaseContextParts, createCaseContext, credentialsOf } from './context';
import type { Reach } from './reach';
import { CaseSteps } from './steps';
import type { Timings } from './timings';
import type { RunWallet } from './wallet';

/** A player needs this many stakes: some cases have many rounds open at once. */
const minStakes = 30n;
const silent: CertificationProgress = { begins() {}, ended() {}, note() {} };

/** What a session works with. */
interface SessionParts {
  readonly wallet: RunWallet;
  readonly random: Random;
  readonly timings: Timings;
  readonly reach: Reach;
}

/** A run of cases against one wallet; nothing is sent before it begins. */
export class Session {
  readonly gameCode: string;
  readonly settings: LongCases;
  readonly risk = new MoneyAtRisk();
  private readonly steps = new CaseSteps();
  private readonly block: PlayerBlock;
  /** Ids of the cases in which the wallet is killed. */
  private killed: ReadonlySet<string> = new Set();
  private spared = 0;
  private readonly ended: CaseResult[] = [];
  private readonly wallet: RunWallet;
  private readonly reach: Reach;
  /** Ids of the cases that found no wallet. */
  private readonly unreached = new Set<string>();
  private readonly players: PlayersMoney;
  private readonly progress: CertificationProgress;
  private readonly stake: bigint;
  private readonly context: CaseContextParts;

  constructor(
    private readonly options: CertificationOptions,
    { wallet, random, timings, reach }: SessionParts,
  ) {
    const { progress = silent, playerIds, stake = 100n, gameCode = 'certification' } = options;
    const seed = options.long?.seed ?? wholeBelow(random, 2 ** 31);
    const players = new PlayersMoney(wallet, playerIds);
    this.wallet = wallet;
    this.reach = reach;
    this.players = players;
    this.progress = progress;
    this.stake = stake;
    this.block = new PlayerBlock(options, (text) => this.steps.add(text));
    this.gameCode = gameCode;
    this.settings = { histories: 200, kills: 20, load: null, ...options.long, seed };
    this.context = {
      options,
      wallet,
      random,
      risk: this.risk,
      steps: this.steps,
      block: this.block,
      settings: this.settings,
      stake,
      totals: players.totals,
      gameCode,
      budget: (options.stakeBudget ?? 10_000n) * unitsInOne,
      lost: () => players.lost,
      note: (text) => progress.note(text),
      forTheEnd: { kept: null, load: [] },
      usualMs: () => timings.usualMs(),
    };
  }

  get results(): readonly CaseResult[] {
    return this.ended;
  }

  /** Looks whether the wallet and its players can be tried. Returns why not, or null. */
  begin(): Promise<string | null> {
    return this.players.begin(minStakes, this.stake);
  }

  /** Plays the cases; each is in the results afterwards. */
  async play(plan: readonly Case[]): Promise<void> {
    const { clock } = this.wallet;
    const { kill, start } = this.options;
    if (kill !== undefined && start !== undefined) this.killed = casesToKill(plan, this.settings);
    for (const [index, one] of plan.entries()) {
      const [at, fromMs] = [clock.now(), clock.monotonicMs()];
      this.progress.begins(one, index, plan.length);
      const ending = await this.playOne(one);
      const durationMs = clock.monotonicMs() - fromMs;
      const exception = this.options.exceptions?.get(one.id) ?? null;
      const result = resultOf(one, ending, exception, { at, durationMs });
      this.ended.push(result);
      this.progress.ended(result, index, plan.length);
    }
  }

  /** Each player's money at the start and now. */
  money(): Promise<PlayerMoney[]> {
    return this.players.atEnd();
  }

  private async playOne(one: Case): Promise<Ending> {
    const unplayed = this.endingOfUnplayed(one);
    if (unplayed !== null) return unplayed;
    this.steps.begin();
    this.reach.begin();
    const context = createCaseContext(
      this.context,
      this.killed.has(one.id) ? this.spared++ % 2 : null,
    );
    const played = this.reached(one, withSteps(await playCase(one, context), this.steps));
    // Before its stakes are voided: a wallet may refuse that while the player is blocked.
    const ending = await this.unblocked(played);
    const left = await this.tidyUp();
    const [playerId = ''] = this.options.playerIds;
    await this.reach.ended(one.id, this.wallet, () => this.wallet.total(playerId));
    if (left.length === 0) return ending;
    return { ...ending, left, details: [...ending.details, ...left.map(leftInWords)] };
  }

  /** A case that failed since there was no wallet is undecided; not where the wallet may have ended by a call of it. */
  private reached(one: Case, ending: Ending): Ending {
    const { whyNone, isCut } = this.reach;
    if (whyNone !== null) {
      this.unreached.add(one.id);
      const message = `there was no connection to the wallet: ${whyNone}`;
      return { ...ending, verdict: 'inconclusive', message };
    }
    if (ending.verdict !== 'failed' || !ending.exchange?.isUnconnected || isCut) return ending;
    this.unreached.add(one.id);
    return { ...ending, verdict: 'inconclusive' };
  }

  /** Lifts the block, if the case set one and did not come to lift it. */
  private async unblocked(ending: Ending): Promise<Ending> {
    try {
      await this.block.lift();
      return ending;
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
      const message = `the player may still be blocked: ${error.message}`;
      if (ending.verdict === 'passed') return { ...ending, verdict: 'inconclusive', message };
      return { ...ending, details: [...ending.details, message] };
    }
  }

  private endingOfUnplayed(one: Case): Ending | null {
    if (this.options.signal?.aborted) return notPlayed('not played: the run was stopped');
    if (this.wallet.timeLeftMs() === 0) {
      return notPlayed('not played: the time of the run was over');
    }
    if (this.reach.isGone) return notPlayed('not played: the wallet took no connection any more');
    const broken = this.ended.find((ended) => {
      return ended.group === 'basics' && counts(ended) && !this.unreached.has(ended.id);
    });
    if (broken !== undefined) return notPlayed(`not played, since ${broken.id} did not pass`);
    // A known difference holds up no other case.
    const open = this.ended.filter(({ id, verdict, exception }) => {
      return one.after?.includes(id) && verdict !== 'passed' && exception === null;
    });
    const below = open.find(({ needs }) => needs === null) ?? open[0];
    if (below === undefined) return null;
    return notPlayed(`not played, since ${below.id} did not pass`, below.needs);
  }

  /** Takes back what the case staked. Returns what of the players' money is not as it was. */
  private async tidyUp(): Promise<readonly MoneyLeft[]> {
    const { players, risk, wallet } = this;
    const signers = signersOf(this.options, wallet.operator);
    try {
      if (!risk.isTouched) return [];
      await giveBack(wallet, signers, risk, false);
      await players.read();
      if (players.sinceLastCase().length > 0) {
        await giveBack(wallet, signers, risk, true);
        await players.read();
      }
      const unread = risk.left().filter(({ playerId }) => !players.isRead(playerId));
      return [...players.sinceLastCase(), ...unread];
    } catch (error) {
      // The time is over: the money at the end shows what is missing.
      if (!(error instanceof Undecided)) throw error;
      return [];
    } finally {
      players.settle();
      risk.clear();
    }
  }
}

function signersOf({ secondOperator }: CertificationOptions, operator: Credentials): Signers {
  const signers = new Map([[operator.operatorId, operator]]);
  if (secondOperator !== undefined) {
    signers.set(secondOperator.operatorId, credentialsOf(secondOperator));
  }
  return signers;
}

/** How one case ended. */
interface Ending {
  readonly verdict: Verdict;
  readonly message: string | null;
  readonly details: readonly string[];
  readonly exchange: Exchange | null;
  readonly needs: string | null;
  readonly steps: readonly Step[];
  readonly left?: readonly MoneyLeft[];
}

const nothing = { message: null, details: [], exchange: null, needs: null, steps: [] };

/** Adds what led to the call that shows it. A wrong balance, say, is shown by the last call. */
function withSteps(ending: Ending, steps: CaseSteps): Ending {
  const { verdict, exchange } = ending;
  const shown = exchange ?? (verdict === 'failed' ? steps.last() : null);
  return shown === null ? ending : { ...ending, exchange: shown, steps: steps.before(shown) };
}

/**
 * Plays a case. Never rejects: where the case itself breaks it is undecided, so that the stakes are given back and the
 * other results are not lost.
 */
export async function playCase(one: Case, context: CaseContext): Promise<Ending> {
  try {
    const remark = await one.play(context);
    return { ...nothing, verdict: 'passed', message: remark ?? null };
  } catch (error) {
    if (error instanceof CaseFailure) return endingOf('failed', error);
    if (!(error instanceof Undecided)) {
      return endingOf('inconclusive', new Undecided(`the case itself broke: ${String(error)}`));
    }
    const needs = error instanceof NotTried ? error.option : null;
    return { ...endingOf('inconclusive', error), needs };
  }
}

/** A case that is not played, and why; `needs` is the option without which what it depends on was not tried. */
function notPlayed(why: string, needs: string | null = null): Ending {
  return { ...nothing, verdict: 'inconclusive', message: why, needs };
}

function endingOf(verdict: Verdict, { message, evidence }: CaseFailure | Undecided): Ending {
  const { exchange = null, details = [] } = evidence;
  return { ...nothing, verdict, message, details, exchange };
}

/** The result of a case. */
function resultOf(
  one: Case,
  ending: Ending,
  exception: string | null,
  times: Pick<CaseResult, 'at' | 'durationMs'>,
): CaseResult {
  const { id, group, level, rule, given, when, expected, otherwise } = one;
  const { exchange } = ending;
  return {
    id,
    group,
    level,
    rule,
    given,
    when,
    expected,
    ...(otherwise === undefined ? {} : { otherwise }),
    ...ending,
    curl: exchange === null ? null : curlOf(exchange),
    exception: ending.verdict === 'passed' ? null : exception,
    ...times,
  };
}
