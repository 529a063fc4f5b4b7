import { describe, expect, test } from '@jest/globals';

import {
  type NewRecord,
  type PendingWork,
  type RoundChange,
  unseenRound,
} from '../../../lib/operator/gameround';
import { emptyPurse } from '../../../lib/protocol/money/purse';
import { decodePending, encodePending } from '../../../lib/operator/stores/codec/pending';
import { commitValues, readCommitLines } from '../../../lib/operator/stores/postgres/codec/commit';
import { readRoundLines } from '../../../lib/operator/stores/postgres/codec/round';
import { commitCall, readCommitReply } from '../../../lib/operator/stores/redis/codec/commit';
import { Keys } from '../../../lib/operator/stores/redis/codec/keys';
import { decodeEntry } from '../../../lib/operator/stores/redis/codec/record';

const unreadable = /^A stored .+ cannot be read by this version|^URI malformed/;
const settings = { writing: { accept_loss: false, lock_timeout_ms: 1 }, retentionMs: 1 };
const round = { operatorId: 'casino', playerId: 'ann', gameRound: 'r' };
const uuid = '0b9bd9a1-5f6e-4c3c-9a53-0e2b3a1d7c55';
const [one, two] = ['abcdefghijkl', 'mnopqrstuvwx'];

const debit = {
  type: 'debit',
  outcome: 'accepted',
  currency: 'EUR',
  amount: 1050n,
  discount: 50n,
  first: true,
  serial: null,
  delivery: 'zZ0_',
  behind: [],
  purse: { real: 700n, bonus: 300n },
  at: 1_790_000_000_000,
  fingerprints: [],
} as const;
const credit = {
  type: 'credit',
  outcome: 'accepted',
  currency: 'EUR',
  amount: 9_007_199_254_740_991n,
  serial: null,
  purse: { real: 9_007_199_254_740_000n, bonus: 991n },
  at: 1_790_000_000_001,
  fingerprints: [],
} as const;
const end = { type: 'end', outcome: 'accepted', at: 1_790_000_000_002, fingerprints: [] } as const;
const order = {
  type: 'void',
  purse: { real: -12n, bonus: 34n },
  at: 1_790_000_000_003,
  fingerprints: [],
} as const;

/** A record of each kind with what it may hold, as Redis keeps it, and as PostgreSQL does. */
const stored: readonly (readonly [NewRecord['record'], redis: string, postgres: string])[] = [
  [
    debit,
    'da 1 EUR 1050 50 mubbs7i8  zZ0_   700 300',
    '["d","accepted",1790000000000,"EUR","1050",null,"50",true,"zZ0_","",[],"700","300"]',
  ],
  [
    { ...debit, outcome: 'unanswered', first: false, serial: 's 1%é', fingerprints: [one] },
    'du 0 EUR 1050 50 mubbs7i8 s%201%25%C3%A9 zZ0_ abcdefghijkl  700 300',
    '["d","unanswered",1790000000000,"EUR","1050","s 1%é","50",false,"zZ0_","abcdefghijkl",[],"700","300"]',
  ],
  [
    { ...debit, outcome: 'BALANCETOOLOW', delivery: '', fingerprints: [one, two] },
    'd:BALANCETOOLOW 1 EUR 1050 50 mubbs7i8   abcdefghijklmnopqrstuvwx  700 300',
    '["d","BALANCETOOLOW",1790000000000,"EUR","1050",null,"50",true,"","abcdefghijklmnopqrstuvwx",[],"700","300"]',
  ],
  [
    { ...debit, first: false, behind: ['b', uuid, 'c,d e'], fingerprints: [one] },
    'da 0 EUR 1050 50 mubbs7i8  zZ0_ abcdefghijkl tb,TC5vZoV9uTDyaUw4rOh18VQ,tc%2Cd%20e 700 300',
    `["d","accepted",1790000000000,"EUR","1050",null,"50",false,"zZ0_","abcdefghijkl",["b","${uuid}","c,d e"],"700","300"]`,
  ],
  [
    credit,
    'ca EUR 9007199254740991 mubbs7i9  9007199254740000 991',
    '["c","accepted",1790000000001,"EUR","9007199254740991",null,"9007199254740000","991",""]',
  ],
  [
    { ...credit, outcome: 'DEBITFAILEDBEFORE', serial: 's', fingerprints: [one, two] },
    'c:DEBITFAILEDBEFORE EUR 9007199254740991 mubbs7i9 s 9007199254740000 991 abcdefghijklmnopqrstuvwx',
    '["c","DEBITFAILEDBEFORE",1790000000001,"EUR","9007199254740991","s","9007199254740000","991","abcdefghijklmnopqrstuvwx"]',
  ],
  [end, 'ea mubbs7ia', '["e","accepted",1790000000002,""]'],
  [
    { ...end, outcome: 'GAMEROUNDVOIDED', fingerprints: [one] },
    'e:GAMEROUNDVOIDED mubbs7ia abcdefghijkl',
    '["e","GAMEROUNDVOIDED",1790000000002,"abcdefghijkl"]',
  ],
  [order, 'mubbs7ib -12 34', '["v",1790000000003,"-12","34",""]'],
  [
    { ...order, purse: emptyPurse, fingerprints: [one] },
    'mubbs7ib 0 0 abcdefghijkl',
    '["v",1790000000003,"0","0","abcdefghijkl"]',
  ],
];

