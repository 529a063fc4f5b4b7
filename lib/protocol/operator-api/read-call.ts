import { RequestRefusedError } from './catalogue';
import { parseAmount } from '../money/amount';
import { isCurrency, isIdentifier } from '../identifiers';
import type { JsonDocument } from '../json/parse';
import type { Call, Transaction } from './transaction';

/** A transaction that the schema `do-transactions` accepts. */
interface WireTransaction {
  readonly type: string;
  readonly hash: string;
  readonly amount?: number | null;
  readonly discountAmount?: number | null;
  readonly currency?: string | null;
  readonly isFirstDebit?: boolean | string | null;
  readonly freePlayUsed?: boolean | string | null;
  readonly serial?: string | null;
  readonly timestamp?: string | null;
}

/** A doTransactions body that the schema accepts. */
export interface WireCall {
  readonly playerId: string;
  readonly gameCode: string;
  readonly gameRound: string;
  readonly transactions: readonly WireTransaction[];
  /** Not in the schema: any value that differs from the length is error 16 (D2.2). */
  readonly transactionCount?: unknown;
}

/**
 * Reads a doTransactions body, already checked by its schema, into exact terms (D2).
 * @throws RequestRefusedError 16 for a wrong transactionCount, otherwise 19 with the wrong field.
 */
export function readCall(document: JsonDocument, decimals: number): Call {
  const wire = document.value as unknown as WireCall;
  if (wire.transactionCount !== wire.transactions.length) {
    throw new RequestRefusedError('TRANSACTIONCOUNTWRONG');
  }
  return {
    playerId: wire.playerId,
    gameCode: wire.gameCode,
    gameRound: wire.gameRound,
    transactions: wire.transactions.map((item, index) =>
      new TransactionReader(document, item, index, decimals).read(),
    ),
  };
}

class TransactionReader {
  constructor(
    private readonly document: JsonDocument,
    private readonly wire: WireTransaction,
    private readonly index: number,
    private readonly decimals: number,
  ) {}

  read(): Transaction {
    const { hash } = this.wire;
    if (!isIdentifier(hash)) throw this.fault('hash', 'must be 1 to 128 characters');
    switch (this.wire.type.toLowerCase()) {
      case 'debit':
        return this.debit(hash);
      case 'credit':
        return {
          type: 'credit',
          hash,
          currency: this.currency(),
          amount: this.required('amount'),
          serial: this.serial(),
        };
      case 'end':
        if ((this.amount('amount') ?? 0n) !== 0n) throw this.fault('amount', 'must be 0 in an end');
        return { type: 'end', hash };
      default:
        return {
          type: 'void',
          hash,
          amount: this.amount('amount'),
          currency: isCurrency(this.wire.currency) ? this.wire.currency : null,
        };
    }
  }

  /** D2.4: a free play may omit the amount, and must not have one above 0. */
  private debit(hash: string): Transaction {
    const serial = this.serial();
    const free = serial !== null || this.flag('freePlayUsed') === true;
    const amount = free ? (this.amount('amount') ?? 0n) : this.required('amount');
    if (free && amount > 0n) throw this.fault('amount', 'must be 0 in a free play');
    const discount = this.amount('discountAmount') ?? 0n;
    if (discount > amount) throw this.fault('discountAmount', 'must not be above the amount');
    return {
      type: 'debit',
      hash,
      currency: this.currency(),
      amount,
      discount,
      isFirstDebit: this.flag('isFirstDebit'),
      serial,
      timestamp: this.wire.timestamp ?? undefined,
    };
  }

  private required(name: 'amount'): bigint {
    const amount = this.amount(name);
    if (amount === null) throw this.fault(name, 'is missing');
    return amount;
  }

  private amount(name: 'amount' | 'discountAmount'): bigint | null {
    const lexeme = this.document.lexeme(this.wire, name);
    if (lexeme === undefined) return null;
    const units = parseAmount(lexeme, this.decimals);
    if (units === null) {
      throw this.fault(name, `must be 0 or more, with at most ${this.decimals} decimals, in range`);
    }
    return units;
  }

  private currency(): string {
    const { currency } = this.wire;
    if (!isCurrency(currency)) throw this.fault('currency', 'must be three upper-case letters');
    return currency;
  }

  private serial(): string | null {
    const serial = this.wire.serial ?? null;
    if (serial !== null && !isIdentifier(serial)) {
      throw this.fault('serial', 'must be 1 to 128 characters');
    }
    return serial;
  }

  private flag(name: 'isFirstDebit' | 'freePlayUsed'): boolean | null {
    const value = this.wire[name] ?? null;
    return typeof value === 'string' ? value.toLowerCase() === 'true' : value;
  }

  private fault(field: string, problem: string): RequestRefusedError {
    return new RequestRefusedError(
      'INVALIDPARAMETER',
      `transactions/${this.index}/${field} ${problem}.`,
    );
  }
}

/** getBalance has four; further ones are ignored, up to this limit. */
const maxParameters = 200;

/**
 * Reads the query of a request target strictly: every escape is valid UTF-8, no name twice (D9), at most
 * 200 parameters. Null otherwise.
 */
export function readQuery(target: string): ReadonlyMap<string, string> | null {
  const start = target.indexOf('?');
  const parameters = new Map<string, string>();
  if (start < 0) return parameters;
  for (const pair of target.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === null || value === null || parameters.has(name)) return null;
    if (parameters.size === maxParameters) return null;
    parameters.set(name, value);
  }
  return parameters;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
