import { describe, expect, test } from '@jest/globals';

import type { Balance } from '../../lib/protocol/engine-api/replies';
import { discountFor, ticketFor } from '../../lib/rgs/offers';

const now = Date.parse('2026-03-01T12:00:00Z');
const stake = { currency: 'EUR', amount: 100n };

function balanceWith(members: Partial<Record<'discountInfo' | 'tickets', unknown>>): Balance {
  const { discountInfo = null, tickets = null } = members;
  return {
    totalBalance: 0n,
    mode: 'REAL',
    currency: 'EUR',
    balances: [],
    discountInfo: discountInfo === null ? null : JSON.stringify(discountInfo),
    tickets: tickets === null ? null : JSON.stringify(tickets),
    ticketInfo: null,
  };
}

const offer = { stake: 100, absoluteDiscountAmount: 10, spinsRemaining: 1 };
const info = { text: '', currency: 'EUR', campaignId: 'spring', discounts: [offer] };

function found(change: object): unknown {
  return discountFor(balanceWith({ discountInfo: { ...info, ...change } }), stake, now);
}

describe('a discount (E17.3)', () => {
  test('fits the stake and the currency, while it is valid and a spin is left', () => {
    expect(found({})).toEqual({ amount: 10n, campaignId: 'spring' });
    expect(
      found({ validFrom: '2026-03-01T12:00:00Z', validTo: '2026-03-01T12:00:00Z' }),
    ).not.toBeNull();
  });

  test.each([
    ['another currency', { currency: 'SEK' }],
    ['another stake', { discounts: [{ ...offer, stake: 99 }] }],
    ['no spin left', { discounts: [{ ...offer, spinsRemaining: 0 }] }],
    ['more than the stake', { discounts: [{ ...offer, absoluteDiscountAmount: 101 }] }],
    ['nothing off', { discounts: [{ ...offer, absoluteDiscountAmount: 0 }] }],
    ['a part of a unit off', { discounts: [{ ...offer, absoluteDiscountAmount: 0.5 }] }],
    ['not valid yet', { validFrom: '2026-03-01T12:00:01Z' }],
    ['not valid any more', { validTo: '2026-03-01T11:59:59Z' }],
    ['a time that cannot be read', { validTo: 'tomorrow' }],
    ['no campaign', { campaignId: 7 }],
    ['no list', { discounts: {} }],
    ['a list of something else', { discounts: [null, 7] }],
  ])('is not given for %s', (_, change) => {
    expect(found(change)).toBeNull();
  });

  test('is null if the operator reported none', () => {
    expect(discountFor(balanceWith({}), stake, now)).toBeNull();
  });
});

describe('a ticket of the operator (E17.4)', () => {
  const ticket = { stake: 100, currency: 'EUR', count: 2, serial: 's-1' };

  test('fits the stake and the currency, and has a play left', () => {
    const tickets = [{ ...ticket, stake: 50, serial: 's-0' }, ticket];
    expect(ticketFor(balanceWith({ tickets }), stake, noneOurs)).toBe('s-1');
  });

  test.each([
    ['another stake', { stake: 101 }],
    ['another currency', { currency: 'USD' }],
    ['no play left', { count: 0 }],
    ['no serial', { serial: 1 }],
  ])('is not used with %s', (_, change) => {
    expect(
      ticketFor(balanceWith({ tickets: [{ ...ticket, ...change }] }), stake, noneOurs),
    ).toBeNull();
  });
});

function noneOurs(): boolean {
  return false;
}
