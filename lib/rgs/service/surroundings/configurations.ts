import type { Clock } from '../../../platform';
import type {
  Cause,
  ProviderAnswer,
  ProviderConfiguration,
  ProviderGame,
  ProviderLine,
} from '../../ports';
import { setLatest } from './latest';

/** The game and the currency that a configuration is of. */
export interface Configured extends ProviderGame {
  readonly currency: string;
  readonly currencyMultiplier: string;
}

/** The configurations of games, as their providers give them (E21.3). They are not durable. */
export interface Configurations {
  /** The stakes of the latest one, of whatever age; null as long as none is known (E7.3). */
  ladderOf(of: Configured): readonly bigint[] | null;
  /** One that is less than 60 s old, or the provider's answer. */
  get(of: Configured, cause: Cause): Promise<ProviderAnswer<ProviderConfiguration>>;
}

interface Kept {
  readonly configuration: ProviderConfiguration;
  readonly at: number;
}

/** How long a configuration is not asked for again (E21.3). */
const keptMs = 60_000;

/** Games and currencies whose configuration is kept; an operator may ask for any currency there is. */
const maxKept = 1000;

/** No configuration is known at first. The provider's line refuses one that is not as asked (E21.3). */
export function cachedConfigurations(provider: ProviderLine, clock: Clock): Configurations {
  const kept = new Map<string, Kept>();
  const inFlight = new Map<string, Promise<ProviderAnswer<ProviderConfiguration>>>();

  const fetchFromProvider = async (
    of: Configured,
    cause: Cause,
  ): Promise<ProviderAnswer<ProviderConfiguration>> => {
    const { gameProviderId, gameCode, currency, currencyMultiplier } = of;
    const request = { gameProviderId, gameCode, currency, currencyMultiplier, cause };
    const answer = await provider.getGameConfiguration(request);
    if (answer.kind === 'answered') {
      const latest = { configuration: answer.value, at: clock.now() };
      setLatest(kept, keyOf(of), latest, maxKept);
    }
    return answer;
  };
  return {
    ladderOf: (of) => kept.get(keyOf(of))?.configuration.stakes ?? null,
    get(of, cause) {
      const key = keyOf(of);
      const known = kept.get(key);
      if (known !== undefined && clock.now() - known.at < keptMs) {
        return Promise.resolve({ kind: 'answered', value: known.configuration });
      }
      const running =
        inFlight.get(key) ?? fetchFromProvider(of, cause).finally(() => inFlight.delete(key));
      inFlight.set(key, running);
      return running;
    },
  };
}

function keyOf({ gameCode, currency, currencyMultiplier }: Configured): string {
  return [gameCode, currency, currencyMultiplier].join('\n');
}
