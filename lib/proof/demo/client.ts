import { request } from 'node:http';
import type { Clock } from '../../platform';
import { formatAmount, parseAmount } from '../../protocol/money/amount';
import {
  type JsonDocument,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
} from '../../protocol/json/parse';
import { type Answer, cut, readReply } from '../../rgs/settlement/answer';
import type { RequestSigner, SignedRequest } from '..';

/** One transaction as the demo sends it; amounts are whole units of 1/100 (E4.1). */
export interface DemoTransaction {
  readonly type: 'debit' | 'credit' | 'end' | 'void';
  readonly hash: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly isFirstDebit?: boolean;
  readonly freePlayUsed?: boolean;
  readonly serial?: string;
}

/**
 * Units of the store as a decimal text of the currency. The number on the wire counts 1/100 (E4.1), also where the
 * store takes it for whole ones.
 * @param decimals those of a call
 */
export function moneyText(units: bigint, decimals: number): string {
  return formatAmount(units, decimals + 2);
}

/** The answer to a call, as far as the demo reads it. */
export interface DemoReply {
  readonly answer: Answer;
  /** The real balance, in units; null if the answer has none. */
  readonly balance: bigint | null;
}

/** The RGS of the demo: signs calls and sends them over HTTP, each on its own connection. */
export class DemoClient {
  constructor(
    private readonly signer: RequestSigner,
    private readonly port: number,
    private readonly decimals: number,
    private readonly clock: Clock,
  ) {}

  doTransactions(
    playerId: string,
    gameRound: string,
    transactions: readonly DemoTransaction[],
  ): Promise<DemoReply> {
    const timestamp = new Date(this.clock.now()).toISOString();
    const items = transactions.map((item) => ({ ...item, timestamp }));
    const body = { playerId, gameCode: 'demo-game', gameRound, transactions: items };
    return this.send(
      this.signer.doTransactions({ ...body, transactionCount: transactions.length }),
    );
  }

  getBalance(playerId: string, currency: string): Promise<DemoReply> {
    return this.send(this.signer.getBalance({ playerId, currency }));
  }

  private async send({ method, path, headers, body }: SignedRequest): Promise<DemoReply> {
    const reply = await new Promise<{ status: number; text: string } | null>((resolve) => {
      const options = { host: '127.0.0.1', port: this.port, method, path, headers, agent: false };
      const sent = request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => resolve(null));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      });
      sent.on('error', () => resolve(null));
      sent.end(body);
    });
    return reply === null ? { answer: cut, balance: null } : this.read(reply.status, reply.text);
  }

  private read(status: number, text: string): DemoReply {
    const document = parsed(text);
    const body = asObject(document?.value);
    const real = (Array.isArray(body['balances']) ? body['balances'] : [])
      .map(asObject)
      .find(({ type }) => type === 'real');
    const amount = real === undefined ? undefined : document?.lexeme(real, 'amount');
    return {
      answer: readReply(status, document?.value),
      balance: amount === undefined ? null : readBalance(amount, this.decimals),
    };
  }
}

/** Null if it is not JSON. */
function parsed(text: string): JsonDocument | null {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return null;
    throw error;
  }
}

/** A balance may be below zero, an amount may not. */
function readBalance(lexeme: string, decimals: number): bigint | null {
  if (!lexeme.startsWith('-')) return parseAmount(lexeme, decimals);
  const units = parseAmount(lexeme.slice(1), decimals);
  return units === null ? null : -units;
}

function asObject(value: JsonValue | undefined): JsonObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? value : {};
}
