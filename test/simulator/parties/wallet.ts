import { DeliveryIds } from '../../../lib/operator/http/do-transactions';
import { callReply, holds } from '../../../lib/operator/http/call-reply';
import type { Delivery } from '../../../lib/operator/gameround';
import {
  type CallOutcome,
  cancelRound,
  type DiscountCheck,
  doTransactions,
  type RoundKey,
  type WalletStore,
} from '../../../lib/operator/wallet';
import { createSeededRandom } from '../../../lib/platform';
import type { Call, Transaction } from '../../../lib/protocol/operator-api/transaction';
import { createErrorRenderer } from '../../../lib/protocol/operator-api/catalogue';
import { type Answer, readReply } from '../../../lib/rgs/settlement/answer';
import type { JsonValue } from '../../../lib/protocol/json/parse';
import { checkBalanceReply, checkCallReply } from '../oracles/http-reply';
import type { Purse, Sighting } from '../oracles/purse';
import { checkReply } from '../oracles/reply';
import { WalletFront } from '../http/front';
import { farDiscounts } from '../ports/discounts';
import type { Arriving, HttpReply, HttpRequest } from '../http/message';
import { operatorId } from '../plan/names';
import type { Plan } from '../plan/types';
import { Lifetime } from '../world/lifetime';
import type { World } from '../world/scheduler';
import type { Bank } from './bank';
import type { Planted } from './planted';

/** Time limit of a call (D7); the service waits longer. */
const deadlineMs = 4000;
const renderError = createErrorRenderer({});
/** Those of the service that a process accepts at the start. */
export const firstSecrets: readonly string[] = ['the first secret of acme'];
/** How far the clocks of the processes are off. */
const skewsMs = [0, 400, -900, 2500];
const aheadMs = Math.max(...skewsMs);

/** One process of the wallet: the real use case over the real store, reached over a faulty port. */
export class WalletProcess {
  readonly lifetime: Lifetime;
  private readonly store: WalletStore;
  private readonly discountCheck: DiscountCheck;
  private readonly deliveryIds: DeliveryIds;
  /** Null where calls come without HTTP. */
  private readonly front: WalletFront | null;

  constructor(
    private readonly world: World,
    private readonly plan: Plan,
    private readonly bank: Bank,
    private readonly planted: Planted,
    number: number,
    secrets: readonly string[],
  ) {
    this.lifetime = new Lifetime(world, skewsMs[number % skewsMs.length] ?? 0);
    const store = bank.open(this.lifetime);
    this.store = planted.access?.(store, world) ?? store;
    this.discountCheck = farDiscounts(this.lifetime);
    const seed = plan.seed + 7919 * number;
    this.deliveryIds = new DeliveryIds(createSeededRandom(seed));
    const { policy } = plan;
    const { store: own, lifetime, discountCheck } = this;
    const started = { store: own, lifetime, policy, discountCheck, deadlineMs, secrets, seed };
    this.front = plan.wire === 'http' ? new WalletFront(started) : null;
  }

  /** Takes a request of the service: a call, or a question for a balance; its reply is checked by itself. */
  async take(
    request: HttpRequest,
    arriving: Arriving,
    call: Call | null,
    playerId: string,
  ): Promise<HttpReply> {
    const { world, bank } = this;
    const isWhole = arriving === 'whole' || request.body.byteLength === 0;
    if (call !== null && isWhole) world.calls += 1;
    const purse = bank.purseOf({ operatorId, playerId });
    const sighting = purse?.watch() ?? null;
    const reply = await this.takeForeign(request, arriving);
    // Nobody hears what is said to a request that ended early.
    if (!isWhole) return reply;
    if (call === null) checkBalanceReply(world, reply, sighting);
    else checkCallReply(world, call, reply, sighting);
    return reply;
  }

  /** Takes a request of somebody. */
  takeForeign(request: HttpRequest, arriving: Arriving): Promise<HttpReply> {
    if (this.front === null) throw new Error('this world has no HTTP');
    return this.front.take(request, arriving);
  }

  /** Processes a call under a signature (D1.8); resolves to its reply, which is checked by itself. */
  async handle(sent: Call, fingerprint: string): Promise<Answer> {
    const { world, planted } = this;
    world.calls += 1;
    const call = planted.call?.(sent) ?? sent;
    const { playerId, gameRound, transactions } = call;
    const round = { operatorId, playerId, gameRound };
    const purse = this.bank.purseOf(round);
    const sighting = purse?.watch() ?? null;
    const [main] = purse?.list ?? [];
    const { blocks = 0 } = main ?? {};
    const isBlocked = main?.isBlockedFor(0) === true;
    const id = planted.deliveryId ?? this.deliveryIds.next();
    const delivery: Delivery = { id, fingerprint, isOtherBody: false };
    const decided = await this.process(round, call, delivery);
    const outcome = planted.outcome?.(decided, call) ?? decided;
    const { policy, store } = { policy: this.plan.policy, store: this.store };
    const reply = callReply(call, outcome, { renderError, policy }, store.decimals);
    const status = planted.status?.(reply.status, call, outcome) ?? reply.status;
    const answer = readReply(status, reply.body as unknown as JsonValue);
    if (sighting !== null && purse !== null) {
      const moved = movedBy(call, outcome);
      this.checkBalances(round, outcome, moved, sighting);
      const bet = moved.find(({ type }) => type === 'debit');
      // A ledger may have taken the stake before the block, and be asked again.
      const isStill = isBlocked && main?.blocks === blocks && main.isBlockedFor(aheadMs);
      if (bet !== undefined && isStill && this.bank.ledger === null) {
        world.fail('a blocked player takes no debit', `${gameRound}: ${bet.hash}`);
      }
    }
    checkReply(world, gameRound, transactions, answer);
    return answer;
  }

  private async process(round: RoundKey, call: Call, delivery: Delivery): Promise<CallOutcome> {
    const { store, lifetime, plan, discountCheck } = this;
    const ports = {
      rounds: store.rounds,
      clock: lifetime.clock,
      policy: plan.policy,
      deadlineMs,
      discountCheck,
    };
    const outcome = await doTransactions(round, call, delivery, ports);
    if (outcome.unknown !== null && holds(call, 'debit')) {
      this.world.watch(
        cancelRound(round, call, delivery, { ...ports, signal: new AbortController().signal }),
      );
    }
    return outcome;
  }

  /** O10: the balances of a reply are some that the player had while the call was processed. */
  private checkBalances(
    round: RoundKey,
    { accounts }: CallOutcome,
    moved: readonly Transaction[],
    sightings: ReadonlyMap<Purse, Sighting>,
  ): void {
    for (const [purse, sighting] of sightings) {
      const account = accounts?.find(({ currency }) => currency === purse.currency);
      if (account === undefined) continue;
      const sum = Number(account.real + (account.bonus ?? 0n));
      const isLater = moved.some((one) => 'currency' in one && one.currency === purse.currency);
      if (purse.had(sum, sighting, isLater)) continue;
      const had = purse.sumsSince(sighting);
      const text = `${round.gameRound}: a reply says ${sum}, and ${purse.name} had ${had}`;
      this.world.fail('O10', text);
    }
  }
}

/** The transactions that this delivery has processed, and that move money. */
function movedBy({ transactions }: Call, { verdicts }: CallOutcome): Transaction[] {
  return transactions.filter((one, at) => {
    const verdict = verdicts[at];
    const isFresh = verdict?.outcome === 'processed' && !verdict.replay;
    return isFresh && (one.type === 'debit' || one.type === 'credit') && one.amount > 0n;
  });
}
