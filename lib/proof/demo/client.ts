import { request } from 'node:http';
import { parseAmount } from '../../protocol/money';
import { type JsonObject, type JsonValue, parseJson } from '../../protocol/json';
import type { RequestSigner, SignedRequest } from '..';

/** One transaction as the demo sends it; amounts are whole numbers of the wire. */
export interface DemoTransaction {
  readonly type: 'debit' | 'credit' | 'end' | 'void';
  readonly hash: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly isFirstDebit?: boolean;
  readonly freePlayUsed?: boolean;
  readonly serial?: string;
}

/** An answer as far as the demo reads it. */
export interface DemoAnswer {
  readonly status: number;
  /** The real balance, in units; null where the answer tells none. */
  readonly balance: bigint | null;
  /** For each hash that is answered: null where it was processed, else the error. */
  readonly outcomes: ReadonlyMap<string, DemoError | null>;
  /** The error at the top. */
  readonly error: DemoError | null;
}

/** An error object of the protocol. */
export interface DemoError {
  readonly id: number;
  readonly msg: string;
}

/** The RGS of the demo: signs calls and sends them over HTTP, each on a connection of its own. */
export class DemoClient {
  constructor(
    private readonly signer: RequestSigner,
    private readonly port: number,
    private readonly decimals: number,
  ) {}

  /** Null where no answer came. */
  doTransactions(
    playerId: string,
    gameRound: string,
    transactions: readonly DemoTransaction[],
  ): Promise<DemoAnswer | null> {
    const timestamp = new Date().toISOString();
    const items = transactions.map((item) => ({ ...item, timestamp }));
    const body = { playerId, gameCode: 'demo-game', gameRound, transactions: items };
    return this.send(
      this.signer.doTransactions({ ...body, transactionCount: transactions.length }),
    );
  }

  /** Null where no answer came. */
  getBalance(playerId: string, currency: string): Promise<DemoAnswer | null> {
    return this.send(this.signer.getBalance({ playerId, currency }));
  }

  private async send({ method, path, headers, body }: SignedRequest): Promise<DemoAnswer | null> {
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
    return reply === null ? null : this.read(reply.status, reply.text);
  }

  private read(status: number, text: string): DemoAnswer {
    const document = parseJson(text);
    const body = asObject(document.value);
    const outcomes = new Map<string, DemoError | null>();
    for (const item of asList(body['hashesProcessed']).map(asObject)) {
      outcomes.set(asText(item['hash']), readError(item['errorCode']));
    }
    const real = asList(body['balances'])
      .map(asObject)
      .find(({ type }) => type === 'real');
    const amount = real === undefined ? undefined : document.lexeme(real, 'amount');
    return {
      status,
      balance: amount === undefined ? null : readBalance(amount, this.decimals),
      outcomes,
      error: readError(body['errorCode']),
    };
  }
}

/** A balance may be below zero, an amount may not. */
function readBalance(lexeme: string, decimals: number): bigint | null {
  if (!lexeme.startsWith('-')) return parseAmount(lexeme, decimals);
  const units = parseAmount(lexeme.slice(1), decimals);
  return units === null ? null : -units;
}

function readError(value: JsonValue | undefined): DemoError | null {
  if (value === undefined) return null;
  const { id, msg } = asObject(value);
  return { id: Number(id), msg: asText(msg) };
}

function asObject(value: JsonValue | undefined): JsonObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? value : {};
}

function asText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function asList(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}
