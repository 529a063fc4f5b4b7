import type { ErrorCode } from '../../protocol/operator-api/catalogue';
import type { Call, Debit } from '../../protocol/operator-api/transaction';
import type { Clock } from '../../platform';
import { LatestMap } from '../../platform/latest-map';
import { withTimeLimit } from '../../platform/within';
import type { RoundKey } from './player/round-key';

/** What the check of a call's debits is asked (D12.1). */
export interface DebitCheckRequest {
  readonly round: RoundKey;
  readonly call: Call;
  /** The debits of the call that are not known yet, at least one. */
  readonly debits: readonly Debit[];
  /** Of the first of them. */
  readonly currency: string;
  /** What those in this currency would take together, in units. */
  readonly total: bigint;
  /** Aborts when the answer would come too late. */
  readonly signal: AbortSignal;
}

/** With these a wallet declines a debit by itself (D4.5). The others say what a debit, a hash or a round is, and some are not recorded. */
const declineCodes = [
  'DEBITREFUSED',
  'BALANCETOOLOW',
  'LIMITREACHED',
  'PLAYERNOTFOUND',
  'CURRENCYNOTSUPPORTED',
  'DEBITCHECKFAILED',
] as const satisfies readonly ErrorCode[];
type DeclineCode = (typeof declineCodes)[number];

/** The answer of the check (D12.2). Anything else counts as none. */
export type DebitCheckAnswer =
  /** `forMs`: for so long this process does not ask again for this player; at most 60,000. */
  | { readonly allow: true; readonly forMs?: number }
  /** `code`: DEBITREFUSED unless set. `clientmsg`: for the player, in this answer alone; at most 500 characters. */
  | { readonly allow: false; readonly code?: DeclineCode; readonly clientmsg?: string };

/** Asked before anything of a call with a debit is decided (D12.1). It is advice of a moment (D12.6). */
export type DebitCheck = (
  request: DebitCheckRequest,
) => DebitCheckAnswer | Promise<DebitCheckAnswer>;

/** What came of a check: `kept` was allowed before (forMs), `broken` was not asked after too many silences. */
export const debitCheckOutcomes = ['allowed', 'refused', 'silent', 'kept', 'broken'] as const;
/** One of {@link debitCheckOutcomes}. */
export type DebitCheckOutcome = (typeof debitCheckOutcomes)[number];

/** For those who watch the check. */
export interface DebitChecked {
  readonly round: RoundKey;
  readonly outcome: DebitCheckOutcome;
  readonly durationMs: number;
  /** Of a `silent` one: why there is no answer. */
  readonly error?: unknown;
}

/** The debits of the call that are new are declined so (D12.3). */
export interface DebitsDeclined {
  readonly code: ErrorCode;
  readonly clientmsg: string | null;
}

/** The circuit breaker of the check (D12.5). */
export interface DebitCheckBreaker {
  /** `half open`: it is asked again, and has not answered yet. */
  readonly state: 'closed' | 'open' | 'half open';
  /** Since when it has not answered: ISO 8601, UTC; null while closed. */
  readonly since: string | null;
  /** Calls with a debit that were not asked for since then. */
  readonly unasked: number;
  /** What becomes of their debits. */
  readonly silence: 'refuse' | 'allow';
}

/** What the checks of a process are made of. */
export interface DebitChecksParts {
  readonly check: DebitCheck;
  readonly debitCheckMs: number;
  readonly debitCheckSilence: 'refuse' | 'allow';
  readonly clock: Clock;
  readonly onChecked?: ((checked: DebitChecked) => void) | undefined;
}

/** After so many silences within `silenceMs` the check is not asked for `breakMs` (D12.5). */
const [mostSilences, silenceMs, breakMs] = [5, 10_000, 1000];
const [mostAllowed, longestForMs] = [100_000, 60_000];

/** The check before debits, with what this process remembers of its answers (D12.5). */
export class DebitChecks {
  /** By player: until when, on the monotonic clock. */
  readonly #allowed = new LatestMap<number>(mostAllowed);
  /** When the check was silent last. */
  #silences: number[] = [];
  #brokenUntil = Number.NEGATIVE_INFINITY;
  /** Since when the breaker is not closed, in milliseconds since 1970. */
  #brokenSince: number | null = null;
  #unasked = 0;

  constructor(private readonly parts: DebitChecksParts) {}

