import type { Clock } from '../../../platform';
import type { GameSettings } from '../../../protocol/engine-api';
import type { FreePlayRegistry } from '../../free-plays';
import { discountFor, ticketFor } from '../../offers';
import type { Offer, Owner } from '../../rounds';
import type { Grant } from '../../sessions';
import { maxExposureOf, offeredStakes, type SettingsBook } from '../../settings';
import type { Surroundings } from '../core/surroundings';
import type { ProviderGame, WalletLine } from '../../ports';
import type { LatestBalances } from './balances';
import type { Configurations, Configured } from './configurations';
import type { DemoWallet } from '../core/demo-wallet';

/** What the surroundings of the calls depend on. */
export interface SurroundingsParts {
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
export function createSurroundings(parts: SurroundingsParts): Surroundings {
  const { wallet, demo, balances, configurations, freePlays, clock, inBackground } = parts;
  const balanceOf: Surroundings['balanceOf'] = (owner) =>
    owner.mode === 'DEMO' ? demo.balanceOf(owner) : balances.find(owner);
  const fetchBalance: Surroundings['fetchBalance'] = async (
    { owner, externalSessionId },
    cause,
  ) => {
    if (owner.mode === 'DEMO') return { kind: 'known', balance: demo.balanceOf(owner) };
    const answer = await wallet.getBalance({ owner, externalSessionId, cause });
    if (answer.kind === 'known') balances.keep(owner, answer.balance, clock.now());
    return answer;
  };
  /** The settings never change, nor does a grant: they are worked out once. */
  const settings = new WeakMap<Grant, GameSettings>();
  const settingsOf: Surroundings['settingsOf'] = (grant) => {
    const known = settings.get(grant);
    if (known !== undefined) return known;
    const { owner, profile, options } = grant;
    const made = parts.settingsBook.settingsFor({ ...owner, profile, options });
    settings.set(grant, made);
    return made;
  };
  const configured = ({ gameProviderId, gameCode }: ProviderGame, currency: string): Configured => {
    const currencyMultiplier = parts.settingsBook.multiplierOf(currency);
    return { gameProviderId, gameCode, currency, currencyMultiplier };
  };
  /** What pays a debit: a package of ours, else a ticket of the operator; a discount (E17.3, E17.4). */
  const paidBy = (owner: Owner, amount: bigint): Pick<Offer, 'freePlaySerial' | 'discount'> => {
    const own = freePlays.pick(owner, amount, clock.now());
    const balance = owner.mode === 'DEMO' ? null : balances.find(owner);
    if (balance === null) return { freePlaySerial: own, discount: null };
    const stake = { currency: owner.currency, amount };
    const realNow = parts.realClock.now();
    const isAssigned = (serial: string): boolean => freePlays.has(owner.operatorId, serial);
    return {
      freePlaySerial: own ?? ticketFor(balance, stake, isAssigned),
      discount: parts.applyDiscounts ? discountFor(balance, stake, realNow) : null,
    };
  };
  return {
    balanceOf,
    freePlaysOf: (owner, serial) => freePlays.view(owner, serial, clock.now()),
    offerFor: (grant, stake) => ({
      stakes: offeredStakes(settingsOf(grant), configurations.ladderOf(grant.owner)),
      ...paidBy(grant.owner, stake),
    }),
    boundsOf: (grant) => ({
      isGambleEnabled: settingsOf(grant)['gambleEnabled'] !== false,
      maxExposure: maxExposureOf(settingsOf(grant)),
    }),
    settingsOf,
    fetchBalance,
    refreshBalance: (grant, cause) => inBackground(fetchBalance(grant, cause)),
    ladderOf: (game, currency) => configurations.ladderOf(configured(game, currency)),
    fetchConfiguration: (game, currency, cause) =>
      configurations.get(configured(game, currency), cause),
    warmUp: ({ owner }, cause) => inBackground(configurations.get(owner, cause)),
  };
}
