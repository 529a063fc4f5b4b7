import type { Clock } from '../../../platform';
import type { Balance, FreePlays, GameSettings } from '../../../protocol/engine-api/replies';
import type { FreePlayRegistry } from '../../free-plays';
import { discountFor, ticketFor } from '../../offers';
import type {
  BalanceAnswer,
  Cause,
  ProviderAnswer,
  ProviderConfiguration,
  ProviderGame,
  WalletLine,
} from '../../ports';
import type { Context, Offer } from '../../rounds/context';
import type { Owner } from '../../rounds/round';
import type { Grant } from '../../grants';
import { maxExposureOf, offeredStakes, type SettingsBook } from '../../settings';
import type { LatestBalances } from './balances';
import type { Configurations, Configured } from './configurations';
import type { DemoWallet } from './demo-wallet';

/** What the surroundings of the calls depend on. */
interface SurroundingsParts {
  readonly wallet: WalletLine;
  readonly demo: DemoWallet;
  readonly balances: LatestBalances;
  readonly configurations: Configurations;
  readonly freePlays: FreePlayRegistry;
  readonly settingsBook: SettingsBook;
  readonly clock: Clock;
  /** Real time: the validity of discounts (E1.3). */
  readonly realClock: Clock;
  readonly applyDiscounts: boolean;
  /** Keeps track of work in the background. */
  readonly inBackground: (work: Promise<unknown>) => void;
}

/** What the calls ask of the rest of the service. */
export class Surroundings {
  /** Neither the settings nor a grant ever change, so they are worked out once. */
  readonly #settings = new WeakMap<Grant, GameSettings>();

  constructor(private readonly parts: SurroundingsParts) {}

  /** The latest balance that the operator reported; null as long as none is known (E17.1). */
  balanceOf(owner: Owner): Balance | null {
    const { demo, balances } = this.parts;
    return owner.mode === 'DEMO' ? demo.balanceOf(owner) : balances.find(owner);
  }

  /** The free plays of the player for the game, and the package with this serial, if one is used (E18.3). */
  freePlaysOf(owner: Owner, serial: string | null): FreePlays {
    return this.parts.freePlays.view(owner, serial, this.parts.clock.now());
  }

  /** What a debit of this stake may be paid with, and the stakes that are offered (E7.3, E17). */
  offerFor(grant: Grant, stake: bigint): Offer {
    const ladder = this.parts.configurations.ladderOf(grant.owner);
    return {
      stakes: offeredStakes(this.settingsOf(grant), ladder),
      ...this.#paidBy(grant.owner, stake),
    };
  }

  /** What the settings allow in a round (E10.4, E21.1). */
  boundsOf(grant: Grant): Pick<Context, 'isGambleEnabled' | 'maxExposure'> {
    const settings = this.settingsOf(grant);
    return {
      isGambleEnabled: settings['gambleEnabled'] !== false,
      maxExposure: maxExposureOf(settings),
    };
  }

  /** The settings of the session (E21.1). */
  settingsOf(grant: Grant): GameSettings {
    const known = this.#settings.get(grant);
    if (known !== undefined) return known;
    const { owner, profile, options } = grant;
    const made = this.parts.settingsBook.settingsFor({ ...owner, profile, options });
    this.#settings.set(grant, made);
    return made;
  }

  /** Asks the operator for the balance, and keeps it; DEMO has its own (E17.1, E19.1). */
  async fetchBalance({ owner, externalSessionId }: Grant, cause: Cause): Promise<BalanceAnswer> {
    const { wallet, demo, balances, clock } = this.parts;
    if (owner.mode === 'DEMO') return { kind: 'known', balance: demo.balanceOf(owner) };
    const answer = await wallet.getBalance({ owner, externalSessionId, cause });
    if (answer.kind === 'known') balances.keep(owner, answer.balance, clock.now());
    return answer;
  }

  /** Asks for the balance in the background, such as after a discount was refused (E17.3). */
  refreshBalance(grant: Grant, cause: Cause): void {
    this.parts.inBackground(this.fetchBalance(grant, cause));
  }

  /** The stakes that a game offers; null as long as they are not known (E18.4). */
  ladderOf(game: ProviderGame, currency: string): readonly bigint[] | null {
    return this.parts.configurations.ladderOf(this.#configured(game, currency));
  }

  /** The configuration of a game, kept for 60 s (E21.3). */
  fetchConfiguration(
    game: ProviderGame,
    currency: string,
    cause: Cause,
  ): Promise<ProviderAnswer<ProviderConfiguration>> {
    return this.parts.configurations.get(this.#configured(game, currency), cause);
  }

  /** Asks the provider for the configuration of the game, in the background (E21.3). */
  warmUp({ owner }: Grant, cause: Cause): void {
    this.parts.inBackground(this.parts.configurations.get(owner, cause));
  }

  #configured({ gameProviderId, gameCode }: ProviderGame, currency: string): Configured {
    const currencyMultiplier = this.parts.settingsBook.multiplierOf(currency);
    return { gameProviderId, gameCode, currency, currencyMultiplier };
  }

  /** What pays a debit: a package of ours, else a ticket of the operator; a discount (E17.3, E17.4). */
  #paidBy(owner: Owner, amount: bigint): Pick<Offer, 'freePlaySerial' | 'discount'> {
    const { freePlays, balances, clock, realClock, applyDiscounts } = this.parts;
    const own = freePlays.pick(owner, amount, clock.now());
    const balance = owner.mode === 'DEMO' ? null : balances.find(owner);
    if (balance === null) return { freePlaySerial: own, discount: null };
    const stake = { currency: owner.currency, amount };
    const isAssigned = (serial: string): boolean => freePlays.has(owner.operatorId, serial);
    return {
      freePlaySerial: own ?? ticketFor(balance, stake, isAssigned),
      discount: applyDiscounts ? discountFor(balance, stake, realClock.now()) : null,
    };
  }
}
