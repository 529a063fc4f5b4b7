import type { Clock, Random } from '../../../../platform';
import type { PlainReply } from '../../../../platform/http';
import { fetchWhole } from '../../../../platform/http/fetch-whole';
import { withDeadline } from '../../../../platform/within';
import { createRgsClient, type RgsClient } from '../../../../operator/client';
import { type EngineErrorCode, engineErrors } from '../../../../protocol/engine-api/errors';
import { isJsonObject, type JsonValue, parseJson } from '../../../../protocol/json/parse';
import {
  createGameEngineClient,
  GameEngineError,
  type GameEngineClient,
} from '../../../../provider';
import { amountWords } from '../../../../rgs/sandbox/wire/amounts';
import { isWalletCall } from '../../../../rgs/sandbox/wire/essence';
import type { ProviderBook } from '../../game-bells';
import { createSandboxApi, type SandboxApi } from './api';
import { Dealer, type Player, type Session } from './dealer';
import { type BooksBefore, emptyBooks, ownFaults } from './own-books';
import { walletCallsIn, connectFault, memberOf, passedOn } from './wallet-answers';

/** A running sandbox, and whose names the scenario plays in. */
export interface ScenarioContextOptions {
  /** Of the sandbox, such as `http://127.0.0.1:8090`. */
  readonly url: string;
  readonly operator: { readonly operatorId: string; readonly secret: string };
  readonly provider: { readonly gameProviderId: string; readonly secret: string };
  readonly gameCode: string;
  /** A player of the wallet with at least 1,000 minor units. */
  readonly newPlayer: () => Promise<Player>;
  /** The provider's own book, which the sandbox compares. */
  readonly book: ProviderBook;
  readonly clock: Clock;
  readonly random: Random;
  /** Seed of what a scenario draws. */
  readonly seed: number;
  /** Prints one line of the scenario. */
  readonly print: (line: string) => void;
  /** Takes the id of a round in which a scenario lets the books differ on purpose. */
  readonly onPurpose?: (gameRound: string) => void;
}

/** The reply to a launch URL: the session, or the refusal. */
type Connected =
  | { readonly kind: 'session'; readonly session: Session }
  | { readonly kind: 'refused'; readonly status: number; readonly id: number | null };

/** The sandbox did not do what the scenario proves. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}

const pollMs = 15;
const patienceMs = 15_000;
/** The number of latest calls that are searched for what the wallet answered to a connect. */
const latestCalls = 20;

/** What a scenario plays on: a running sandbox. */
export class ScenarioContext {
  readonly api: SandboxApi;
  /** The operator's calls at the RGS. */
  readonly operator: RgsClient;
  /** The calls of the game provider, not booked. */
  readonly client: GameEngineClient;
  /** The same, one by one and booked. */
  readonly deal: Dealer;

  /** `before`: the books as the scenario finds them. */
  constructor(
    readonly options: ScenarioContextOptions,
    private readonly before: BooksBefore = emptyBooks,
  ) {
    const { url, operator, provider, clock, random, book } = options;
    this.api = createSandboxApi(url, clock);
    this.operator = createRgsClient({ baseUrl: `${url}/operator`, ...operator, clock, random });
    this.client = createGameEngineClient({
      baseUrl: `${url}/gameapi/v2`,
      ...provider,
      attemptTimeoutMs: 12_000,
      clock,
      random,
    });
    this.deal = new Dealer(this.client, book, () => random.bytes(16).toString('hex'));
  }

  newPlayer(): Promise<Player> {
    return this.options.newPlayer();
  }

  /** getGameURL. */
  async launch({ playerId, currency }: Player): Promise<URL> {
    const { gameCode } = this.options;
    const reply = await this.operator.call({
      method: 'POST',
      path: '/getGameURL',
      signedFields: ['playerId', 'gameCode', 'currency', 'language', 'mode'],
      body: { playerId, gameCode, currency, language: 'EN', mode: 'REAL' },
    });
    const launchUrl = (reply as { url?: unknown } | null)?.url;
    if (typeof launchUrl !== 'string') throw new ScenarioError('getGameURL gave no url');
    return new URL(launchUrl);
  }

  /** Opens a launch URL as the player's browser does. */
  async connect(launchUrl: URL): Promise<Connected> {
    const token = launchUrl.searchParams.get('token') ?? '';
    const login = launchUrl.searchParams.get('login') ?? '';
    const get = { method: 'GET', target: '', rawHeaders: [], body: Buffer.alloc(0) };
    const reply = await withDeadline(this.options.clock, patienceMs, (until) => {
      return fetchWhole(`${login}?token=${encodeURIComponent(token)}`, get, until);
    });
    return readConnect(reply);
  }

  /** Launches and connects; a new player unless given. */
  async sit(player?: Player): Promise<Session> {
    const who = player ?? (await this.newPlayer());
    return this.sessionOf(await this.connect(await this.launch(who)), who);
  }

  /** The session of a connect. @throws ScenarioError that says why it was refused, from the wallet's answer. */
  async sessionOf(connected: Connected, player: Player): Promise<Session> {
    if (connected.kind === 'session') return connected.session;
    const { api } = this;
    const { calls } = await api.wire(Math.max(0, (await api.state()).wire - latestCalls));
    const why = connectFault(calls, player);
    const answer = `${connected.status}, error ${connected.id ?? 'without an id'}`;
    throw new ScenarioError(`connect was refused: ${answer}${why === null ? '' : `; ${why}`}`);
  }

