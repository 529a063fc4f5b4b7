import type { IncomingMessage } from 'node:http';
import { type Clock, type Logger, systemClock } from '../../../platform';
import {
  checkMethods,
  checkOptionNames,
  checkPorts,
  type OptionNames,
} from '../../../platform/validation';
import { isIdentifier } from '../../../protocol/identifiers';
import { type Events, eventsTo } from '../../events';
import type { WalletStore } from '../../wallet';
import { isTimeZone } from '../../../platform/time/zone-days';
import { callRecorderOf, type CallWatch } from '../../minutes/call-watch';
import { checkFourEyes, type FourEyesOption } from '../repairs/input';
import type { Person } from './person';

/** Options of {@link createOperationsRouter} and {@link createOperationsHandler}. */
export interface OperationsOptions<R extends IncomingMessage = IncomingMessage> {
  /** The store of the wallet. The page says what it cannot do, such as players over a ledger. */
  readonly store: WalletStore;
  /** Ids of the operators to show here, with their rounds and players; no others are shown. */
  readonly operators: readonly string[];
  /**
   * Who asks, and what that person may do; null refuses. It is called for every page, every `.json` and every
   * form. Throwing refuses too, with 500. One person must always have one id: `fourEyes` treats ids that differ
   * only in letter case, Unicode form, invisible characters or spaces as one person, and all others as two
   * (D11.2). An id with spaces around it is refused.
   */
  readonly authorize: (request: R) => Person | null | Promise<Person | null>;
  /**
   * The origin in the browser's address bar, such as `https://ops.example`, if a proxy changes the Host
   * header: forms of any other origin are refused. Unless set, it is the Host's.
   */
  readonly publicOrigin?: string;
  /** Where people sign out, such as `/logout` or `https://sso.example/logout`: the page of a person leads there. No link unless set. */
  readonly signOut?: string;
  /**
   * When another person than the proposer must approve a repair: `always` unless set. `{ above: { EUR:
   * '50.00' } }` lets one person, who may do both, repair up to 50.00 EUR.
   */
  readonly fourEyes?: FourEyesOption;
  /** Where a paid credit goes: as the wallet's router has it; `real` unless set. */
  readonly creditTo?: 'real' | 'stakeShares';
  /** Hours after which a round without an end is shown as one that waits; 72 unless set. */
  readonly openHours?: number;
  /** The zone of times for who has chosen none, such as `Europe/Malta`; UTC unless set. */
  readonly timeZone?: string;
  /** The time zone in which days begin and end, those of Money, of filters and of files, such as `Europe/Malta`; `UTC` unless set. */
  readonly booksZone?: string;
  /**
   * What `rgs-wallet archive verify DIR --json` last printed of an operator's archive of events, parsed; null if there
   * is no archive. The page of a player's history then says which days are in the archive, and whether its checks hold. It is
   * called once a minute at most; what it throws makes the check one that cannot be read.
   */
  readonly archiveCheck?: (operatorId: string) => unknown;
  /** Made by `createCallWatch`: the start page then says which calls this process answered lately. */
  readonly calls?: CallWatch;
  /** A pino logger, or anything with its `info`, `warn` and `error`; silent unless set. */
  readonly logger?: Logger;
  readonly clock?: Clock;
}

/** The options, checked, complete and frozen. */
export interface OperationsSettings {
  readonly store: WalletStore;
  readonly operators: readonly string[];
  readonly authorize: (request: IncomingMessage) => unknown;
  readonly publicOrigin: string | null;
  readonly signOut: string | null;
  readonly fourEyes: FourEyesOption;
  readonly creditTo: 'real' | 'stakeShares';
  readonly openHours: number;
  readonly timeZone: string;
  readonly booksZone: string;
  readonly archiveCheck: ((operatorId: string) => unknown) | null;
  readonly calls: CallWatch | null;
  readonly events: Events;
  readonly clock: Clock;
}

