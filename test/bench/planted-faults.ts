import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Call, sign, signedPart } from '../../bench/attacks/inputs/call';
import { operatorId, providerSecret, secret } from '../../bench/attacks/inputs/terms';
import type { Front } from '../../bench/attacks/parties';

/** A fault in front of the handlers, and what the judge must say of it. */
interface PlantedFault {
  readonly front: Front;
  readonly says: RegExp;
}

interface Whole extends IncomingMessage {
  rawBody?: Buffer;
}

/** In front of the wallet: what it does with a request before the wallet has it. */
function before(change: (request: Whole) => void): Front {
  return (listener, api) => (request, response) => {
    if (api === 'wallet') change(request);
    listener(request, response);
  };
}

/** In front of the wallet: answers every so manieth request itself. */
function instead(answer: (response: ServerResponse) => void): Front {
  let requests = 0;
  return (listener, api) => (request, response) => {
    if (api === 'wallet' && ++requests % 50 === 0) answer(response);
    else listener(request, response);
  };
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

const refusal = (msg: string, id = 1001): string =>
  JSON.stringify({ errorCode: { id, msg, clientmsg: '' } });

interface WireItem {
  readonly hash: string;
  readonly amount?: number;
}

/** Signs whatever comes, as if no signature were looked at. */
function signAnew(request: Whole): void {
  const { headers, rawBody } = request;
  const timestamp = headers['x-h-timestamp'];
  if (rawBody === undefined || typeof timestamp !== 'string') return;
  try {
    const wire = JSON.parse(rawBody.toString()) as Call & { transactions: readonly WireItem[] };
    const items = wire.transactions.map(({ hash, amount }) => {
      const text = amount === undefined ? null : String(amount);
      return { type: '', hash, amount: text, more: '' };
    });
    const part = signedPart({ ...wire, items });
    headers['x-h-auth-id'] = operatorId;
    headers['x-h-auth-sig'] = sign({ authId: operatorId, secret }, timestamp, part);
  } catch {
    // No call.
  }
}

/** By name. */
export const plantedFaults: Readonly<Record<string, PlantedFault>> = {
  'the wallet looks at no signature': { front: before(signAnew), says: /not 401/ },
  'the RGS looks at no signature of a body': {
    front: (listener, api) => (request: Whole, response) => {
      const { headers, rawBody } = request;
      if (api === 'engine' && rawBody !== undefined) {
        headers['x-h-auth-sig'] = createHmac('sha256', providerSecret)
          .update(rawBody)
          .update(`#${String(headers['x-h-timestamp'])}`)
          .digest('base64');
      }
      listener(request, response);
    },
    says: /1 calls got through, not 0/,
  },
  'an amount is ten times as much': {
    front: before((request) => {
      const text = request.rawBody?.toString() ?? '';
      const more = text.replace(/"amount":(\d+)([,.}])/, '"amount":$10$2');
      if (more === text) return;
      request.rawBody = Buffer.from(more);
      signAnew(request);
    }),
    says: /balance of player-\d is/,
  },
  'a handler throws': {
    front: instead(() => {
      throw new Error('planted');
    }),
    says: /thrown: .*planted/,
  },
  'no answer': { front: instead(() => {}), says: /no answer/ },
  'two answers': {
    front: instead((response) => {
      send(response, 401, refusal('once'));
      response.end('twice');
    }),
    says: /two answers/,
  },
  'an answer of 500': {
    front: instead((response) => send(response, 500, refusal('broken', 9000))),
    says: /answered 500/,
  },
  'an answer that is not JSON': {
    front: instead((response) => send(response, 401, '<html>')),
    says: /not JSON/,
  },
  'an answer with a stack': {
    front: instead((response) => send(response, 401, '{"stack":"at x.ts"}')),
    says: /a member stack/,
  },
  'an answer with the secret': {
    front: instead((response) => send(response, 401, refusal(`expected ${secret}`))),
    says: /a secret in the answer/,
  },
  'a line of the log with the secret': {
    front: (listener, _, logger) => (request, response) => {
      logger.info({ expected: secret }, 'planted');
      listener(request, response);
    },
    says: /a secret in the log/,
  },
  'a line of the log at error': {
    front: (listener, _, logger) => (request, response) => {
      logger.error({}, 'planted');
      listener(request, response);
    },
    says: /a line of level error: planted/,
  },
};
