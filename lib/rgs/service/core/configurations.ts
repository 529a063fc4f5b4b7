import type { Clock } from '../../../platform';
import { LatestMap } from '../../../platform/latest-map';
import type {
  Cause,
  ProviderAnswer,
  ProviderConfiguration,
  ProviderGame,
  ProviderLine,
} from '../../ports';

/** The game and the currency that a configuration is of. */
export interface Configured extends ProviderGame {
  readonly currency: string;
  readonly currencyMultiplier: string;
}

interface Kept {
  readonly configuration: ProviderConfiguration;
  readonly at: number;
}

/** How long a configuration is not asked for again (E21.3). */
const keptMs = 60_000;

/** Most configurations that are kept; an operator may ask for any currency there is. */
const maxKept = 1000;

/**
 * The configurations of games, as their providers give them (E21.3); not durable. The provider's line refuses one
 * that is not as asked.
 */
export class Configurations {
  readonly #kept = new LatestMap<Kept>(maxKept);
  readonly #inFlight = new Map<string, Promise<ProviderAnswer<ProviderConfiguration>>>();

  constructor(
    private readonly provider: ProviderLine,
    private readonly clock: Clock,
  ) {}

  /** The stakes of the latest one, of whatever age; null as long as none is known (E7.3). */
  ladderOf(of: Configured): readonly bigint[] | null {
    return this.#kept.get(keyOf(of))?.configuration.stakes ?? null;
  }

  /** One that is less than 60 s old, or the provider's answer. */
  get(of: Configured, cause: Cause): Promise<ProviderAnswer<ProviderConfiguration>> {
    const key = keyOf(of);
    const known = this.#kept.get(key);
    if (known !== undefined && this.clock.now() - known.at < keptMs) {
      return Promise.resolve({ kind: 'answered', value: known.configuration });
    }
    const running =
      this.#inFlight.get(key) ?? this.#ask(of, cause).finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, running);
    return running;
  }

  async #ask(of: Configured, cause: Cause): Promise<ProviderAnswer<ProviderConfiguration>> {
    const { gameProviderId, gameCode, currency, currencyMultiplier } = of;
    const request = { gameProviderId, gameCode, currency, currencyMultiplier, cause };
    const answer = await this.provider.getGameConfiguration(request);
    if (answer.kind === 'answered') {
      this.#kept.set(keyOf(of), { configuration: answer.value, at: this.clock.now() });
    }
    return answer;
  }
}

function keyOf({ gameCode, currency, currencyMultiplier }: Configured): string {
  return [gameCode, currency, currencyMultiplier].join('\n');
}
