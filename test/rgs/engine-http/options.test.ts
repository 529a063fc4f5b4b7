import { describe, expect, test } from '@jest/globals';

import { createEngineHandler } from '../../../lib/rgs/engine-http/handler';
import type { EngineHandlerOptions } from '../../../lib/rgs/engine-http/options';

const never = () => Promise.reject(new Error('not asked'));
const secrets = ['studio-secret-0123456789'];
const good: EngineHandlerOptions = {
  service: { call: never },
  browser: { connect: never, reconnect: never, disconnect: never },
  providers: [{ gameProviderId: 'studio-1', secrets }],
};
const make = (options: object) => () => createEngineHandler({ ...good, ...options });
const provider = (id: string, ...own: string[]) => ({ gameProviderId: id, secrets: own });
const hush = 'hush-hush-0123456789';

describe('wrong options are a TypeError that names them and repeats no value', () => {
  test.each<[string, object, RegExp]>([
    ['an unknown name', { provider: [] }, /unknown option; .*did you mean providers/],
    ['no providers', { providers: [] }, /providers/],
    ['a provider without secrets', { providers: [provider('a')] }, /providers\/0\/secrets/],
    ['a short secret', { providers: [provider('a', 'hush')] }, /providers\/0\/secrets\/0/],
    [
      'white space around a secret',
      { providers: [provider('a', ` ${hush}`)] },
      /providers\/0\/secrets\/0/,
    ],
    ['an id with #', { providers: [provider('a#hush', hush)] }, /providers\/0\/gameProviderId/],
    [
      'an id twice (E2.7)',
      { providers: [provider('a', hush), provider('a', `${hush}0`)] },
      /providers\/1\/gameProviderId/,
    ],
    [
      'a secret under two ids (E2.7)',
      { providers: [provider('a', hush), provider('b', `${hush}0`, hush)] },
      /providers\/1\/secrets\/1 .*providers\/0/,
    ],
    [
      'a secret that is an operator’s too (E2.7)',
      { providers: [provider('a', hush)], operators: [{ operatorId: 'acme', secrets: [hush] }] },
      /providers\/0\/secrets\/0 .*operators\/0/,
    ],
    ['a service without call', { service: {} }, /service must have a function call/],
    ['a browser without connect', { browser: {} }, /browser must have a function connect/],
    ['a base path with an end slash', { basePath: '/hush/' }, /basePath/],
    ['a tolerance of 0', { clockToleranceMs: 0 }, /clockToleranceMs/],
    ['a memory of 0', { rememberedSignatures: 0 }, /rememberedSignatures/],
    ['maxBodyBytes as text', { maxBodyBytes: 'hush' }, /maxBodyBytes/],
    ['requireRequestId as text', { requireRequestId: 'hush' }, /requireRequestId/],
    ['clock', { clock: {} }, /clock/],
    ['random', { random: {} }, /random/],
    ['onCall', { onCall: 'hush' }, /onCall/],
    ['onFinding', { onFinding: 'hush' }, /onFinding/],
  ])('%s', (_, options, named) => {
    expect(make(options)).toThrow(TypeError);
    expect(make(options)).toThrow(named);
    expect(make(options)).not.toThrow(/hush/);
  });

  test('no options at all', () => {
    expect(() => createEngineHandler(undefined as unknown as EngineHandlerOptions)).toThrow(
      TypeError,
    );
  });

  test('several secrets of one provider are accepted, also one that it has twice', () => {
    expect(make({ providers: [provider('a', hush, `${hush}0`)] })).not.toThrow();
  });
});