  /** The balance by getBalance, in minor units. */
  async balance({ token }: Session): Promise<bigint> {
    const { totalBalance } = await this.client.getBalance({ token });
    if (totalBalance === null) throw new ScenarioError('getBalance gave no totalBalance');
    return totalBalance;
  }

  /** The calls about a round at the wallet, as texts. */
  async walletCalls(gameRound: string): Promise<string[]> {
    return walletCallsIn(await this.api.timeline(gameRound));
  }

  /** An amount as people write it, in the player's currency: `2.50 EUR` of 250 (E4.1). */
  moneyOf({ currency }: Player): (units: bigint) => string {
    return (units) => amountWords(String(units), currency);
  }

  say(text: string): void {
    this.options.print(`  ${text}`);
  }

  /** @throws ScenarioError unless the two are the same, as JSON; a bigint is an amount. */
  equal(actual: unknown, expected: unknown, claim: string): void {
    const [found, wanted] = [textOf(actual), textOf(expected)];
    this.hold(found === wanted, claim, `expected ${wanted}, found ${found}`);
  }

  /** @throws ScenarioError unless getBalance says this, in minor units. */
  async balanceIs(session: Session, expected: bigint, claim: string): Promise<void> {
    this.equal(await this.balance(session), expected, claim);
  }

  /** @throws ScenarioError unless these are the calls about a round at the wallet. */
  async walletSaw(gameRound: string, calls: readonly string[], claim: string): Promise<void> {
    this.equal(await this.walletCalls(gameRound), calls, claim);
  }

  /** @throws ScenarioError unless the work is refused with this error. */
  async refused(work: Promise<unknown>, code: EngineErrorCode, claim: string): Promise<void> {
    const { id } = engineErrors[code];
    const found = await refusalIn(work);
    this.hold(found === String(id), claim, `expected error ${id}, found ${found}`);
  }

  /** @throws ScenarioError unless the wallet declines the round's latest debit, and its own error id is passed on (E3). */
  async declined(work: Promise<unknown>, gameRound: string, claim: string): Promise<void> {
    const found = await refusalIn(work);
    const { steps } = await this.api.timeline(gameRound);
    const calls = steps.flatMap((step) => (step.kind === 'call' ? [step.call] : []));
    const answer = calls.findLast(isWalletCall) ?? null;
    const status = answer?.status ?? null;
    const isDefinite = status !== null && status >= 400 && status < 500;
    this.hold(isDefinite, claim, `a declined debit is a 4xx (W2), the wallet answered ${status}`);
    const ids = answer === null ? [] : passedOn(answer);
    this.hold(
      ids.map(String).includes(found),
      "the wallet's own error id reaches the game (E3)",
      `expected error ${ids.join(' or ')}, found ${found}`,
    );
  }

  /** Waits until the probe is true. @throws ScenarioError after 15 s. */
  async until(claim: string, probe: () => Promise<boolean>): Promise<void> {
    const { clock } = this.options;
    const giveUpAt = clock.monotonicMs() + patienceMs;
    let isTrue = await probe();
    while (!isTrue && clock.monotonicMs() < giveUpAt) {
      await clock.pause(pollMs);
      isTrue = await probe();
    }
    this.hold(isTrue, claim, 'it did not come about in time');
  }

  /** Whether the round was started since the scenario began. */
  isOwn(gameRound: string): boolean {
    return !this.before.rounds.has(gameRound);
  }

  /** @throws ScenarioError unless all three books agree on what these players did since the scenario began. */
  async booksAgree(players: readonly Player[]): Promise<void> {
    const [first, ...others] = ownFaults(await this.api.books(), this.before, players);
    const more = others.length === 0 ? '' : `; and ${others.length} more`;
    this.hold(first === undefined, 'the three books agree on what was played', `${first}${more}`);
  }

  private hold(isTrue: boolean, claim: string, found: string): void {
    if (!isTrue) throw new ScenarioError(`${claim}: ${found}`);
    this.options.print(`  ok  ${claim}`);
  }
}

/** JSON, bigint as digits; an amount alone as people write it. */
function textOf(value: unknown): string {
  if (typeof value === 'bigint') return amountWords(String(value), null);
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one));
}

/** The id of the error that refuses the work. */
function refusalIn(work: Promise<unknown>): Promise<string> {
  return work.then(() => 'it was accepted', refusalOf);
}

function refusalOf(error: unknown): string {
  if (!(error instanceof GameEngineError)) return String(error);
  if (error.code === 'SIGNATURE_REFUSED') return String(error.id ?? error.code);
  return error.code === 'SERVICE_ERROR' ? String(error.id) : error.code;
}

function readConnect({ status, body }: PlainReply): Connected {
  const { value } = parseJson(body.toString('utf8'));
  const reply = isJsonObject(value) ? value : {};
  if (status !== 200) {
    const id = memberOf(reply['errorCode'], 'id');
    return { kind: 'refused', status, id: typeof id === 'number' ? id : null };
  }
  const units = memberOf(reply['balance'], 'totalBalance');
  const session: Session = {
    token: wordOf(reply['token']),
    playerId: wordOf(memberOf(reply['tokenData'], 'playerId')),
    currency: wordOf(memberOf(reply['tokenData'], 'currency')),
    balance: typeof units === 'number' ? BigInt(units) : null,
  };
  return { kind: 'session', session };
}

function wordOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** A scenario: it plays on a running sandbox, and proves its point. */
export interface Scenario {
  readonly name: string;
  /** What it shows, in a few words. */
  readonly shows: string;
  /** @throws ScenarioError if the sandbox does not do what the scenario proves. */
  play(context: ScenarioContext): Promise<void>;
}

/** Minutes and hours, in milliseconds. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
