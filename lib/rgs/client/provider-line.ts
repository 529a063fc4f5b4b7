import { writeQuery } from '../../protocol/client/outgoing';
import type { JsonDocument } from '../../protocol/json/parse';
import { writeJson } from '../../protocol/json/write';
import { writtenDocument } from '../../protocol/json/documents';
import { type EngineSignedCall, readEngineParts } from '../../protocol/signature';
import type { ProviderAnswer, ProviderLine } from '../ports';
import { type Attempt, type Attempted, attemptsById } from './attempt';
import { type FindingListener, type LineFindingId, reportFinding } from './finding';
import { type AttemptSettings, attemptSettings, type LineOptions, type Party } from './settings';
import { readConfiguration, readFiles, readResult } from './read-configuration';

/** Options of {@link createProviderLine}. */
export interface ProviderLineOptions extends LineOptions {
  /** The routers of the game providers, each with the id of its provider (E2.8); the paths of the calls are appended. */
  readonly routers: readonly Party[];
}

/** Time limit of one attempt, in milliseconds (E23.1). */
const timeoutMs = 5000;

/** A read is repeated twice after 5xx or silence (E23.1). */
const readAttempts = 3;

/** A call to a provider, before it is signed. */
interface Call {
  readonly operation: EngineSignedCall;
  readonly gameProviderId: string;
  readonly message: Readonly<Record<string, string>>;
  readonly gameRound: string | null;
  /** The request to the line; null for a call about a provider as a whole. */
  readonly about: object | null;
}

/** Each call to a provider: its method and path (C3), and how often it is attempted. */
const operations = {
  getGameConfiguration: ['GET', '/getGameConfiguration', readAttempts],
  getGameResult: ['POST', '/getGameResult', readAttempts],
  doAutoClose: ['POST', '/doAutoClose', 1],
  health: ['GET', '/health', readAttempts],
  certifiedfiles: ['GET', '/certifiedfiles', readAttempts],
} as const satisfies Record<EngineSignedCall, readonly ['GET' | 'POST', string, number]>;

class RouterCalls {
  constructor(
    private readonly routers: ReadonlyMap<string, Attempt>,
    private readonly hold: AttemptSettings['hold'],
    private readonly onFinding: FindingListener | null,
  ) {}

  /** The answer, read; what cannot be read says nothing (E23.1). */
  async read<T>(
    call: Call,
    unread: LineFindingId | null,
    reader: (document: JsonDocument | null, text: string) => T | undefined,
  ): Promise<ProviderAnswer<T>> {
    const attempted = await this.#send(call);
    if (attempted.kind !== 'reply') return { kind: 'silent' };
    const { status, document, text } = attempted;
    if (status === 401) this.#report('routerRefusesSignature', call);
    if (status >= 400 && status < 500) return { kind: 'refused', status };
    if (status < 200 || status >= 300) return { kind: 'silent' };
    const value = reader(document, text);
    if (value !== undefined) return { kind: 'answered', value };
    if (unread !== null) this.#report(unread, call);
    return { kind: 'silent' };
  }

  async #send(call: Call): Promise<Attempted> {
    const { operation, gameProviderId } = call;
    const [method, path, attempts] = operations[operation];
    const attempt = this.routers.get(gameProviderId);
    const body = writeJson(call.message);
    const { parts } = readEngineParts(operation, writtenDocument(call.message));
    if (attempt === undefined || parts === null) {
      this.#report('cannotBeSent', call);
      return { kind: 'cut' };
    }
    const target = path + writeQuery(Object.entries(call.message));
    const request =
      method === 'GET'
        ? ({ operation, method, target, body: null, parts } as const)
        : { operation, method, target: path, body, parts };
    return attemptUpTo(attempts, attempt, request, this.hold());
  }

  #report(id: LineFindingId, { operation, gameRound, about }: Call): void {
    reportFinding(this.onFinding, id, { call: operation, round: gameRound, about });
  }
}

/**
 * The line to the game providers over HTTP (E23, C3), signed by E2.8. None of its methods rejects: a
 * provider that is not configured is silent.
 */
export function createProviderLine(options: ProviderLineOptions): ProviderLine {
  const settings = attemptSettings(options, 'provider ID', timeoutMs);
  const routers = attemptsById(options.routers, settings);
  return lineOver(new RouterCalls(routers, settings.hold, options.onFinding ?? null));
}

function lineOver(calls: RouterCalls): ProviderLine {
  return Object.freeze<ProviderLine>({
    getGameConfiguration(game) {
      const { gameProviderId, gameCode, currency, currencyMultiplier } = game;
      const asked = { currency, currencyMultiplier, gameCode };
      const call = { ...named('getGameConfiguration', gameProviderId, game), message: asked };
      return calls.read(call, 'configurationInvalid', (document, text) =>
        document === null ? undefined : (readConfiguration(document, text, asked) ?? undefined),
      );
    },
    doAutoClose(round) {
      const { gameProviderId, gameCode, gameRound } = round;
      // No token: the provider asks getTokenForGameRound for one (E23.2).
      const message = { gameRound, gameCode };
      const call = { ...named('doAutoClose', gameProviderId, round), message, gameRound };
      // The content of a 2xx is no proof: the RGS looks at its own round (E16.1).
      return calls.read(call, null, () => null);
    },
    getGameResult(round) {
      const { gameProviderId, gameCode, gameRound, language } = round;
      const message = { gameRound, gameCode, language };
      const call = { ...named('getGameResult', gameProviderId, round), message, gameRound };
      return calls.read(call, 'resultInvalid', (document) =>
        document === null ? undefined : (readResult(document, gameRound) ?? undefined),
      );
    },
    health(gameProviderId) {
      return calls.read(named('health', gameProviderId), null, () => null);
    },
    certifiedFiles(gameProviderId) {
      return calls.read(named('certifiedfiles', gameProviderId), 'filesInvalid', (document) =>
        document === null ? undefined : (readFiles(document) ?? undefined),
      );
    },
  });
}

function named(
  operation: EngineSignedCall,
  gameProviderId: string,
  about: object | null = null,
): Call {
  return { operation, gameProviderId, message: {}, gameRound: null, about };
}

/** Repeats at once after 5xx or silence. */
async function attemptUpTo(
  attempts: number,
  attempt: Attempt,
  request: Parameters<Attempt>[0],
  held: <T>(work: () => T) => T,
): Promise<Attempted> {
  for (let left = attempts; ; left--) {
    const attempted = await held(() => attempt(request));
    const isDefinite = attempted.kind === 'reply' && attempted.status < 500;
    if (isDefinite || left === 1) return attempted;
  }
}