  /** The circuit breaker, for people. */
  get breaker(): DebitCheckBreaker {
    const { clock, debitCheckSilence: silence } = this.parts;
    const since = this.#brokenSince;
    if (since === null) return { state: 'closed', since, unasked: 0, silence };
    const state = clock.monotonicMs() < this.#brokenUntil ? 'open' : 'half open';
    return { state, since: new Date(since).toISOString(), unasked: this.#unasked, silence };
  }

  /** Null if the debits are allowed. Never rejects. */
  async ask(
    round: RoundKey,
    call: Call,
    debits: readonly [Debit, ...Debit[]],
  ): Promise<DebitsDeclined | null> {
    const startedAt = this.parts.clock.monotonicMs();
    const done = (outcome: DebitCheckOutcome, error?: unknown): void => {
      const durationMs = this.parts.clock.monotonicMs() - startedAt;
      this.parts.onChecked?.({ round, outcome, durationMs, error });
    };
    const player = `${round.operatorId}#${round.playerId}`; // no identifier has a #
    if ((this.#allowed.get(player) ?? Number.NEGATIVE_INFINITY) > startedAt) {
      done('kept');
      return null;
    }
    if (startedAt < this.#brokenUntil) {
      this.#unasked += 1;
      done('broken');
      return this.silence();
    }
    try {
      const answer = checked(await this.answerTo(round, call, debits));
      if (startedAt >= this.#brokenUntil) this.#brokenSince = null;
      done(answer.allow ? 'allowed' : 'refused');
      if (!answer.allow) return { code: answer.code, clientmsg: answer.clientmsg };
      if (answer.forMs > 0) this.#allowed.set(player, startedAt + answer.forMs);
      return null;
    } catch (error) {
      this.noteSilence();
      done('silent', error);
      return this.silence();
    }
  }

  private answerTo(
    round: RoundKey,
    call: Call,
    debits: readonly [Debit, ...Debit[]],
  ): Promise<unknown> {
    const { check, clock, debitCheckMs } = this.parts;
    const { currency } = debits[0];
    const total = debits
      .filter((debit) => debit.currency === currency)
      .reduce((sum, { amount, discount }) => sum + amount - discount, 0n);
    return withTimeLimit(clock, debitCheckMs, async (signal) =>
      check({ round, call, debits, currency, total, signal }),
    );
  }

  private noteSilence(): void {
    const now = this.parts.clock.monotonicMs();
    this.#silences = [...this.#silences, now].slice(-mostSilences);
    const [first = now] = this.#silences;
    const isMany = this.#silences.length === mostSilences;
    if (!isMany || now - first > silenceMs) return;
    this.#brokenUntil = now + breakMs;
    if (this.#brokenSince !== null) return;
    this.#brokenSince = this.parts.clock.now();
    this.#unasked = 0;
  }

  private silence(): DebitsDeclined | null {
    if (this.parts.debitCheckSilence === 'allow') return null;
    return { code: 'DEBITCHECKFAILED', clientmsg: null };
  }
}

type Checked =
  | { readonly allow: true; readonly forMs: number }
  | ({ readonly allow: false } & DebitsDeclined);

/** @throws TypeError for an invalid answer: the text 'false' would count as true, and let a barred player stake. */
function checked(answer: unknown): Checked {
  const { allow, forMs = 0, code = 'DEBITREFUSED', clientmsg, ...others } = own(answer);
  const foreign = allow === true ? ['code', 'clientmsg'] : ['forMs'];
  const isForeign = foreign.some((name) => Object.hasOwn(own(answer), name));
  if (typeof allow !== 'boolean' || isForeign || Object.keys(others).length > 0) {
    throw new TypeError(
      'The debit check must answer { allow: true, forMs? } or { allow: false, code?, clientmsg? }.',
    );
  }
  if (!isForMs(forMs))
    throw new TypeError(`forMs of the debit check must be 0 to ${longestForMs}.`);
  const known = declineCodes.find((name) => name === code);
  if (known === undefined) {
    throw new TypeError(`code of the debit check must be one of ${declineCodes.join(', ')}.`);
  }
  if (clientmsg !== undefined && !isClientText(clientmsg)) {
    throw new TypeError(
      `clientmsg of the debit check must be a text of at most ${longestText} characters.`,
    );
  }
  return allow ? { allow, forMs } : { allow, code: known, clientmsg: clientmsg ?? null };
}

const longestText = 500;

function isClientText(text: unknown): text is string {
  return typeof text === 'string' && text.length <= longestText && text.isWellFormed();
}

function isForMs(forMs: unknown): forMs is number {
  return Number.isSafeInteger(forMs) && (forMs as number) >= 0 && (forMs as number) <= longestForMs;
}

/** Its own members: what another object inherits is no answer. */
function own(answer: unknown): Readonly<Record<string, unknown>> {
  return typeof answer === 'object' && answer !== null ? { ...answer } : {};
}
