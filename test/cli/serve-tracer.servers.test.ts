import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, expect, test } from '@jest/globals';

import { blockOf } from '../docs/blocks';
import { userFolder } from '../docs/program';
import { Cleanup } from '../servers/cleanup';
import { debitCall, OPERATOR, runCli, startService, temporaryFile } from './cli';

const opened = new Cleanup();

afterEach(() => opened.run());

const players = JSON.stringify([
  { playerId: 'ann', currency: 'EUR', balances: { real: '100.00' } },
]);

/** In place of the exporter of docs/operations/monitoring.md: a line of JSON for each span. */
const fileExporter = `{
  export: async (spans, done) => {
    const { appendFileSync } = await import('node:fs');
    for (const span of spans) {
      const { name, attributes, parentSpanContext: parent } = span;
      const { traceId, spanId } = span.spanContext();
      const line = { name, attributes, traceId, spanId, parentId: parent?.spanId ?? null };
      appendFileSync(process.env.SPANS_FILE, JSON.stringify(line) + '\\n');
    }
    done({ code: 0 });
  },
  shutdown: async () => {},
}`;

interface SpanLine {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
}

/** The tracer file of docs/operations/monitoring.md, in a folder of a user's. */
async function tracerFile(): Promise<string> {
  const { code } = blockOf('docs/operations/monitoring.md', 'tracer-file');
  const exporter = 'new ConsoleSpanExporter()';
  expect(code).toContain(exporter);
  const file = join(await userFolder(), 'tracer.mjs');
  await writeFile(file, code.replace(exporter, fileExporter));
  return file;
}

test('serve --tracer traces a call below the span of the RGS, logs its ids, and sends what it holds before it ends', async () => {
  const spansFile = await temporaryFile('spans.jsonl', '');
  const file = await tracerFile();
  const service = await startService(
    ['--tracer', file, '--players', await temporaryFile('players.json', players)],
    { ...OPERATOR, SPANS_FILE: spansFile },
  );
  opened.after(service);
  const [traceId, rgs] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  const signed = debitCall('ann', 'round-1');
  const headers = { ...signed.headers, traceparent: `00-${traceId}-${rgs}-01` };
  expect((await service.call({ ...signed, headers })).status).toBe(200);
  const line = await service.line('call answered');
  expect(await service.stop()).toBe(0);
  const text = await readFile(spansFile, 'utf8');
  const spans = text
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one) as SpanLine);
  const [commit, call] = spans;
  expect(spans.map(({ name }) => name)).toEqual(['rgs.store.commit', 'rgs.doTransactions']);
  expect(call).toMatchObject({ traceId, parentId: rgs });
  expect(commit).toMatchObject({ traceId, parentId: call?.spanId });
  expect(line).toMatchObject({ trace_id: traceId, span_id: call?.spanId, outcome: 'processed' });
});

test.each([
  ['that is not there', null, 'no such file'],
  ['without a default export', 'export const tracer = {};', 'it has no default export'],
  ['whose default export is no tracer', 'export default {};', 'tracer must be a Tracer'],
  ['that makes none', 'export default () => null;', 'tracer must be a Tracer'],
  ['that throws', 'throw new Error("out of order");', 'out of order'],
])('a tracer file %s ends serve with 2 and one line', async (_, content, message) => {
  const file = content === null ? '/nowhere/tracer.mjs' : await temporaryFile('t.mjs', content);
  const args = ['serve', '--port', '0', '--tracer', file];
  const { code, stdout, stderr } = await runCli(args, { env: OPERATOR });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^error: --tracer [^\n]*\n$/);
  expect(stderr).toContain(message);
});
