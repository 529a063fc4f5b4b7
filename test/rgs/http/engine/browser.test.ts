import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { EngineRefusedError } from '../../../../lib/protocol/engine-api/errors';
import { createRig, type Rig } from './rig';

let rig: Rig;

beforeAll(async () => {
  rig = await createRig({ version: '1.2.3' });
});

afterEach(() => {
  rig.worked.length = 0;
  rig.events.length = 0;
});

afterAll(() => rig.close());

/** As a browser sends it: nothing is signed. */
const get = (path: string, more = '') =>
  rig.raw(
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: rgs\r\nOrigin: https://game.example\r\n${more}\r\n`),
  );

describe('the calls of a browser are unsigned and open to every origin (E5.2, E22.2)', () => {
  test.each(['connect', 'reconnect'])(
    'GET /%s hands its token to the service, once',
    async (call) => {
      const reply = await get(`/${call}?token=launch-1`);
      expect(reply.status).toBe(200);
      expect(reply.headers.get('access-control-allow-origin')).toBe('*');
      expect(JSON.parse(reply.body)).toMatchObject({
        token: 'token-1',
        balance: { totalBalance: 9900 },
        gameSettings: { autoplayEnabled: true },
      });
      expect(rig.worked).toMatchObject([{ name: call, request: 'launch-1' }]);
      expect(rig.events).toMatchObject([{ call, verdict: 'unsigned', path: `/${call}` }]);
      expect(JSON.stringify({ ...rig.events[0], request: null })).not.toContain('launch-1');
    },
  );

  test('GET /disconnect is answered {} (E5.5)', async () => {
    const reply = await get('/disconnect?token=token-1');
    expect([reply.status, reply.body]).toEqual([200, '{}']);
    expect(rig.worked).toMatchObject([{ name: 'disconnect', request: 'token-1' }]);
  });

  test('GET /status needs nothing (E22.2)', async () => {
    const reply = await get('/status');
    expect([reply.status, JSON.parse(reply.body)]).toEqual([
      200,
      { status: 'ok', version: '1.2.3' },
    ]);
  });

  test.each([
    ['no token', '/connect'],
    ['an empty token', '/connect?token='],
    ['a token twice', '/connect?token=a&token=b'],
    ['a token of 513 characters', `/connect?token=${'x'.repeat(513)}`],
    ['an escape that is not UTF-8', '/connect?token=%ff'],
  ])('%s: 400 with 19, and no token is spent', async (_, path) => {
    const reply = await get(path);
    expect([reply.status, JSON.parse(reply.body).errorCode.id]).toEqual([400, 19]);
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    expect(rig.worked).toEqual([]);
  });

  test.each(['POST', 'PUT', 'DELETE'])(
    '%s /connect is 405, and no token is spent',
    async (method) => {
      const reply = await rig.send({ method, path: '/connect?token=t', body: '' });
      expect(reply.status).toBe(405);
      expect(reply.headers.get('allow')).toBe('GET');
      expect(rig.worked).toEqual([]);
    },
  );

  test('OPTIONS /connect answers a preflight request, and spends no token', async () => {
    const reply = await rig.raw(
      Buffer.from(
        'OPTIONS /connect?token=t HTTP/1.1\r\nHost: rgs\r\nOrigin: https://game.example\r\nAccess-Control-Request-Method: GET\r\n\r\n',
      ),
    );
    expect(reply.status).toBe(204);
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    expect(reply.headers.get('access-control-allow-methods')).toBe('GET');
    expect(rig.worked).toEqual([]);
  });

  test('a refusal of the service is open to every origin too', async () => {
    const refusing = await createRig({
      service: {
        call: () => Promise.reject(new Error('not asked')),
        connect: () => Promise.reject(new EngineRefusedError('SESSIONINVALID', 'E5.2')),
        reconnect: () => Promise.reject(new Error('evil')),
        disconnect: () => Promise.reject(new EngineRefusedError('SESSIONINVALID', 'E5.5')),
      },
    });
    try {
      const ask = async (path: string) => {
        const bytes = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: rgs\r\n\r\n`);
        const { status, body, headers } = await refusing.raw(bytes);
        const { id } = JSON.parse(body).errorCode;
        return [status, id, headers.get('access-control-allow-origin')];
      };
      expect(await ask('/connect?token=used')).toEqual([400, 1008, '*']);
      expect(await ask('/reconnect?token=used')).toEqual([500, 9000, '*']);
      expect(await ask('/disconnect?token=used')).toEqual([400, 1008, '*']);
    } finally {
      await refusing.close();
    }
  });
});
