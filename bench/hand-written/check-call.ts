import type { IncomingHttpHeaders } from 'node:http';
import Ajv from 'ajv';
import { CallRefused, checkSender, isSignatureOf, unauthorized } from './check-sender';

/** A checked transaction. */
export interface CheckedTransaction {
  readonly type: 'debit' | 'credit' | 'end';
  readonly hash: string;
  /** 0 for an end. */
  readonly cents: number;
}

/** A checked call: signed, whole, in one currency. */
export interface CheckedCall {
  readonly playerId: string;
  readonly gameRound: string;
  readonly currency: string;
  readonly transactions: readonly CheckedTransaction[];
}

interface WireTransaction {
  readonly type: 'debit' | 'credit' | 'end';
  readonly hash: string;
  readonly amount?: number;
  readonly currency?: string;
}

interface WireCall {
  readonly playerId: string;
  readonly gameCode: string;
  readonly gameRound: string;
  readonly transactionCount?: number;
  readonly transactions: readonly WireTransaction[];
}

// `#` joins the signed string, so that no signed field may hold it.
const identifier = { type: 'string', minLength: 1, maxLength: 128, pattern: '^[^#\\x00-\\x1f]+$' };
const money = {
  hash: identifier,
  currency: { type: 'string', pattern: '^[A-Z]{3}$' },
  amount: { type: 'number', minimum: 0, maximum: 1e12 },
  isFirstDebit: { type: 'boolean' },
  timestamp: { type: 'string' },
};
const movement = (type: string): object => ({
  properties: { type: { const: type }, ...money },
  required: ['hash', 'currency', 'amount'],
});

const isWireCall = new Ajv({ discriminator: true }).compile<WireCall>({
  type: 'object',
  required: ['playerId', 'gameCode', 'gameRound', 'transactions'],
  properties: {
    playerId: identifier,
    gameCode: identifier,
    gameRound: identifier,
    transactionCount: { type: 'integer' },
    transactions: {
      type: 'array',
      minItems: 1,
      maxItems: 500,
      items: {
        type: 'object',
        required: ['type'],
        discriminator: { propertyName: 'type' },
        oneOf: [
          movement('debit'),
          movement('credit'),
          { properties: { type: { const: 'end' }, hash: identifier }, required: ['hash'] },
        ],
      },
    },
  },
});

/**
 * Checks a call as an engineer does who writes the service by hand: headers and time, schema, signature in constant
 * time, transactionCount, amounts in whole cents, one currency. Of the protocol it leaves out what is not measured:
 * voids, free plays, discounts, rotation of secrets, other spellings of an amount.
 * @throws CallRefused
 */
export function checkCall(headers: IncomingHttpHeaders, body: unknown): CheckedCall {
  const sender = checkSender(headers);
  if (!isWireCall(body)) throw new CallRefused(400, 19, 'The call does not match the schema.');
  if (!isSignatureOf(sender, signedFields(body))) throw unauthorized();
  const { playerId, gameRound, transactions, transactionCount } = body;
  if (transactionCount !== transactions.length) {
    throw new CallRefused(400, 16, 'transactionCount is not the number of transactions.');
  }
  const checked = transactions.map(({ type, hash, amount = 0 }) => {
    return { type, hash, cents: toCents(amount) };
  });
  return { playerId, gameRound, currency: theCurrency(transactions), transactions: checked };
}

function signedFields({ playerId, gameCode, gameRound, transactions }: WireCall): string {
  let text = `${playerId}#${gameCode}#${gameRound}`;
  for (const { hash, amount = 0 } of transactions) {
    text += amount === 0 ? `#${hash}` : `#${hash}#${amount}`;
  }
  return text;
}

function toCents(amount: number): number {
  const cents = Math.round(amount * 100);
  if (Number((cents / 100).toFixed(2)) !== amount) {
    throw new CallRefused(400, 19, 'An amount has at most two decimals.');
  }
  return cents;
}

function theCurrency(transactions: readonly WireTransaction[]): string {
  const named = new Set(transactions.flatMap(({ currency }) => currency ?? []));
  const [only] = named;
  if (only === undefined || named.size > 1) {
    throw new CallRefused(400, 19, 'The call must be in one currency.');
  }
  return only;
}