const pending: PendingWork = {
  since: 1_790_000_000_000,
  posts: [
    {
      hash: 'd',
      record: { ...debit, outcome: 'pending', purse: emptyPurse, serial: 's', fingerprints: [one] },
      bonusFirst: true,
      behind: null,
    },
    {
      hash: uuid,
      record: { ...credit, outcome: 'pending', fingerprints: [one, two] },
      bonusFirst: false,
      behind: 'd',
    },
    { hash: 'e', record: { ...end, outcome: 'pending' }, bonusFirst: false, behind: null },
  ],
  reversals: ['x', 'y z'],
};
const storedPending =
  '[1790000000000,[' +
  '["d","d",1790000000000,null,["abcdefghijkl"],"EUR","1050","s","50",true,true,"zZ0_"],' +
  `["c","${uuid}",1790000000001,"d",["abcdefghijkl","mnopqrstuvwx"],"EUR","9007199254740991",null,"9007199254740000","991"],` +
  '["e","e",1790000000002,null,[]]' +
  '],["x","y z"]]';

describe('a record is stored as ever', () => {
  test.each(stored)('%j', (record, redis, postgres) => {
    expect(inRedis(record, false)).toBe(redis);
    expect(fromRedis(record.type, redis)).toEqual(record);
    expect(inPostgres(record, false)).toEqual([postgres]);
    expect(fromPostgres(postgres)).toEqual(record);
  });

  test('without what a debit takes, which the store adds to it', () => {
    expect(inRedis(debit, true)).toBe('da 1 EUR 1050 50 mubbs7i8  zZ0_  ');
    const row = '["d","accepted",1790000000000,"EUR","1050",null,"50",true,"zZ0_","",[],null]';
    expect(inPostgres(debit, true)).toEqual([row]);
    expect(fromPostgres(row, '3', '4')).toEqual({ ...debit, purse: { real: 3n, bonus: 4n } });
    const first = '[["h","d","accepted",1790000000000,"EUR","1050",null,"50",true,"zZ0_","",[],0]]';
    expect(commitValues(round, changeOf(debit, 0, true), settings).opening).toBe(first);
  });

  test('while it is pending at a ledger, with the others', () => {
    expect(encodePending(pending)).toBe(storedPending);
    expect(decodePending(storedPending)).toEqual(pending);
  });
});

