import { EventEmitter, once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import { expect, test } from '@jest/globals';

import { createOperationsHandler } from '../../../lib/operator/operations';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type {
  ExportAct,
  FullStore,
  NoteActResult,
  WalletStore,
} from '../../../lib/operator/wallet';
import { VirtualClock } from '../../support/virtual-clock';
import { maria, newYear, operatorId, putRound, queryOf } from './fixture';

/** Resolves once the process has sent all that the reader's side takes. */
async function stalled(response: ServerResponse, pages: () => number): Promise<void> {
  for (let before = -1; before !== pages() || !response.writableNeedDrain; ) {
    before = pages();
    for (let turn = 0; turn < 100; turn++) await setImmediate();
  }
}

test('an export of a reader who takes nothing for a minute is cut, so that others can take theirs', async () => {
  const clock = new VirtualClock(newYear);
  const store = createMemoryStore({ clock, history: true });
  await putRound(store, { gameRound: 'r'.repeat(128) }, 'stranded');
  const one = await store.history.rounds({ operatorId, playerId: 'ann' });
  if (one.kind !== 'known') throw new Error('the round is not listed');
  let pages = 0;
  const rows = Array.from({ length: 200 }, () => one.rounds).flat();
  const rounds: FullStore['history']['rounds'] = async () => {
    pages += 1;
    return { kind: 'known', rounds: rows, next: 'more' };
  };
  const history = Object.assign(Object.create(store.history) as FullStore['history'], { rounds });
  const { handle } = createOperationsHandler({
    store: Object.assign(Object.create(store) as WalletStore, { history }),
    operators: [operatorId],
    authorize: () => maria,
    clock,
  });
  const responses: ServerResponse[] = [];
  const server = createServer((request, response) => {
    responses.push(response);
    handle(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const of = { host: '127.0.0.1', port, path: `/rounds.csv?${queryOf({ player: 'ann' })}` };
    const asked = get(of);
    const [reply] = (await once(asked, 'response')) as [IncomingMessage];
    reply.on('error', () => {});
    const [first] = responses;
    if (first === undefined) throw new Error('it was not asked');
    await stalled(first, () => pages);
    const statusOf = async (): Promise<number | undefined> => {
      const again = get({ ...of, agent: false });
      const [answer] = (await once(again, 'response')) as [IncomingMessage];
      answer.on('error', () => {});
      again.destroy();
      return answer.statusCode;
    };
    await clock.pass(59_999);
    expect(await statusOf()).toBe(409);
    const closed = once(first, 'close');
    await clock.pass(1);
    await closed;
    expect(await statusOf()).toBe(200);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('an export of a reader who leaves has its second act all the same, with the rows until then', async () => {
  const clock = new VirtualClock(newYear);
  const store = createMemoryStore({ clock, history: true });
  for (let at = 0; at < 450; at++) {
    await putRound(store, { gameRound: `round-${at}` }, 'stranded', newYear + at);
    await clock.pass(1);
  }
  const happened = new EventEmitter();
  const [left, ended] = [once(happened, 'left'), once(happened, 'ended')];
  const note = async (act: ExportAct): Promise<NoteActResult> => {
    const noted = await store.acts.note(act);
    if (act.step === 'ended') happened.emit('ended', act);
    return noted;
  };
  let pages = 0;
  const rounds: FullStore['history']['rounds'] = async (...asked) => {
    pages += 1;
    if (pages === 2) await left;
    return store.history.rounds(...asked);
  };
  const history = Object.assign(Object.create(store.history) as FullStore['history'], { rounds });
  const acts = { list: store.acts.list.bind(store.acts), note };
  const { handle } = createOperationsHandler({
    store: Object.assign(Object.create(store) as WalletStore, { history, acts }),
    operators: [operatorId],
    authorize: () => maria,
    clock,
  });
  const server = createServer((request, response) => {
    response.on('close', () => happened.emit('left'));
    handle(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const path = `/rounds.csv?${queryOf({ player: 'ann' })}`;
    const asked = get({ host: '127.0.0.1', port, path }, (reply) => {
      reply.on('error', () => {});
      reply.once('data', () => asked.destroy());
    });
    asked.on('error', () => {});
    const [act] = (await ended) as [ExportAct];
    expect(act).toMatchObject({ file: 'rounds.csv', isWhole: false, rows: 200 });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
