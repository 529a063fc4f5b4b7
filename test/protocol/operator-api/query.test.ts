import { describe, expect, test } from '@jest/globals';
import { readQuery } from '../../../lib/protocol/operator-api/read-call';

function read(target: string): Record<string, string> | null {
  const parameters = readQuery(target);
  return parameters === null ? null : Object.fromEntries(parameters);
}

describe('the query of a request', () => {
  test.each([
    ['/getBalance', {}],
    ['/getBalance?', {}],
    ['/getBalance?a=1&b=2', { a: '1', b: '2' }],
    ['/getBalance?&a=1&&b=2&', { a: '1', b: '2' }],
    ['?a=b=c', { a: 'b=c' }],
    ['?a', { a: '' }],
    ['?a=', { a: '' }],
    ['?a=x+y%20z%2B', { a: 'x y z+' }],
    ['?a=%C3%A9%F0%9F%98%80', { a: 'é😀' }],
    ['?%61=1', { a: '1' }],
    ['?a=?b', { a: '?b' }],
    ['?a[b]=1&a[]=2', { 'a[b]': '1', 'a[]': '2' }],
    ['?a=%00', { a: '\u0000' }],
  ])('%s is read', (target, parameters) => {
    expect(read(target)).toEqual(parameters);
  });

  test.each([
    ['?a=1&a=1'],
    ['?a=1&%61=2'],
    ['?a&a='],
    ['?a=%'],
    ['?a=%zz'],
    ['?a=%C3'],
    ['?a=%ED%A0%80'],
    ['?%=1'],
  ])('%s is refused (D9)', (target) => {
    expect(read(target)).toBeNull();
  });

  test('a parameter may have the name of something every object has', () => {
    expect(readQuery('?__proto__=1&toString=2')?.get('__proto__')).toBe('1');
  });
});

test('a query of more than 200 parameters is refused', () => {
  const parameters = Array.from({ length: 201 }, (_, at) => `p${at}=1`);
  expect(readQuery(`/?${parameters.slice(1).join('&')}&&&`)?.size).toBe(200);
  expect(readQuery(`/?${parameters.join('&')}`)).toBeNull();
});