describe('a record that this version cannot read is refused, and not guessed', () => {
  test.each([
    ['a type that is none', 'x'],
    ['an outcome that is none', 'd:toString 1 EUR 1050 50 mubbs7i8  zZ0_   700 300'],
    ['an outcome without its colon', 'dBALANCETOOLOW 1 EUR 1050 50 mubbs7i8  zZ0_   700 300'],
    ['an amount that is none', 'da 1 EUR 10.5 50 mubbs7i8  zZ0_   700 300'],
    ['an amount that is missing', 'ca EUR  mubbs7i9  0 0'],
    ['a currency that is none', 'da 1 eur 1050 50 mubbs7i8  zZ0_   700 300'],
    ['a flag that is none', 'da 2 EUR 1050 50 mubbs7i8  zZ0_   700 300'],
    ['a time that is none', 'da 1 EUR 1050 50 mu!bs7i8  zZ0_   700 300'],
    ['a serial that is cut off', 'da 1 EUR 1050 50 mubbs7i8 s% zZ0_   700 300'],
    ['a fingerprint that is cut off', 'ea mubbs7ia abcdefghijklm'],
    ['a debit without what it took', 'da 1 EUR 1050 50 mubbs7i8  zZ0_  '],
    ['a debit with more fields', 'da 1 EUR 1050 50 mubbs7i8  zZ0_   700 300 1'],
    ['an end with more fields', 'ea mubbs7ia abcdefghijkl 1'],
  ])('in Redis: %s', (_, text) => {
    expect(() => fromRedis('debit', text)).toThrow(unreadable);
  });

  test.each([
    ['a void without its purse', 'mubbs7ib'],
    ['a void with a purse that is none', 'mubbs7ib a b'],
    ['a void with more fields', 'mubbs7ib 0 0 abcdefghijkl 1'],
  ])('in Redis: %s', (_, text) => {
    expect(() => fromRedis('void', text)).toThrow(unreadable);
  });

  test.each([
    ['a type that is none', '["x"]'],
    ['no row at all', '{}'],
    ['an outcome that is none', '["e","toString",1,""]'],
    ['an amount that is none', '["c","accepted",1,"EUR","10.5",null,"0","0",""]'],
    ['an amount that is a number', '["c","accepted",1,"EUR",10,null,"0","0",""]'],
    ['a currency that is none', '["c","accepted",1,"eur","10",null,"0","0",""]'],
    ['a flag that is none', '["d","accepted",1,"EUR","10",null,"0",1,"","",[],"10","0"]'],
    ['a time that is none', '["e","accepted","1",""]'],
    ['a fingerprint that is cut off', '["e","accepted",1,"abcdefghijklm"]'],
    ['a list that is none', '["d","accepted",1,"EUR","10",null,"0",true,"","","b","10","0"]'],
    ['a debit whose take is not told', '["d","accepted",1,"EUR","10",null,"0",true,"","",[],7]'],
    ['a void with more fields', '["v",1,"0","0","",1]'],
    ['an end with fewer fields', '["e","accepted",1]'],
  ])('in PostgreSQL: %s', (_, text) => {
    expect(() => fromPostgres(text)).toThrow(unreadable);
  });

  test.each([
    ['no time', '[null,[],[]]'],
    ['postings that are no list', '[1,{},[]]'],
    ['reversals that are none', '[1,[],[1]]'],
    ['more parts', '[1,[],[],1]'],
    ['a posting that is no row', '[1,[1],[]]'],
    ['a type that is none', '[1,[["v","h",1,null,[]]],[]]'],
    ['a hash that is none', '[1,[["e",1,1,null,[]]],[]]'],
    ['a hash behind that is none', '[1,[["e","h",1,1,[]]],[]]'],
    ['an amount that is none', '[1,[["c","h",1,null,[],"EUR","1.5",null,"0","0"]],[]]'],
    ['a flag that is none', '[1,[["d","h",1,null,[],"EUR","1",null,"0",true,null,"zZ0_"]],[]]'],
    ['a fingerprint that is cut off', '[1,[["e","h",1,null,["abc"]]],[]]'],
    ['more fields', '[1,[["e","h",1,null,[],1]],[]]'],
  ])('pending at a ledger: %s', (_, text) => {
    expect(() => decodePending(text)).toThrow(unreadable);
  });
});

describe('what a store answers', () => {
  const refused = changeOf(debit, 1, true);

  test('names a refusal by a reason that the port has, and by no other', () => {
    const result = { kind: 'refused', hash: 'h', reason: 'tooLow' };
    expect(readCommitReply('refused 1 tooLow', refused)).toEqual(result);
    expect(readCommitLines([['refused', '1', 'tooLow']], refused)).toEqual(result);
    expect(() => readCommitReply('refused 1 tooHigh', refused)).toThrow(unreadable);
    expect(() => readCommitLines([['refused', '1', 'tooHigh']], refused)).toThrow(unreadable);
  });
});

function inRedis(record: NewRecord['record'], isTaken: boolean): string | undefined {
  const { fields } = commitCall(new Keys('rgs'), round, changeOf(record, 1, isTaken), 1);
  return String(fields).split('\0')[1];
}

function fromRedis(type: NewRecord['record']['type'], text: string) {
  const entry = type === 'void' ? decodeEntry(null, text) : decodeEntry(text, null);
  return entry?.void ?? entry?.transaction;
}

function inPostgres(record: NewRecord['record'], isTaken: boolean): unknown {
  return commitValues(round, changeOf(record, 1, isTaken), settings).record_text;
}

function fromPostgres(text: string, real = '0', bonus = '0') {
  const { entries } = readRoundLines([['record', 'h', '', text, real, bonus]]);
  const entry = entries.get('h');
  return entry?.void ?? entry?.transaction;
}

function changeOf(record: NewRecord['record'], version: number, isTaken: boolean): RoundChange {
  const take = { kind: 'take', hash: 'h', currency: 'EUR', amount: 1n, bonusFirst: true } as const;
  return {
    before: { ...unseenRound, version },
    after: { ...unseenRound, version: version + 1, state: 'open' },
    records: [{ hash: 'h', record }],
    movements: isTaken ? [take] : [],
  };
}
