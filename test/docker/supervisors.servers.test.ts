import { once } from 'node:events';
import { createConnection } from 'node:net';

import { describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';

import { createRequestSigner } from '../../lib/proof';
import { MAIN } from '../cli/cli';
import { blockOf } from '../docs/blocks';
import { type Running, startProgram } from '../docs/process';
import { freePort } from '../servers/ports';
import { textOf } from '../tidy/source';

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly timeoutSeconds?: number;
}

interface Deployment {
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly {
          readonly args: readonly string[];
          readonly env: readonly { readonly name: string; readonly value: string }[];
          readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
          readonly lifecycle: {
            readonly preStop: { readonly exec: { readonly command: string[] } };
          };
          readonly startupProbe: Probe;
          readonly readinessProbe: Probe;
          readonly livenessProbe: Probe;
        }[];
      };
    };
  };
}

const documents = parseAllDocuments(textOf('docker/kubernetes.yaml'), { strict: true });
const objects = documents.map(
  (one) => one.toJS() as { readonly kind: string; readonly spec: object },
);
const { template } = (objects[0] as unknown as Deployment).spec;
const [container] = template.spec.containers;
if (container === undefined) throw new Error('the Deployment has no container');
const secrets = {
  WALLET_STORE: 'memory:',
  OPERATOR_ID: 'my-casino',
  OPERATOR_SECRET: 'at-least-16-bytes-of-secret',
};

const signer = createRequestSigner({
  operatorId: secrets.OPERATOR_ID,
  secret: secrets.OPERATOR_SECRET,
});

/** The grace of `serve` for calls in flight, in seconds, unless it is set. */
const graceSeconds = 10;

describe('docker/kubernetes.yaml', () => {
  test('is YAML without faults, and each object selects the pods of the Deployment', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
    expect(objects.map(({ kind }) => kind)).toEqual([
      'Deployment',
      'Service',
      'PodDisruptionBudget',
    ]);
    const { labels } = template.metadata;
    const [deployment, service, budget] = objects.map(({ spec }) => spec);
    expect(deployment).toMatchObject({ selector: { matchLabels: labels } });
    expect(service).toMatchObject({ selector: labels, ports: [{ targetPort: 'http' }] });
    expect(budget).toMatchObject({ selector: { matchLabels: labels } });
  });

  test('gives a pod more time to end than its steps take together', () => {
    const [program, seconds] = container.lifecycle.preStop.exec.command;
    expect(program).toBe('sleep');
    const steps = Number(seconds) + graceSeconds;
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(steps + 10);
  });

  test('starts a service that its probes find well, and that finishes a call in flight after SIGTERM and exits with 0', async () => {
    const port = await freePort();
    const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
    expect([{ name: 'http', containerPort: Number(env['PORT']) }]).toEqual(container.ports);
    expect(env['HOST']).toBe('0.0.0.0');
    const running = startProgram(process.execPath, [MAIN, ...container.args], {
      env: { ...env, ...secrets, PORT: String(port) },
    });
    const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
    for (const { httpGet } of probes) {
      expect(httpGet.port).toBe('http');
      const reply = await running.answers(`http://127.0.0.1:${port}${httpGet.path}`);
      expect(reply.status).toBe(200);
    }
    expect(await answerAfterStop(port, running)).toMatch(
      /^HTTP\/1\.1 400 [^]*connection: close[^]*"id":1,/i,
    );
    expect(await running.exit).toBe(0);
  });
});

test('the unit of docs/operations/service.md starts a service on the port of its name, and leaves it time to end', async () => {
  const { code } = blockOf('docs/operations/service.md', 'unit');
  const settings = new Map(
    [...code.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  expect(Number(settings.get('TimeoutStopSec'))).toBeGreaterThan(graceSeconds);
  const port = String(await freePort());
  const [program = '', ...args] = (settings.get('ExecStart') ?? '').replace('%i', port).split(' ');
  expect(program).toMatch(/\/node_modules\/\.bin\/rgs-wallet$/);
  const [name = '', value = ''] = (settings.get('Environment') ?? '').split('=');
  const running = startProgram(process.execPath, [MAIN, ...args], {
    env: { ...secrets, [name]: value },
  });
  expect((await running.answers(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  await running.stop();
  expect(await running.exit).toBe(0);
});

/** Sends the head of a call, stops the service, sends the body; resolves to what was answered. */
async function answerAfterStop(port: number, running: Running): Promise<string> {
  const round = { playerId: 'ann', gameCode: 'bells', gameRound: 'r-1', transactionCount: 1 };
  const transactions = [{ type: 'debit', hash: 'r-1', amount: 10, currency: 'EUR' }];
  const { path, headers, body = '' } = signer.doTransactions({ ...round, transactions });
  const socket = createConnection(port, '127.0.0.1');
  const closed = once(socket, 'close');
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  const lines = Object.entries({
    host: 'wallet',
    ...headers,
    'content-length': Buffer.byteLength(body),
    expect: '100-continue',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  await once(socket, 'data'); // the service waits for the body
  const stopped = running.stop();
  await running.writes('stopping: finishing calls in flight');
  socket.write(body);
  await Promise.all([stopped, closed]);
  return text.replace('HTTP/1.1 100 Continue\r\n\r\n', '');
}
