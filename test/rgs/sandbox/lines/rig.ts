import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSeededRandom } from '../../../../lib/platform';
import {
  createMemoryExchange,
  type PlainRequest,
} from '../../../../lib/platform/http/memory-server';
import { virtualClock } from '../../../../lib/platform/virtual-clock';
import { Secret } from '../../../../lib/protocol/signature';
import { FaultPlan } from '../../../../lib/rgs/sandbox/lines/faults';
import { createInbound } from '../../../../lib/rgs/sandbox/lines/inbound';
import { Lines } from '../../../../lib/rgs/sandbox/lines/pass';
import { createOutbound } from '../../../../lib/rgs/sandbox/lines/outbound';
import type { LineName } from '../../../../lib/rgs/sandbox/view/state';
import { Wire } from '../../../../lib/rgs/sandbox/wire/record';

export const startedAt = Date.UTC(2026, 2, 1, 12);
export const secretText = 'a-secret-of-32-characters-000000';

/** Lines over a clock without sleep; the far side writes down what arrives and answers 200. */
export function rig(handle?: (request: IncomingMessage, response: ServerResponse) => void) {
  const clock = virtualClock({ startedAt });
  const random = createSeededRandom(1);
  const plan = new FaultPlan(random);
  const wire = new Wire({ clock, keep: 100, secrets: [new Secret(secretText)] });
  const lines = new Lines({ plan, wire, clock, random });
  const arrived: string[] = [];
  const far = createMemoryExchange((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      arrived.push(Buffer.concat(chunks).toString());
      if (handle !== undefined) return handle(request, response);
      response.setHeader('content-type', 'application/json');
      response.end(`{"worked":${arrived.length}}`);
    });
  });
  /** What a caller of the RGS's own gets, within a time limit. */
  const call = async (line: LineName, name: string, body: object = {}, limitMs = 5000) => {
    const stop = new AbortController();
    const cancel = clock.after(limitMs, () => stop.abort(new Error('time-out')));
    const send = createOutbound(line, lines.pass, {
      send: (_url, one, signal) => far(one, signal),
      clock,
    });
    try {
      const reply = await send(`http://far.test/${name}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'manual',
        signal: stop.signal,
      });
      let text = Buffer.from(reply.whole ?? []).toString();
      for await (const chunk of reply.body ?? []) text += Buffer.from(chunk).toString();
      return `${reply.status} ${text}`;
    } catch (error) {
      return (error as Error).message;
    } finally {
      cancel();
    }
  };
  /** The same of a caller from outside, on its own connection. */
  const inbound = (line: LineName) =>
    createInbound({
      line,
      pass: lines.pass,
      clock,
      random,
      listener: (request, response) => {
        let text = '';
        request.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        request.on('end', () => {
          arrived.push(text);
          response.setHeader('content-type', 'application/json');
          response.end(`{"worked":${arrived.length}}`);
        });
      },
    });
  return { clock, plan, wire, lines, arrived, call, inbound };
}

/** A POST with a JSON body, as it stands on a connection. */
export function post(name: string, body: object): PlainRequest {
  return {
    method: 'POST',
    target: `/${name}`,
    rawHeaders: ['Host', 'rgs.test', 'Content-Type', 'application/json'],
    body: Buffer.from(JSON.stringify(body)),
  };
}
