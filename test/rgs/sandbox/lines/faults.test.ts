import { describe, expect, test } from '@jest/globals';
import { createMemoryExchange } from '../../../../lib/platform/http/memory-server';
import type { FaultKind } from '../../../../lib/rgs/sandbox/view/state';
import { post, rig } from './rig';

const html = '200 <!doctype html><html><title>Welcome</title><h1>It works!</h1></html>\n';

describe('a fault on a call of the RGS to a wallet', () => {
  test.each<[FaultKind, number, string]>([
    ['loseRequest', 0, 'time-out'],
    ['loseReply', 1, 'time-out'],
    ['late', 1, '200 {"worked":1}'],
    ['twice', 2, '200 {"worked":1}'],
    ['503', 0, '503 Service Unavailable\n'],
    ['429', 0, '429 Too Many Requests\n'],
    ['html', 1, html],
    ['cut', 1, 'the connection was cut (fault)'],
  ])('%s: it arrives %i times, and the caller gets: %s', async (kind, times, answer) => {
    const { clock, plan, arrived, call } = rig();
    plan.set({ line: 'rgs-wallet', kind });
    expect(await clock.run(call('rgs-wallet', 'doTransactions', { a: 1 }))).toBe(answer);
    expect(arrived).toEqual(Array.from({ length: times }, () => '{"a":1}'));
    expect(await clock.run(call('rgs-wallet', 'doTransactions'))).toBe(
      `200 {"worked":${times + 1}}`,
    );
  });

  test('late: the reply is held back so long, and the request arrives at once', async () => {
    const { clock, plan, arrived, call } = rig();
    plan.set({ line: 'rgs-wallet', kind: 'late', delayMs: 3000 });
    const start = clock.now();
    expect(await clock.run(call('rgs-wallet', 'doTransactions'))).toBe('200 {"worked":1}');
    expect(clock.now() - start).toBe(3000);
    plan.set({ line: 'rgs-wallet', kind: 'late', delayMs: 6000 });
    expect(await clock.run(call('rgs-wallet', 'doTransactions'))).toBe('time-out');
    expect(arrived).toHaveLength(2);
  });

  test('reorder: a debit arrives after the void that its caller sent when it heard nothing', async () => {
    const { clock, plan, arrived, call } = rig();
    plan.set({ line: 'rgs-wallet', kind: 'reorder' });
    const round = { gameRound: 'r1' };
    expect(await clock.run(call('rgs-wallet', 'doTransactions', { ...round, is: 'debit' }))).toBe(
      'time-out',
    );
    expect(arrived).toEqual([]);
    expect(await clock.run(call('rgs-wallet', 'doTransactions', { ...round, is: 'void' }))).toMatch(
      '200',
    );
    await clock.pass(1);
    expect(arrived.map((text) => JSON.parse(text).is)).toEqual(['void', 'debit']);
  });

  test('reorder: without another call about the round it arrives after its delay', async () => {
    const { clock, plan, arrived, call } = rig();
    plan.set({ line: 'rgs-wallet', kind: 'reorder', delayMs: 400 });
    const [first, other] = [{ gameRound: 'r1' }, { gameRound: 'r2' }];
    const both = [
      call('rgs-wallet', 'doTransactions', first),
      call('rgs-wallet', 'doTransactions', other),
    ];
    expect(await clock.run(Promise.all(both))).toEqual(['200 {"worked":2}', '200 {"worked":1}']);
    expect(arrived.map((text) => JSON.parse(text).gameRound)).toEqual(['r2', 'r1']);
  });

  test('two calls that are both to go out of order do not wait for each other', async () => {
    const { clock, plan, arrived, call } = rig();
    plan.set({ line: 'rgs-wallet', kind: 'reorder', next: 2 });
    const round = { gameRound: 'r1' };
    await clock.run(
      Promise.all([1, 2].map((n) => call('rgs-wallet', 'doTransactions', { ...round, n }))),
    );
    expect(arrived.map((text) => JSON.parse(text).n)).toEqual([2, 1]);
  });

  test('a wallet that closes the connection is a cut without any fault, and is recorded as lost', async () => {
    const { clock, wire, call } = rig((request) => void request.socket.destroy());
    expect(await clock.run(call('rgs-wallet', 'doTransactions'))).not.toMatch(/^\d/);
    expect(wire.since(0).calls).toMatchObject([{ state: 'lost', fault: null, status: null }]);
  });
});

