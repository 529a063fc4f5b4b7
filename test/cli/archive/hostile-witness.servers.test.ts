import { afterEach, expect, test } from '@jest/globals';
import { join } from 'node:path';

import { checkpointOf, newSigner, type Signer } from '../../operator/archive/forgeries/notes';
import { consistencyOf, leafHash, rootOf } from '../../operator/archive/forgeries/tree';
import { Cleanup } from '../../servers/cleanup';
import { temporaryFolder } from '../../servers/reaper';
import { until } from '../../servers/until';
import { MAIN, runCli, start } from '../cli';

const cleanup = new Cleanup();

afterEach(() => cleanup.run());

const origin = 'casino.example/my-casino';
const leaves = Array.from({ length: 40 }, (_, at) => leafHash(Buffer.from(`event ${at}`)));
const others = leaves.map((leaf, at) => (at === 3 ? leafHash(Buffer.from('forged')) : leaf));

interface Witness {
  readonly url: string;
  readonly kill: () => Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function witnessOf(key: string, state: string, log: Signer): Promise<Witness> {
  const args = ['--listen', '127.0.0.1:0', '--key', key, '--state', state, '--log', log.vkey];
  const child = start(['archive', 'witness', ...args], {}, MAIN);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => (said += bytes.toString('utf8')));
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  cleanup.after(child, kill);
  const found = () => /127\.0\.0\.1:(\d+)|"port":(\d+)/.exec(said);
  const hasBegun = () => found() !== null || child.exitCode !== null;
  await until('the witness to listen', hasBegun, { timeoutMs: 60_000 });
  if (found() === null) throw new Error(said);
  const port = found()?.[1] ?? found()?.[2];
  return { url: `http://127.0.0.1:${port}`, kill };
}

async function ask({ url }: Witness, body: string | Buffer): Promise<Answer> {
  const response = await fetch(`${url}/add-checkpoint`, { method: 'POST', body });
  return { status: response.status, text: await response.text() };
}

function growth(log: Signer, old: number, size: number, tree = leaves, former = tree): string {
  const grown = tree.slice(0, size);
  const proof = old <= size ? consistencyOf(former.slice(0, size), old) : [];
  const lines = proof.map((hash) => `${hash.toString('base64')}\n`).join('');
  return `old ${old}\n${lines}\n${checkpointOf(origin, size, rootOf(grown), [log])}`;
}

async function scene() {
  const below = await temporaryFolder('witness');
  const [key, state] = [join(below, 'key'), join(below, 'state')];
  const made = await runCli([
    'archive',
    'key',
    'new',
    '--out',
    key,
    '--origin',
    'witness.example/w',
  ]);
  expect(made).toMatchObject({ code: 0 });
  const log = newSigner(origin);
  return { log, begin: () => witnessOf(key, state, log) };
}

test('a witness signs a log that grows, and nothing else', async () => {
  const { log, begin } = await scene();
  const witness = await begin();
  const first = await ask(witness, growth(log, 0, 7));
  expect(first).toMatchObject({
    status: 200,
    text: expect.stringMatching(/^— witness\.example\/w \S+\n$/),
  });
  expect(await ask(witness, growth(log, 7, 20))).toMatchObject({ status: 200 });
  const stranger = newSigner(origin);
  const note = checkpointOf(origin, 30, rootOf(leaves.slice(0, 30)), [log]);
  const refused: readonly (readonly [string, string | Buffer, readonly number[]])[] = [
    ['goes back', growth(log, 7, 10), [409]],
    ['goes back, honest about the size', growth(log, 20, 10), [400, 409, 422]],
    ['wrong old size', growth(log, 8, 30), [409]],
    ['old size ahead', growth(log, 25, 30), [409]],
    ['old size zero', growth(log, 0, 30), [409]],
    ['other root at the size', growth(log, 20, 20, others), [409, 422]],
    ['rewritten', growth(log, 20, 30, others), [422]],
    ['rewritten, with the proof of the former', growth(log, 20, 30, others, leaves), [422]],
    ['no proof', `old 20\n\n${note}`, [422]],
    ['proof too long', growth(log, 20, 30).replace('\n\n', `\n${'A'.repeat(43)}=\n\n`), [422]],
    ['another key', growth(stranger, 20, 30), [403]],
    [
      'another origin',
      growth({ ...newSigner('other.example/o') }, 20, 30).replaceAll(origin, 'other.example/o'),
      [404, 403],
    ],
    ['a size of its own spelling', growth(log, 20, 30).replace('old 20', 'old 020'), [400]],
    ['a negative size', growth(log, 20, 30).replace('old 20', 'old -20'), [400]],
    ['a huge size', growth(log, 20, 30).replace('old 20', `old ${'9'.repeat(40)}`), [400, 409]],
    ['garbage', 'garbage', [400]],
    ['nothing', '', [400]],
    ['bytes', Buffer.from([0xff, 0, 10, 10, 0xfe]), [400]],
    ['64 proof lines', `old 20\n${`${'A'.repeat(43)}=\n`.repeat(64)}\n${note}`, [400, 422]],
    ['a huge body', 'a'.repeat(3_000_000), [400, 413]],
  ];
  for (const [name, body, expected] of refused) {
    const { status } = await ask(witness, body);
    expect([name, expected.includes(status) ? 'refused' : status]).toEqual([name, 'refused']);
  }
  expect(await ask(witness, growth(log, 20, 30))).toMatchObject({ status: 200 });
});

test('of checkpoints that contradict each other and come at once, a witness signs one', async () => {
  const { log, begin } = await scene();
  const witness = await begin();
  expect(await ask(witness, growth(log, 0, 2))).toMatchObject({ status: 200 });
  const bodies = Array.from({ length: 24 }, (_, at) =>
    growth(log, 2, 10 + (at % 3), at % 2 === 0 ? leaves : others),
  );
  const answers = await Promise.all(bodies.map((body) => ask(witness, body)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a witness that is killed while it answers never goes back behind what it signed', async () => {
  const { log, begin } = await scene();
  let signed = 0;
  for (let kill = 0; kill < 4; kill++) {
    const witness = await begin();
    const size = 5 + kill * 5;
    const asked = ask(witness, growth(log, signed, size)).catch(() => ({ status: 0, text: '' }));
    if (kill % 2 === 0) await asked;
    await witness.kill();
    const { status } = await asked;
    const again = await begin();
    const contradiction = await ask(again, growth(log, signed, size, others, others));
    if (status === 200) expect(contradiction.status).not.toBe(200);
    const state = await ask(again, growth(log, 39, 40));
    expect(state.status).toBe(409);
    signed = Number(state.text);
    if (status === 200) expect(signed).toBe(size);
    await again.kill();
    if (contradiction.status === 200) break;
  }
});

test('two witnesses of one state never sign two logs', async () => {
  const { log, begin } = await scene();
  const [one, other] = [await begin(), await begin().catch(() => undefined)];
  expect(await ask(one, growth(log, 0, 10))).toMatchObject({ status: 200 });
  if (other !== undefined)
    expect((await ask(other, growth(log, 0, 12, others))).status).not.toBe(200);
});