/** The same as `rgs-wallet rounds attention --open-hours` takes: more than a hundred years. */
const maxOpenHours = 1_000_000;

const optionNames: OptionNames<OperationsOptions> = {
  store: true,
  operators: true,
  authorize: true,
  publicOrigin: true,
  signOut: true,
  fourEyes: true,
  creditTo: true,
  openHours: true,
  timeZone: true,
  booksZone: true,
  archiveCheck: true,
  calls: true,
  logger: true,
  clock: true,
};

/**
 * Checks the options and fills in defaults.
 * @throws TypeError that names the wrong option.
 */
export function readOptions<R extends IncomingMessage>(
  maker: string,
  options: OperationsOptions<R>,
): OperationsSettings {
  checkOptionNames(maker, options, optionNames);
  const { store, operators, authorize, publicOrigin, signOut, calls, logger, clock } = options;
  const { fourEyes = 'always', creditTo = 'real', openHours = 72 } = options;
  const { timeZone = 'UTC', booksZone = 'UTC', archiveCheck } = options;
  checkMethods(maker, 'store', store, ['ready']);
  checkMethods(maker, 'store.rounds', store.rounds, ['accounts', 'readRound']);
  checkMethods(maker, 'store.lists', store.lists, ['attention']);
  if (!Array.isArray(operators) || operators.length === 0 || !operators.every(isIdentifier)) {
    throw new TypeError(`${maker}: operators must be a list of operator ids`);
  }
  if (typeof authorize !== 'function') {
    throw new TypeError(
      `${maker}: authorize must be a function: without it anyone could read your players`,
    );
  }
  if (publicOrigin !== undefined && !isOrigin(publicOrigin)) {
    throw new TypeError(
      `${maker}: publicOrigin must be an origin without a path, such as https://ops.example`,
    );
  }
  if (signOut !== undefined && !isSignOut(signOut)) {
    throw new TypeError(
      `${maker}: signOut must be a path or an address, such as /logout or https://sso.example/logout`,
    );
  }
  checkFourEyes(fourEyes, store.decimals);
  if (creditTo !== 'real' && creditTo !== 'stakeShares') {
    throw new TypeError(`${maker}: creditTo must be real or stakeShares`);
  }
  if (!Number.isSafeInteger(openHours) || openHours < 1 || openHours > maxOpenHours) {
    throw new TypeError(`${maker}: openHours must be a whole number from 1 to ${maxOpenHours}`);
  }
  if (!isTimeZone(timeZone)) {
    throw new TypeError(
      `${maker}: timeZone must be UTC or the name of a zone, such as Europe/Malta`,
    );
  }
  if (!isTimeZone(booksZone)) {
    throw new TypeError(`${maker}: booksZone must be a time zone, such as Europe/Malta`);
  }
  if (archiveCheck !== undefined && typeof archiveCheck !== 'function') {
    throw new TypeError(`${maker}: archiveCheck must be a function`);
  }
  callRecorderOf(maker, calls);
  checkPorts(maker, { logger });
  if (clock !== undefined) checkMethods(maker, 'clock', clock, ['now', 'monotonicMs', 'after']);
  return Object.freeze({
    store,
    operators: Object.freeze([...new Set(operators)]),
    authorize: authorize as OperationsSettings['authorize'],
    publicOrigin: publicOrigin ?? null,
    signOut: signOut ?? null,
    fourEyes,
    creditTo,
    openHours,
    timeZone,
    booksZone,
    archiveCheck: archiveCheck ?? null,
    calls: calls ?? null,
    events: eventsTo(logger),
    clock: clock ?? systemClock,
  });
}

/** Whether a text can be where people sign out: a path of the same origin, or an address of http. */
export function isSignOut(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  return /^\/(?![/\\])/.test(text) || (/^https?:\/\//.test(text) && URL.canParse(text));
}

function isOrigin(text: unknown): boolean {
  if (typeof text !== 'string' || !/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  return new URL(text).origin === text;
}
