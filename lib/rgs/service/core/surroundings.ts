import type { Balance, FreePlays, GameSettings } from '../../../protocol/engine-api';
import type { Context, Offer, Owner } from '../../rounds';
import type { Grant } from '../../sessions';
import type {
  BalanceAnswer,
  Cause,
  ProviderAnswer,
  ProviderConfiguration,
  ProviderGame,
} from '../../ports';

/** What the calls ask of the rest of the service. */
export interface Surroundings {
  /** The latest balance that the operator reported; null as long as none is known (E17.1). */
  balanceOf(owner: Owner): Balance | null;
  /** The free plays of the player for the game, and the package with this serial, if one is used (E18.3). */
  freePlaysOf(owner: Owner, serial: string | null): FreePlays;
  /** What a debit of this stake may be paid with, and the stakes that are offered (E7.3, E17). */
  offerFor(grant: Grant, stake: bigint): Offer;
  /** What the settings allow in a round (E10.4, E21.1). */
  boundsOf(grant: Grant): Pick<Context, 'isGambleEnabled' | 'maxExposure'>;
  /** The settings of the session (E21.1). */
  settingsOf(grant: Grant): GameSettings;
  /** Asks the operator for the balance, and keeps it; DEMO has its own (E17.1, E19.1). */
  fetchBalance(grant: Grant, cause: Cause): Promise<BalanceAnswer>;
  /** Asks for the balance in the background, such as after a discount was refused (E17.3). */
  refreshBalance(grant: Grant, cause: Cause): void;
  /** The stakes that a game offers; null as long as they are not known (E18.4). */
  ladderOf(game: ProviderGame, currency: string): readonly bigint[] | null;
  /** The configuration of a game, kept for 60 s (E21.3). */
  fetchConfiguration(
    game: ProviderGame,
    currency: string,
    cause: Cause,
  ): Promise<ProviderAnswer<ProviderConfiguration>>;
  /** Asks the provider for the configuration of the game, in the background (E21.3). */
  warmUp(grant: Grant, cause: Cause): void;
}
