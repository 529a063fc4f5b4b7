import { createHmac } from 'node:crypto';

import { createMemoryJournal } from '../../../../lib/rgs/journal/memory';
import type { Journal } from '../../../../lib/rgs/journal/port';
import {
  gameProviderId,
  operatorId,
  playerId,
  rig as sandboxRig,
  studioSecret,
  walletSecret,
} from '../../sandbox/rig';

/** An answer of the engine handler. */
export interface Answered {
  readonly status: number;
  /** `errorCode.id`; null for a success. */
  readonly id: number | null;
  readonly hasErrorId: boolean;
  readonly text: string;
}

/** What a refused call must leave as it is. */
export interface Effects {
  /** Events in the journal. */
  readonly journalled: number;
  /** Calls to doTransactions. */
  readonly sent: number;
  /** The rounds and the free plays, as the state shows them. */
  readonly shown: string;
  /** What ann has at the wallet. */
  readonly balance: string | undefined;
}

/** The engine handler over the whole service, in memory: a journal, a wallet, a session and an open round. */
export async function badInputRig() {
  let journalled = 0;
  let sent = 0;
  const memory = createMemoryJournal();
  const journal: Journal = {
    append(events) {
      journalled += events.length;
      return memory.append(events);
    },
    replay: () => memory.replay(),
    compact: (snapshot) => memory.compact(snapshot),
    needsCompaction: () => memory.needsCompaction(),
    close: () => memory.close(),
  };
  const { clock, run, sandbox, send, game, connect } = await sandboxRig({
    journal,
    onCall: ({ call }) => {
      if (call === 'doTransactions') sent += 1;
    },
  });
  const token = await run(connect());
  let signed = 0;

  const answerTo = async (
    method: string,
    target: string,
    headers: readonly string[],
    body: string,
  ): Promise<Answered> => {
    const rawHeaders = ['Host', '127.0.0.1:8090', ...headers];
    const reply = await send({ method, target, rawHeaders, body: Buffer.from(body) });
    const text = reply.body.toString();
    const { errorCode } = JSON.parse(text) as { errorCode?: { id: number } };
    const hasErrorId = (reply.headers['x-h-error-id'] ?? '') !== '';
    return { status: reply.status, id: errorCode?.id ?? null, hasErrorId, text };
  };

  const freshTimestamp = (): string => {
    signed += 1;
    return new Date(clock.now() + signed).toISOString();
  };

  /** A call of the provider with this body, signed anew (E2.2); null for a query. */
  const call = (target: string, body: string | null): Promise<Answered> => {
    const timestamp = freshTimestamp();
    const claim = [gameProviderId, timestamp, `${body ?? ''}#${timestamp}`] as const;
    const headers = [
      ...(body === null ? [] : ['Content-Type', 'application/json']),
      ...authentication(studioSecret, ...claim),
      'X-Request-Id',
      `request-${signed}`,
    ];
    const method = body === null ? 'GET' : 'POST';
    return answerTo(method, `/gameapi/v2/${target}`, headers, body ?? '');
  };
  return {
    token,
    call: (target: string, body: string | null) => run(call(target, body)),
    /** Calls at one moment, all of the same name. */
    callAll: (name: string, bodies: readonly string[]): Promise<readonly Answered[]> =>
      run(Promise.all(bodies.map((body) => call(name, body)))),
    /** A call of the operator, signed anew over these parts (operator-api 5). */
    operate({ path, parts, body }: { path: string; parts: readonly string[]; body: string }) {
      const timestamp = freshTimestamp();
      const text = [walletSecret, operatorId, timestamp, ...parts].join('#');
      const headers = authentication(walletSecret, operatorId, timestamp, text);
      const all = ['Content-Type', 'application/json', ...headers];
      return run(answerTo('POST', `/operator/${path}`, all, body));
    },
    /** A call of the browser. */
    browse: (target: string) => run(answerTo('GET', `/gameapi/v2/${target}`, [], '')),
    /** Opens round-1: a stake of 100, 300 to collect, ten spins. */
    async openRound(): Promise<void> {
      const gameRound = 'round-1';
      await run(
        game.startGameRound({
          token,
          rngResult: {},
          debitInformation: { debitAmount: 100, currency: 'EUR' },
          endGame: false,
          externalGameProviderRoundId: gameRound,
        }),
      );
      await run(game.addWin({ token, gameRound, rngResult: { winAmount: 300, rngCallId: 'w' } }));
    },
    books: () => run(sandbox.books()),
    async effects(): Promise<Effects> {
      const { rounds, freePlays } = sandbox.state();
      const { players } = await run(sandbox.books());
      const balance = players.find((one) => one.playerId === playerId)?.wallet;
      return { journalled, sent, shown: JSON.stringify([rounds, freePlays]), balance };
    },
  };
}

/** The three headers, by nothing but node:crypto. */
function authentication(secret: string, id: string, timestamp: string, text: string): string[] {
  const signature = createHmac('sha256', secret).update(text).digest('base64');
  return ['X-H-AUTH-ID', id, 'X-H-TIMESTAMP', timestamp, 'X-H-AUTH-SIG', signature];
}