describe('a fault on a call to the RGS', () => {
  test.each<[FaultKind, number, RegExp]>([
    ['twice', 2, /^200 \{"worked":1\}$/],
    ['html', 1, /^200 <!doctype html>/],
    ['late', 1, /^200 \{"worked":1\}$/],
    ['cut', 1, /aborted|hang up|ECONNRESET/],
    ['503', 0, /^503 .*"id":9110/],
    ['429', 0, /^429 .*"id":9107/],
  ])('%s: it arrives %i times, and the caller gets: %s', async (kind, times, answer) => {
    const { clock, plan, arrived, inbound } = rig();
    plan.set({ line: 'provider-rgs', call: 'addWin', kind });
    const send = createMemoryExchange(inbound('provider-rgs').listener);
    const sent = send(post('addWin', { token: 't' })).then(
      ({ status, body }) => `${status} ${body.toString()}`,
      (error: Error) => error.message,
    );
    expect(await clock.run(sent)).toMatch(answer);
    expect(arrived).toHaveLength(times);
  });

  test('429 is RATELIMITEXCEEDED with Retry-After and x-h-error-id (E3)', async () => {
    const { clock, plan, inbound } = rig();
    plan.set({ line: 'provider-rgs', kind: '429' });
    const send = createMemoryExchange(inbound('provider-rgs').listener);
    const { headers } = await clock.run(send(post('addWin', {})));
    expect(headers).toMatchObject({ 'retry-after': '1', 'x-h-error-id': expect.any(String) });
  });

  test.each<FaultKind>(['loseRequest', 'loseReply'])(
    '%s: the caller waits until it gives up, or the sandbox is closed',
    async (kind) => {
      const { clock, plan, arrived, inbound } = rig();
      plan.set({ line: 'provider-rgs', kind, next: 2 });
      const line = inbound('provider-rgs');
      const send = createMemoryExchange(line.listener);
      const stop = new AbortController();
      clock.after(10_000, () => stop.abort(new Error('gave up')));
      await expect(clock.run(send(post('addWin', {}), stop.signal))).rejects.toThrow('gave up');
      const sent = send(post('addWin', {}));
      const isCut = expect(sent).rejects.toThrow();
      await clock.pass(100);
      line.cut();
      await isCut;
      expect(arrived).toHaveLength(kind === 'loseReply' ? 2 : 0);
    },
  );
});

describe('the record of the lines', () => {
  test('a call that another call made is recorded with its number as the cause', async () => {
    const { clock, lines, wire, call } = rig();
    const engine = lines.pass('provider-rgs', post('startGameRound', {}), async () => {
      await call('rgs-wallet', 'doTransactions', { gameRound: 'r1' });
      return { status: 200, headers: {}, body: Buffer.from('{"gameRoundInfo":{"hash":"r1"}}') };
    });
    await clock.run(engine);
    await clock.run(call('rgs-wallet', 'getBalance'));
    expect(
      wire.since(0).calls.map(({ n, call: name, round, cause }) => [n, name, round, cause]),
    ).toEqual([
      [1, 'startGameRound', 'r1', null],
      [2, 'doTransactions', 'r1', 1],
      [3, 'getBalance', null, null],
    ]);
    expect(wire.about('r1').map(({ n }) => n)).toEqual([1, 2]);
  });

  test('a call that is made later has the cause that its maker names, and is noted with it', async () => {
    const { clock, lines, wire, call } = rig();
    await clock.run(call('rgs-wallet', 'getBalance'));
    const making = { cause: 1, latest: null };
    const first = lines.making(making, () => {
      const held = lines.hold();
      return call('rgs-wallet', 'getBalance').then(() => held);
    });
    const held = await clock.run(first);
    expect(making.latest).toEqual({ n: 2, fault: null });
    expect(lines.cause()).toBeNull();
    await clock.run(call('rgs-wallet', 'getBalance'));
    await clock.run(held(() => call('rgs-wallet', 'getBalance')));
    expect(making.latest).toEqual({ n: 4, fault: null });
    expect(wire.since(0).calls.map(({ cause }) => cause)).toEqual([null, 1, null, 1]);
  });

  test('a fault is named on its call, with what the far side answered', async () => {
    const { clock, plan, wire, call } = rig();
    plan.set({ line: 'rgs-wallet', kind: 'cut' });
    plan.set({ line: 'rgs-wallet', kind: 'loseRequest' });
    await clock.run(call('rgs-wallet', 'doTransactions'));
    await clock.run(call('rgs-wallet', 'doTransactions'));
    expect(wire.since(0).calls).toMatchObject([
      { fault: 'cut', status: 200, state: 'done', replyBody: { text: '{"worked":1}' } },
      { fault: 'loseRequest', status: null, state: 'lost', replyBody: null },
    ]);
  });
});
