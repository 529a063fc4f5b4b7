import { EventEmitter, once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, test } from '@jest/globals';

import { createOperationsHandler } from '../../../lib/operator/operations';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type {
  ExportAct,
  FullStore,
  NoteExportResult,
  WalletStore,
} from '../../../lib/operator/wallet';
import { VirtualClock } from '../../support/virtual-clock';
import { maria, newYear, operatorId, putRound, queryOf } from './fixture';

test('an export of a reader who leaves has its second act all the same, with the rows until then', async () => {
  const clock = new VirtualClock(newYear);
  const store = createMemoryStore({ clock, history: true });
  for (let at = 0; at < 450; at++) {
    await putRound(store, { gameRound: `round-${at}` }, 'stranded', newYear + at);
    await clock.pass(1);
  }
  const happened = new EventEmitter();
  const [left, ended] = [once(happened, 'left'), once(happened, 'ended')];
  const noteExport = async (act: ExportAct): Promise<NoteExportResult> => {
    const noted = await store.acts.noteExport(act);
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
  const acts = { list: store.acts.list.bind(store.acts), noteExport };
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
