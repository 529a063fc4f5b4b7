import { describe, expect, test } from '@jest/globals';
import { InvalidRequestError } from '../../../lib/protocol/client/errors';
import { type Answer, post, rejectionOf, runnerOver } from './rig';

const read = () => null;

/** What a call with this answer is rejected with. */
async function failureOf(answer: Answer): Promise<unknown> {
  const { runner, clock } = runnerOver([answer], { attempts: 1 });
  const failure = rejectionOf(runner.run(post('{}'), read));
  await clock.run(failure);
  return failure;
}

describe('what a failed call did', () => {
  test.each<[string, Answer, string, string]>([
    ['a 4xx', { status: 400, text: '{}' }, 'SERVICE_ERROR', 'refused'],
    ['a 401', { status: 401 }, 'SIGNATURE_REFUSED', 'refused'],
    [
      'the id of a refused signature beside a 5xx, which a gateway may have sent',
      { status: 502, text: '{"errorCode":{"id":1001}}' },
      'SIGNATURE_REFUSED',
      'unknown',
    ],
    [
      'and beside a 200',
      { status: 200, text: '{"errorCode":{"id":1001}}' },
      'SIGNATURE_REFUSED',
      'unknown',
    ],
    ['a 404 of something else', { status: 404, text: '<html>' }, 'SERVICE_ERROR', 'refused'],
    ['a 5xx', { status: 503, text: '{}' }, 'SERVICE_ERROR', 'unknown'],
    ['a redirect', { status: 302 }, 'SERVICE_ERROR', 'unknown'],
    [
      'an error beside a 200',
      { status: 200, text: '{"errorCode":{"id":13}}' },
      'SERVICE_ERROR',
      'unknown',
    ],
    ['nonsense', { status: 200, text: '<html>' }, 'INVALID_REPLY', 'unknown'],
    ['a broken connection', new Error('broken'), 'NETWORK_FAILURE', 'unknown'],
    ['silence', undefined, 'TIMED_OUT', 'unknown'],
  ])('after %s is known (E3.2)', async (_, answer, code, outcome) => {
    expect(await failureOf(answer)).toMatchObject({ code, outcome });
  });

  test('is nothing where nothing was sent', async () => {
    const error = new InvalidRequestError('testPing', 'testData', 'must be a text');
    expect(error).toMatchObject({ outcome: 'nothing', attempts: 0 });
    const { runner, sent } = runnerOver([undefined]);
    const aborted = runner.run(post('{}'), read, { signal: AbortSignal.abort() });
    expect(await rejectionOf(aborted)).toMatchObject({ code: 'ABORTED', outcome: 'nothing' });
    expect(sent).toEqual([]);
  });

  test('is unknown after an abort of what was sent', async () => {
    const aborter = new AbortController();
    const { runner } = runnerOver([undefined]);
    const failure = rejectionOf(runner.run(post('{}'), read, { signal: aborter.signal }));
    await new Promise((resolve) => setImmediate(resolve));
    aborter.abort();
    expect(await failure).toMatchObject({ code: 'ABORTED', outcome: 'unknown', attempts: 1 });
  });
});

describe('an error body is read leniently', () => {
  const code = 'GAMEROUNDNOTACTIVE';
  test.each<[string, object]>([
    ['{"errorCode":{"id":13,"msg":"m","clientmsg":"c"}}', { id: 13, msg: 'm', clientmsg: 'c' }],
    ['{"errorCode":{"id":"13","msg":"m"}}', { id: 13, msg: 'm', serviceCode: code }],
    ['{"error":{"id":13,"message":"m"}}', { id: 13, msg: 'm', serviceCode: code }],
    [`{"error":{"code":"${code}","message":"m"}}`, { id: 13, msg: 'm', serviceCode: code }],
    ['{"id":13,"msg":"m"}', { id: 13, msg: 'm', serviceCode: code }],
    ['{"code":13,"message":"m"}', { id: 13, msg: 'm', serviceCode: code }],
    ['{"id":77,"msg":"m"}', { id: 77, msg: 'm', serviceCode: null }],
    ['{"code":"OTHER","message":"m"}', { id: null, msg: 'm', serviceCode: null }],
    ['{"id":1.5,"msg":7}', { id: null, msg: null, serviceCode: null }],
    ['{"errorCode":null,"error":null}', { id: null, msg: null }],
    ['[]', { id: null }],
    ['"nonsense"', { id: null }],
  ])('%s', async (text, members) => {
    expect(await failureOf({ status: 400, text })).toMatchObject({
      code: 'SERVICE_ERROR',
      ...members,
    });
  });

  test('but not in a 2xx, where id and code may be members of the reply', async () => {
    const { runner } = runnerOver([{ status: 200, text: '{"id":13,"code":"x","error":{}}' }]);
    expect(await runner.run(post('{}'), ({ value }) => value)).toMatchObject({ id: 13 });
  });

  test('and an id of 1001 is the refused signature, by whatever name it has', async () => {
    const text = '{"error":{"code":"SIGNATUREWRONG"}}';
    const error = await failureOf({ status: 400, text });
    expect(error).toMatchObject({ code: 'SIGNATURE_REFUSED', serviceCode: 'SIGNATUREWRONG' });
    expect(String(error)).toContain('check the game provider ID');
  });
});

describe('x-h-error-id (E3.1)', () => {
  const text = '{"errorCode":{"id":13}}';

  test.each<[string, Answer]>([
    ['a refusal', { status: 400, text, headers: { 'x-h-error-id': 'ref-1' } }],
    ['a refused signature', { status: 401, text: '', headers: { 'X-H-Error-Id': 'ref-1' } }],
    ['an invalid reply', { status: 200, text: '<', headers: { 'x-h-error-id': 'ref-1' } }],
  ])('is the errorReference of %s', async (_, answer) => {
    expect(await failureOf(answer)).toMatchObject({ errorReference: 'ref-1' });
  });

  test.each([
    ['with a space', 'a b'],
    ['too long', 'x'.repeat(129)],
    ['empty', ''],
  ])('is not taken over %s', async (_, id) => {
    const answer = { status: 400, text, headers: { 'x-h-error-id': id } };
    expect(await failureOf(answer)).toMatchObject({ errorReference: null });
  });

  test('is not needed of a fetch of your own', async () => {
    const { runner } = runnerOver([], {
      fetch: () => Promise.resolve({ status: 400, body: null }),
    });
    const failure = await rejectionOf(runner.run(post('{}'), read));
    expect(failure).toMatchObject({ errorReference: null, status: 400 });
  });
});
