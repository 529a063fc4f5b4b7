import { expect, test } from '@jest/globals';

import { createCallWatch, startMinutes } from '../../../lib/operator/operations';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { StoreUnavailableError } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../support/virtual-clock';
import { withParts } from '../../support/with-parts';
import { CheckRig } from '../wallet/debit-check-rig';
import { newYear, open, operatorId, putRound, wordsOf } from './fixture';
import packageJson from '../../../package.json';

const dayMs = 86_400_000;
const { version } = packageJson;
const at = (minute: number) => new Date(newYear + minute * 60_000).toISOString();
const silent = () => Promise.reject(new StoreUnavailableError('gone'));

test('the page System has the processes by their rows, and which of them still runs', async () => {
  const clock = new VirtualClock(newYear);
  const store = createMemoryStore({ clock });
  const [first, second] = [createCallWatch({ clock }), createCallWatch({ clock })];
  const running = [first, second].map((calls) => startMinutes({ store, calls, clock }));
  for (let minute = 0; minute < 10; minute++) {
    first.onOutcome({ status: 200 });
    if (minute === 4) await running[1]?.stop();
    await clock.pass(60_000);
  }
  await clock.pass(20_000);
  const browser = open(store, { clock, calls: first });
  const { processes } = (await browser.get('/system.json')).json() as { processes: unknown[] };
  const own = {
    process: first.recorder.process,
    isThis: true,
    calls: 10,
    isRunning: true,
    version,
  };
  const ended = {
    ...own,
    process: second.recorder.process,
    isThis: false,
    calls: 0,
    isRunning: false,
  };
  expect(processes).toHaveLength(2);
  expect(processes).toEqual(
    expect.arrayContaining([
      { ...own, firstAt: at(0), lastAt: at(9) },
      { ...ended, firstAt: at(0), lastAt: at(4) },
    ]),
  );
  const words = wordsOf((await browser.get('/system')).text);
  expect(words).toContain(`${first.recorder.process} this one ${version}`);
  expect(words).toContain('ended or silent');
  await running[0]?.stop();
});

test('the page System says how the store is set, which parts it has, and what waits for its consumers', async () => {
  const clock = new VirtualClock(newYear);
  const options = { clock, retentionMs: 45 * dayMs, events: ['archive'], decimals: 3 };
  const store = createMemoryStore(options);
  await putRound(store, { operatorId, gameRound: 'one' }, 'stranded');
  const browser = open(store, { clock, booksZone: 'Europe/Malta' });
  expect((await browser.get('/system.json')).json()).toMatchObject({
    store: 'ready',
    decimals: 3,
    retentionMs: 45 * dayMs,
    parts: { players: true, acts: true },
    processes: [],
    events: { consumers: [{ consumer: 'archive', waiting: 1 }] },
  });
  const words = wordsOf((await browser.get('/system')).text);
  expect(words).toContain('The store is ready');
  expect(words).toContain('45 days at least');
  expect(words).toContain('in Europe/Malta');
  const less = withParts(store, { minutes: undefined, acts: undefined, retentionMs: undefined });
  const page = await open(less, { clock }).get('/system');
  expect(wordsOf(page.text)).toContain('This store keeps no minutes of processes');
  expect(wordsOf(page.text)).toContain('The store does not say');
  expect((await open(less, { clock }).get('/system.json')).json()).toMatchObject({
    processes: 'missing',
    parts: { minutes: false, acts: false },
  });
});

test('the page System has what the process that answers knows of itself', async () => {
  const browser = open(createMemoryStore());
  const { process: figures } = (await browser.get('/system.json')).json() as {
    process: Record<string, number | string>;
  };
  const { node, uptimeSeconds, memoryBytes, heapBytes, busyShare } = figures;
  expect(node).toBe(process.version);
  expect(Number(uptimeSeconds)).toBeLessThanOrEqual(process.uptime());
  expect(Number(memoryBytes)).toBeGreaterThan(Number(heapBytes));
  expect(Number(heapBytes)).toBeGreaterThan(1_000_000);
  expect(Number(busyShare)).toBeGreaterThanOrEqual(0);
  expect(Number(busyShare)).toBeLessThanOrEqual(1);
  const words = wordsOf((await browser.get('/system')).text);
  expect(words).toMatch(
    /memory [\d,]+ MB, of it [\d,]+ MB for objects in use event loop busy \d+ %/,
  );
});

