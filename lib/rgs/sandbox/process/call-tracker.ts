import type { Cause, ProviderLine, WalletLine } from '../../ports';
import type { Findings, Noticed } from './findings';
import type { Lines, Making, PassedCall } from '../lines/pass';
import type { FaultKind } from '../view/state';

/** Findings about what a wallet or a router replies, each with its call. */
export interface CallTracker {
  /** The line to the providers; the latest call of each method is known. */
  follow(line: ProviderLine): ProviderLine;
  /** The same for the wallets; the latest call of each round is remembered too. */
  followWallet(line: WalletLine): WalletLine;
  /** A finding that a followed line reports, and the request that it is about. */
  reported(finding: Noticed, about: object | null): void;
  /** A finding of what the wallet's latest reply about a round said. */
  ofWallet(finding: Noticed, gameProviderId: string): void;
}

/** With these faults the reply does not arrive: the sandbox makes one up, and reports no finding about it. */
const keptBack: readonly (FaultKind | null)[] = [
  'loseRequest',
  'loseReply',
  '503',
  '429',
  'html',
  'cut',
];

/** Rounds whose latest call is remembered. */
const maxRounds = 10_000;

/** No call at first. */
export function createCallTracker(lines: Lines, findings: Findings): CallTracker {
  const latest = new Map<string, PassedCall>();
  const keep = (key: string, call: PassedCall | null): void => {
    latest.delete(key);
    if (call !== null) latest.set(key, call);
    const [oldest] = latest.keys();
    if (latest.size > maxRounds && oldest !== undefined) latest.delete(oldest);
  };
  /** The reason of each call, by its request. */
  const made = new WeakMap<object, Making>();
  const makeCall = <T>(about: object, cause: Cause | undefined, work: () => T): T => {
    const making: Making = { cause: cause ?? null, latest: null };
    made.set(about, making);
    return lines.making(making, work);
  };
  const latestOf = (about: object | null): PassedCall | null =>
    about === null ? null : (made.get(about)?.latest ?? null);
  const add = (finding: Noticed, call: PassedCall | null): void => {
    if (call === null || !keptBack.includes(call.fault)) findings.add(finding, call?.n ?? null);
  };
  return {
    follow: (line) => ({
      getGameConfiguration: (game) =>
        makeCall(game, game.cause, () => line.getGameConfiguration(game)),
      doAutoClose: (round) => makeCall(round, null, () => line.doAutoClose(round)),
      getGameResult: (round) => makeCall(round, null, () => line.getGameResult(round)),
      health: (gameProviderId) => line.health(gameProviderId),
      certifiedFiles: (gameProviderId) => line.certifiedFiles(gameProviderId),
    }),
    followWallet: (line) => ({
      async doTransactions(call) {
        const answer = await makeCall(call, call.cause, () => line.doTransactions(call));
        keep(keyOf(call.owner.gameProviderId, call.gameRound), latestOf(call));
        return answer;
      },
      getBalance: (question) => makeCall(question, question.cause, () => line.getBalance(question)),
    }),
    reported: (finding, about) => add(finding, latestOf(about)),
    ofWallet: (finding, gameProviderId) =>
      add(finding, latest.get(keyOf(gameProviderId, finding.round ?? '')) ?? null),
  };
}

function keyOf(gameProviderId: string, gameRound: string): string {
  return JSON.stringify([gameProviderId, gameRound]);
}
