import { systemClock, systemRandom } from '../../../platform';
import { allCases } from './all-cases';
import type { Case, CertificationResult } from '../talk/case';
import { createSender, noteSigner } from '../client';
import { type CertificationOptions, checkOptions, planOf } from './options';
import { conclude, hashOf } from './conclusion';
import { Session } from './session';
import { credentialsOf } from './context';
import { Reach } from './reach';
import { Timings } from './timings';
import { leftOutOf } from './untried';
import { SentVersions } from './wallet-version';
import { createRunWallet, type RunWallet } from './wallet';

/** Share of the time limit that is kept for giving the stakes back; at most so many milliseconds. */
const reservedShare = 0.1;
const maxReservedMs = 30_000;

/**
 * The cases that a run with these options plays, in order.
 * @throws TypeError for a name in `only` or `exceptions` without a case.
 */
export function casesOf(
  options: Pick<CertificationOptions, 'only' | 'profile' | 'exceptions' | 'long'>,
): Case[] {
  for (const id of options.exceptions?.keys() ?? []) {
    if (allCases.some((one) => one.id === id)) continue;
    throw new TypeError(`exceptions: there is no case "${id}"`);
  }
  return planOf(allCases, { ...options, withLoad: (options.long?.load ?? null) !== null });
}

/**
 * Certifies a wallet over HTTP. Money is staked for moments only, and given back by voids.
 * @throws TypeError for options that cannot be used.
 */
export async function certify(options: CertificationOptions): Promise<CertificationResult> {
  checkOptions(options);
  const { clock = systemClock, random = systemRandom, timeLimitMs = 600_000 } = options;
  const plan = casesOf(options);
  const [startedAt, startMs] = [clock.now(), clock.monotonicMs()];
  const reservedMs = Math.min(timeLimitMs * reservedShare, maxReservedMs);
  const casesMs = startMs + timeLimitMs - reservedMs;
  const ends = { casesMs, allMs: startMs + timeLimitMs };
  const timings = new Timings();
  const versions = new SentVersions();
  const reach = new Reach();
  const { wallet, close } = openWallet(options, ends, { timings, versions, reach });
  const leftOut = leftOutOf(allCases, plan, options);
  try {
    const session = new Session(options, { wallet, random, timings, reach });
    const obstacle = await session.begin();
    if (obstacle === null) await session.play(plan);
    const { results: cases, settings, risk } = session;
    const { outcome, summary } =
      obstacle === null
        ? conclude(cases, {
            leftOut,
            goneSince: reach.since,
            isStopped: options.signal?.aborted === true,
          })
        : { outcome: 'not run' as const, summary: obstacle };
    return {
      outcome,
      summary,
      version: options.version ?? 'unknown',
      wallet: {
        name: options.walletName ?? null,
        version: options.walletVersion ?? null,
        sent: versions.result(),
      },
      runBy: options.runBy ?? null,
      seed: settings.seed,
      profile: options.profile ?? 'full',
      urls: options.urls,
      operatorId: options.operator.operatorId,
      currency: options.currency,
      gameCode: session.gameCode,
      startedAt,
      durationMs: clock.monotonicMs() - startMs,
      cases,
      leftOut,
      timings: timings.result(),
      money: await session.money(),
      mostAtRisk: risk.most,
      resultsHash: hashOf(cases),
    };
  } finally {
    close();
  }
}

function openWallet(
  options: CertificationOptions,
  ends: { readonly casesMs: number; readonly allMs: number },
  kept: { readonly timings: Timings; readonly versions: SentVersions; readonly reach: Reach },
): { wallet: RunWallet; close: () => void } {
  const { urls, currency, clock = systemClock, timeoutMs = 10_000 } = options;
  const operator = credentialsOf(options.operator);
  const signer = noteSigner(operator, clock);
  const sender = createSender(clock);
  const { signal } = options;
  const optional = signal === undefined ? {} : { signal };
  const parts = {
    urls,
    currency,
    clock,
    signer,
    operator,
    sender,
    ...kept,
    timeoutMs,
    ends,
    ...optional,
  };
  return { wallet: createRunWallet(parts), close: () => sender.close() };
}