test('the page System answers 503 and shows what it can while the store does not answer', async () => {
  const store = withParts(createMemoryStore({ events: ['archive'] }), {
    ready: silent,
    minutes: { list: silent },
    events: { lag: silent },
  });
  const { status, text } = await open(store).get('/system');
  expect(status).toBe(503);
  const words = wordsOf(text);
  expect(words).toContain('The store is not ready');
  expect(words).toContain('it is not known which processes run');
  expect(words).toContain('it is not known how many events wait');
  expect(words).toContain('30 days at least');
});

test('the page System has the circuit breaker of the debit check, and what became of debits while it was open', async () => {
  const calls = createCallWatch();
  const rig = await CheckRig.create({ calls });
  const browser = open(createMemoryStore(), { calls, clock: rig.clock });
  const words = async () => wordsOf((await browser.get('/system')).text);
  await rig.stake();
  expect(await words()).toContain('debit check circuit breaker closed');
  rig.answer = () => null;
  for (let call = 0; call < 8; call++) await rig.stake();
  expect((await browser.get('/system.json')).json()).toMatchObject({
    debitChecks: [{ state: 'open', unasked: 3, silence: 'refuse' }],
  });
  expect(await words()).toMatch(
    /circuit breaker open since 24 Nov 2026, 12:00:\d\d ?: 3 calls not asked for, their debits were declined/,
  );
  await rig.clock.pass(1000);
  expect(await words()).toContain('circuit breaker half open since');
  expect(wordsOf((await open(createMemoryStore()).get('/system')).text)).not.toContain(
    'debit check',
  );
});

test('the page System has the settings of the server with the reason of each, and says what is wrong, assumed or not there', async () => {
  const one = { name: 'appendfsync', needs: 'always', otherwise: 'a crash loses money' };
  const settings = [
    { ...one, value: 'always', isMet: true },
    { ...one, name: 'appendonly', value: 'no', needs: 'yes', isMet: false },
    { ...one, name: 'maxmemory-policy', value: null, isMet: null },
  ];
  const server = { time: async () => null, lostCommits: 0, settings };
  const browser = open(withParts(createMemoryStore(), { server }));
  expect((await browser.get('/system.json')).json()).toMatchObject({ settings });
  const words = wordsOf((await browser.get('/system')).text);
  expect(words).toContain('The store is ready, but its server could lose money');
  expect(words).toContain('appendfsync always always a crash loses money right');
  expect(words).toContain('appendonly no yes a crash loses money wrong');
  expect(words).toContain('maxmemory-policy not readable always a crash loses money not checked');
  const [first, , last] = settings;
  const assumed = { ...server, settings: [first, last] as typeof settings };
  const managed = await open(withParts(createMemoryStore(), { server: assumed })).get('/system');
  expect(wordsOf(managed.text)).toContain('that it keeps what is acknowledged was assumed');
  const none = await open(createMemoryStore()).get('/system');
  expect(wordsOf(none.text)).toContain('This store does not know settings of a server.');
});

test('what waits for the consumers is read once in five seconds, however many look; a failure is not kept', async () => {
  const clock = new VirtualClock(newYear);
  const store = createMemoryStore({ clock, events: ['archive'] });
  let reads = 0;
  const lag = async (operator: string) => {
    reads += 1;
    if (reads === 1) throw new StoreUnavailableError('gone');
    return store.events.lag(operator);
  };
  const browser = open(withParts(store, { events: { lag } }), { clock });
  const eventsIn = async (page: string) =>
    ((await browser.get(page)).json() as { events: unknown }).events;
  expect(await eventsIn('/system.json')).toBe('unavailable');
  const consumers = [{ consumer: 'archive', waiting: 0, oldest: null }];
  expect(await eventsIn('/system.json')).toMatchObject({ consumers });
  await putRound(store, { operatorId, gameRound: 'one' }, 'stranded');
  await clock.pass(4999);
  expect(await eventsIn('/attention.json')).toMatchObject({ consumers });
  expect(reads).toBe(2);
  await clock.pass(1);
  const later = { asOf: at(0).replace('00:00.000', '00:05.000'), consumers: [{ waiting: 1 }] };
  expect(await eventsIn('/system.json')).toMatchObject(later);
});
