import {
  Background,
  mount,
  type Mounted,
  type RequestListener,
  routeOf,
} from '../../platform/http';
import { Callers } from '../../protocol/authentication/callers';
import { ClockWatch } from './clock-watch';
import { type OperatorOptions, type OperatorSettings, readOptions } from './options';
import { DoTransactionsEndpoint } from './do-transactions';
import { type EndpointParts, invalid, refusals } from './endpoint';
import { GetBalanceEndpoint } from './get-balance';
import { outcomeHook } from './outcome-hook';
import { Overload } from './overload';
import { RoundShedding } from './shed-rounds';

/** The operator's side of the protocol, without a framework. A call that still arrives after `close` is answered, and closes its connection. */
export interface OperatorHandler extends Mounted {
  /** POST /doTransactions. */
  readonly doTransactions: RequestListener;
  /** GET /getBalance. */
  readonly getBalance: RequestListener;
  /**
   * For your own readiness probe: resolves if the store is ready and the clock of this process is no more than half of
   * `clockToleranceMs` from the store's, which is compared every 30 s.
   * @throws what `store.ready()` throws; an error with the code CLOCKDIFFERS.
   */
  readonly ready: () => Promise<void>;
}

/**
 * The handler of an operator's wallet over Node's request and response; Express adds only routing.
 * @throws TypeError for wrong options, at creation.
 */
export function createOperatorHandler(options: OperatorOptions): OperatorHandler {
  const background = new Background();
  const settings = withOutcomeHook(readOptions(options), background);
  warnOfShortMemory(settings);
  const { store } = options;
  const operatorIds = [...settings.secrets.byId.keys()];
  const overload = new Overload(settings.maxInFlight, operatorIds);
  const callers = new Callers(settings, refusals);
  const shedding = sheddingOf(settings, callers);
  const parts: EndpointParts = { settings, callers, overload, shedding, background };
  const inFlight = () => overload.inFlight;
  const unwatch = settings.recorder?.watchWallet({ store, operatorIds, inFlight });
  const route = (method: 'GET' | 'POST', endpoint: DoTransactionsEndpoint | GetBalanceEndpoint) => {
    const path = `/${endpoint.operation}`;
    const methodError = invalid(`The method must be ${method}.`, 405);
    return routeOf(endpoint, { path, method }, background, methodError, (error) =>
      settings.events.emit({ kind: 'endpointFailed', error }),
    );
  };
  const balances = new GetBalanceEndpoint(parts);
  const doTransactions = route('POST', new DoTransactionsEndpoint(parts));
  const getBalance = route('GET', balances);
  const noPath = invalid('There is nothing at this path.', 404);
  const { handle, find, close } = mount(
    [doTransactions, getBalance],
    (request, response) => balances.handle(request, response, noPath),
    background,
  );
  const clockWatch = new ClockWatch({ ...settings, server: store.server });
  clockWatch.start();
  return Object.freeze({
    doTransactions: doTransactions.listener,
    getBalance: getBalance.listener,
    handle,
    find,
    ready: async () => {
      await store.ready();
      await clockWatch.check();
    },
    close: async () => {
      clockWatch.close();
      await close();
      unwatch?.();
    },
  });
}

function sheddingOf(settings: OperatorSettings, { replays }: Callers): RoundShedding | null {
  const { clock, shed } = settings;
  if (clock.loop === undefined || shed === null) return null;
  return new RoundShedding(settings, shed, clock.loop, replays);
}

/** The settings with the user's hook among the listeners. */
function withOutcomeHook(settings: OperatorSettings, background: Background): OperatorSettings {
  const { events, hooks } = settings;
  if (hooks.onOutcome === undefined) return settings;
  const hook = outcomeHook(hooks.onOutcome, settings, background, events);
  return Object.freeze({ ...settings, events: events.with(hook) });
}

/**
 * Below this many calls a second, a process that forgets signatures is worth a warning; default options
 * allow 166.
 */
const fewCallsPerSecond = 50;

/**
 * Warns at start if signatures are forgotten while still valid at a low rate of calls: a signature is
 * accepted from one tolerance before its timestamp to one after it, and each process remembers only so
 * many (D1.8).
 */
function warnOfShortMemory({
  clockToleranceMs,
  rememberedSignatures,
  events,
}: OperatorSettings): void {
  const callsPerSecond = Math.floor(rememberedSignatures / ((2 * clockToleranceMs) / 1000));
  if (callsPerSecond >= fewCallsPerSecond) return;
  events.emit({
    kind: 'signaturesForgotten',
    clockToleranceMs,
    rememberedSignatures,
    callsPerSecond,
  });
}
