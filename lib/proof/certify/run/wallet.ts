import type { Clock } from '../../../platform';
import type { Sender } from '../client';
import type { Credentials, Exchange, Gate, Signer, WalletRequest } from '../client';
import type { CertificationOptions } from './options';
import { type Answer, readAnswer, totalOf, Undecided } from '../talk';
import type { Reach } from './reach';
import type { Timings } from './timings';
import type { SentVersions } from './wallet-version';

/** Pause between two looks whether a wallet that was started answers, in milliseconds. */
const lookAgainMs = 200;
/** A wallet that does not answer this long after its start does not come back, in milliseconds. */
const maxStartMs = 60_000;

/** The wallet of a run. */
export interface RunWallet {
  readonly urls: readonly string[];
  readonly clock: Clock;
  readonly signer: Signer;
  readonly operator: Credentials;
  readonly currency: string;
  /** Sends a request to the byte, when the gate lets it go. */
  send(request: WalletRequest, url?: string, gate?: Gate): Promise<Answer>;
  /** A player's total, in units; null if getBalance does not return it. */
  total(playerId: string): Promise<bigint | null>;
  /** Waits until it answers getBalance. @throws Undecided if it does not come back. */
  untilItAnswers(playerId: string): Promise<void>;
  /** Milliseconds until the time of the cases is over. */
  timeLeftMs(): number;
}

/** What the wallet of a run is made of. */
interface RunWalletParts
  extends Pick<RunWallet, 'clock' | 'signer' | 'operator'>,
    Pick<CertificationOptions, 'urls' | 'currency' | 'signal'> {
  readonly sender: Sender;
  readonly timings: Timings;
  readonly reach: Reach;
  readonly versions: SentVersions;
  /** Of one reply. */
  readonly timeoutMs: number;
  /** Moment of the monotonic clock when no further case may begin, and when nothing at all may. */
  readonly ends: { readonly casesMs: number; readonly allMs: number };
}

/** The wallet of a run. No request is sent after its end. */
export function createRunWallet(parts: RunWalletParts): RunWallet {
  const { urls, clock, signer, operator, currency, sender, timings, timeoutMs, ends, signal } =
    parts;
  const { versions, reach } = parts;
  const send: RunWallet['send'] = async (request, url = urls[0] ?? '', gate) => {
    const leftMs = ends.allMs - clock.monotonicMs();
    if (leftMs <= 0) throw new Undecided('the time of the run was over');
    const limitMs = Math.min(timeoutMs, leftMs);
    const exchange: Exchange = await sender.send(url, request, limitMs, gate);
    timings.add(exchange);
    versions.add(exchange);
    reach.add(exchange);
    return readAnswer(exchange);
  };
  const total = async (playerId: string): Promise<bigint | null> => {
    const answer = await send(signer.getBalance({ playerId, currency }));
    return answer.meaning === 'success' ? totalOf(answer, currency) : null;
  };
  return {
    urls,
    clock,
    signer,
    operator,
    currency,
    send,
    total,
    timeLeftMs: () => (signal?.aborted ? 0 : Math.max(0, ends.casesMs - clock.monotonicMs())),
    async untilItAnswers(playerId) {
      const untilMs = clock.monotonicMs() + maxStartMs;
      while ((await total(playerId)) === null) {
        if (clock.monotonicMs() >= untilMs) {
          throw new Undecided('the wallet did not answer within a minute of its start');
        }
        await clock.pause(lookAgainMs);
      }
    },
  };
}
