import { createOperatorHandler } from '../../../lib/operator/http/handler';
import type { OperatorOptions } from '../../../lib/operator/http/options';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { DebitCheck, DebitCheckRequest } from '../../../lib/operator/wallet';
import type { ErrorObject } from '../../../lib/protocol/operator-api/catalogue';
import { createRequestSigner } from '../../../lib/proof';
import { FaultyStore } from '../../proof/faults/store';
import { VirtualClock } from '../../support/virtual-clock';
import { lineOf } from '../http/expired-rig';
import { callInProcess } from '../http/in-process-call';
import { bodyOf, debit, operatorId, playerId, secret } from '../http/rig';

/** The second operator of these wallets; its player has the same id as the first one's. */
export const otherOperator = 'umbra';

interface Reply {
  readonly errorCode?: ErrorObject;
  readonly hashesProcessed?: readonly { readonly errorCode?: ErrorObject }[];
}

type RigOptions = Partial<Omit<OperatorOptions, 'store' | 'clock'>> & {
  /** Whether calls that only add to a running round take one trip. */
  readonly follows?: boolean;
};

/** A wallet whose check is what `answer` says at the moment, in virtual time: a player with 100 EUR and 100 USD of each operator. */
export class CheckRig {
  /** What the check answers: anything, as a program without types could. */
  answer: (request: DebitCheckRequest) => unknown = () => ({ allow: true });
  /** All that it was asked. */
  readonly requests: DebitCheckRequest[] = [];
  readonly #handle: ReturnType<typeof createOperatorHandler>['handle'];
  #calls = 0;
  #rounds = 0;

  private constructor(
    readonly clock: VirtualClock,
    readonly store: FaultyStore,
    options: Partial<OperatorOptions>,
  ) {
    const operators = [operatorId, otherOperator].map((id) => ({
      operatorId: id,
      secrets: [`${id}-${secret}`],
    }));
    const debitCheck = ((request: DebitCheckRequest) => {
      this.requests.push(request);
      return this.answer(request);
    }) as DebitCheck;
    const own = { operators, store, clock, debitCheck, rememberedSignatures: 1000 };
    this.#handle = createOperatorHandler({ ...own, ...options }).handle;
  }

  static async create({ follows = true, ...options }: RigOptions = {}): Promise<CheckRig> {
    const clock = new VirtualClock(Date.UTC(2026, 10, 24, 12), 8);
    const store = createMemoryStore({ clock });
    for (const id of [operatorId, otherOperator]) {
      for (const currency of ['EUR', 'USD']) {
        const player = { operatorId: id, playerId, currency };
        await store.players.openPlayer({ ...player, balances: { real: '100' } });
      }
    }
    return new CheckRig(clock, new FaultyStore(store, { follows }), options);
  }

  /** How often the check was asked. */
  get asked(): number {
    return this.requests.length;
  }

  /** Sends a call at once; it goes on as time passes. */
  async send(transactions: readonly object[], more: object = {}, operator = operatorId) {
    const now = () => this.clock.now() + this.#calls++;
    const signer = createRequestSigner({
      operatorId: operator,
      secret: `${operator}-${secret}`,
      now,
    });
    const answer = await callInProcess(
      this.#handle,
      signer.doTransactions(bodyOf(transactions, more)),
    );
    const reply = answer.body as unknown as Reply;
    return { line: lineOf(answer), error: reply.errorCode, reply };
  }

  /** Sends a call and lets time pass until it is answered: its line, as `400 9006: d1 9006`. */
  async call(
    transactions: readonly object[],
    more: object = {},
    operator?: string,
  ): Promise<string> {
    return (await this.clock.run(this.send(transactions, more, operator))).line;
  }

  /** Stakes 1 in a round of its own: the line without hashes, as `400 9008`. */
  async stake(more: object = {}, operator?: string): Promise<string> {
    const gameRound = `stake-${++this.#rounds}`;
    const line = await this.call([debit(1, { hash: gameRound })], { gameRound, ...more }, operator);
    return line.replace(/:.*/, '');
  }

  /** Asks for the balance, as the RGS does. */
  async getBalance(): Promise<number> {
    const now = () => this.clock.now() + this.#calls++;
    const signer = createRequestSigner({ operatorId, secret: `${operatorId}-${secret}`, now });
    const request = signer.getBalance({ playerId, currency: 'EUR' });
    return (await this.clock.run(callInProcess(this.#handle, request))).status;
  }

  /** Units of EUR. */
  async balance(): Promise<bigint | undefined> {
    const result = await this.store.rounds.accounts({ operatorId, playerId });
    if (result.kind === 'unknown') throw result.cause;
    return result.accounts?.find(({ currency }) => currency === 'EUR')?.real;
  }

  /** The state of a round; null if the store does not know it. */
  async state(gameRound = 'round-1'): Promise<string | null> {
    const report = await this.store.rounds.readRound({ operatorId, playerId, gameRound });
    return report?.head.state ?? null;
  }
}

/** A debit that is not the first of its round. */
export function followUp(hash: string, amount = 5, more: object = {}): object {
  return debit(amount, { isFirstDebit: false, hash, ...more });
}
