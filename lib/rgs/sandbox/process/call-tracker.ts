import { LatestMap } from '../../../platform/latest-map';
import type { Cause, ProviderLine, WalletLine } from '../../ports';
import type { Findings, Noticed } from './findings';
import type { Lines, Making, PassedCall } from '../lines/pass';
import type { FaultKind } from '../view/state';

/** With these faults the reply does not arrive: the sandbox makes one up, and reports no finding about it. */
const keptBack: readonly (FaultKind | null)[] = [
  'loseRequest',
  'loseReply',
  '503',
  '429',
  'html',
  'cut',
];

/** Most rounds with a remembered latest call. */
const maxRounds = 10_000;

/** Findings about what a wallet or a router replies, each with its call. */
export class CallTracker {
  readonly #latest = new LatestMap<PassedCall>(maxRounds);
  /** The reason of each call, by its request. */
  readonly #made = new WeakMap<object, Making>();

  constructor(
    private readonly lines: Lines,
    private readonly findings: Findings,
  ) {}

  /** The line to the providers; the latest call of each method is known. */
  follow(line: ProviderLine): ProviderLine {
    return {
      getGameConfiguration: (game) =>
        this.#make(game, game.cause, () => line.getGameConfiguration(game)),
      doAutoClose: (round) => this.#make(round, null, () => line.doAutoClose(round)),
      getGameResult: (round) => this.#make(round, null, () => line.getGameResult(round)),
      health: (gameProviderId) => line.health(gameProviderId),
      certifiedFiles: (gameProviderId) => line.certifiedFiles(gameProviderId),
    };
  }

  /** The same for the wallets; the latest call of each round is remembered too. */
  followWallet(line: WalletLine): WalletLine {
    return {
      doTransactions: async (call) => {
        const answer = await this.#make(call, call.cause, () => line.doTransactions(call));
        const key = keyOf(call.owner.gameProviderId, call.gameRound);
        const latest = this.#latestOf(call);
        if (latest === null) this.#latest.delete(key);
        else this.#latest.set(key, latest);
        return answer;
      },
      getBalance: (question) =>
        this.#make(question, question.cause, () => line.getBalance(question)),
    };
  }

  /** A finding that a followed line reports, and the request that it is about. */
  reported(finding: Noticed, about: object | null): void {
    this.#add(finding, this.#latestOf(about));
  }

  /** A finding of what the wallet's latest reply about a round said. */
  ofWallet(finding: Noticed, gameProviderId: string): void {
    this.#add(finding, this.#latest.get(keyOf(gameProviderId, finding.round ?? '')) ?? null);
  }

  #make<T>(about: object, cause: Cause | undefined, work: () => T): T {
    const making: Making = { cause: cause ?? null, latest: null };
    this.#made.set(about, making);
    return this.lines.making(making, work);
  }

  #latestOf(about: object | null): PassedCall | null {
    return about === null ? null : (this.#made.get(about)?.latest ?? null);
  }

  #add(finding: Noticed, call: PassedCall | null): void {
    if (call !== null && keptBack.includes(call.fault)) return;
    this.findings.add(finding, call?.n ?? null);
  }
}

function keyOf(gameProviderId: string, gameRound: string): string {
  return JSON.stringify([gameProviderId, gameRound]);
}
