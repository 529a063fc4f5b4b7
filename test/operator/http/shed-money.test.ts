import { expect, test } from '@jest/globals';
import type { OperatorOptions } from '../../../lib/operator/http/options';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { systemClock } from '../../../lib/platform';
import { createRequestSigner, type SignedRequest } from '../../../lib/proof';
import { seededRandom } from '../../platform/seeded-random';
import { TestLoop } from '../../platform/test-loop';
import { testSeed } from '../../support/seed';
import { type Answer, bodyOf, createRig, debit, euros, playerId, type Rig, secret } from './rig';

type Kind = 'open' | 'follow' | 'credit' | 'void' | 'forged';
type Round = { id: string; round: string };
type Debit = Round & { hash: string; amount: number; kind: Kind; more?: readonly object[] };
const sequences = Number(process.env['STORMS'] ?? 6);
const ids = ['acme', 'bold'] as const;
const stakes = 10_000;
/** Half of the turn's 10 ms, for two. */
const shareMs = 2.5;
const ways = ['once', 'once', 'once', 'twice', 'late copy', 'silent', 'overtaken'] as const;
const operators = ids.map((operatorId) => ({ operatorId, secrets: [secret + operatorId] }));
let latest = Date.now();
const now = (): number => (latest += 1);
const signerOf = (operatorId: string, key = secret + operatorId) =>
  createRequestSigner({ operatorId, secret: key, now });
const wonIn = (round: string): object[] => [
  { type: 'credit', hash: `${round}-c`, currency: 'EUR', amount: 7 },
  { type: 'end', hash: `${round}-e` },
];

/** An RGS with two operators, and strangers, who call a wallet whose loop is at times overloaded. */
class Storm {
  readonly faults: string[] = [];
  readonly counts = { played: 0, shed: 0, forgedShed: 0 };
  readonly #loop = new TestLoop();
  #random!: () => number;
  /** What each operator's calls took of this turn, at most. */
  readonly #taken = new Map<string, number>();
  readonly #shed = new Set<SignedRequest>();
  readonly #seen = new Set<SignedRequest>();
  readonly #late: (() => Promise<unknown>)[] = [];
  readonly #believed = new Map<string, number>(ids.map((id) => [id, stakes]));
  readonly #running: Round[] = [];
  #rig!: Rig;
  async play(
    seed: number,
    shed: Pick<OperatorOptions, 'shed' | 'turnBudgetMs' | 'turnSpikeMs'>,
  ): Promise<this> {
    this.#random = seededRandom(seed);
    const [store, loop] = [createMemoryStore(), this.#loop];
    const account = { playerId, currency: 'EUR', balances: { real: String(stakes) } };
    for (const operatorId of ids) await store.players.openPlayer({ operatorId, ...account });
    const own = { store, operators, clock: { ...systemClock, loop }, deadlineMs: 60_000 };
    this.#rig = await createRig({ ...own, ...shed });
    for (let step = 0, isBusy = false; step < 120; step++) {
      if (this.#below(12) === 0) isBusy = !isBusy;
      loop.costMs = isBusy ? this.#below(7) / 4 : 0;
      await this.#act();
      loop.work(isBusy ? this.#below(30) : 0);
      if (this.#below(4) > 0) continue;
      loop.work(isBusy ? 11 : 0);
      loop.endTurn();
      this.#taken.clear();
      if (!isBusy) loop.sleep(this.#below(200));
    }
    while (this.#running.length > 0) await this.#finish();
    for (const post of this.#late) await post();
    for (const operatorId of ids) {
      const result = await store.rounds.accounts({ operatorId, playerId });
      const kept = result.kind === 'unknown' ? undefined : result.accounts?.[0]?.real;
      const believed = euros(this.#believed.get(operatorId)!);
      this.#check(kept === believed, `${operatorId} has ${kept}, the RGS believes ${believed}`);
    }
    await this.#rig.close();
    return this;
  }
  #below = (n: number): number => Math.floor(this.#random() * n);
  readonly #one = <T>(of: readonly T[]): T => of[this.#below(of.length)]!;
  readonly #check = (holds: boolean, text: string) => void (holds || this.faults.push(text));
  readonly #move = (id: string, by: number) => this.#believed.set(id, this.#believed.get(id)! + by);
  async #act(): Promise<void> {
    const what = this.#below(8);
    if (what < 4) return this.#open();
    if (what === 4) return this.#finish();
    if (what === 5) return void (await this.#late.splice(this.#below(this.#late.length), 1)[0]?.());
    const signer = signerOf(this.#one(ids), 'a-secret-of-a-stranger');
    const forged = () => signer.doTransactions(bodyOf([debit()]));
    for (let i = 0; i < 4; i++) await this.#post('', forged(), 'forged');
  }
  /** A new round, at times with its win and end in the same call. */
  async #open(): Promise<void> {
    const [id, round, amount] = [this.#one(ids), `round-${now()}`, 1 + this.#below(9)];
    const isWhole = this.#below(3) === 0;
    const more = isWhole ? wonIn(round) : [];
    if (!(await this.#debit({ id, round, hash: round, amount, kind: 'open', more }))) return;
    this.counts.played += 1;
    if (isWhole) this.#move(id, 7);
    else this.#running.push({ id, round });
  }
  /** A follow-up debit at times, and then the win and the end. */
  async #finish(): Promise<void> {
    const [going] = this.#running.splice(this.#below(this.#running.length), 1);
    if (going === undefined) return;
    const more: Debit = { ...going, hash: `${going.round}-f`, amount: 3, kind: 'follow' };
    if (this.#below(2) === 0) await this.#debit(more);
    await this.#insist(going.id, going.round, wonIn(going.round), 'credit');
    this.#move(going.id, 7);
  }
  /** 200: it counts. 4xx: nothing. 5xx or silence: it is voided until that is answered. */
  async #debit({ id, round, hash, amount, kind, more = [] }: Debit): Promise<boolean> {
    const first = debit(amount, { hash, isFirstDebit: kind === 'open' });
    const status = await this.#deliver(id, round, [first, ...more], kind);
    if (status === 200) this.#move(id, -amount);
    if (status >= 500) await this.#insist(id, round, [{ ...first, type: 'void' }], 'void');
    return status === 200;
  }
  async #insist(id: string, round: string, what: readonly object[], kind: Kind): Promise<void> {
    for (let tries = 0; tries < 20; tries++)
      if ((await this.#deliver(id, round, what, kind)) === 200) return;
    this.#check(false, `a ${kind} is never answered 200`);
  }
  /** The status that the RGS hears; 599 if it hears none. */
  async #deliver(id: string, round: string, what: readonly object[], kind: Kind): Promise<number> {
    const request = signerOf(id).doTransactions(bodyOf(what, { gameRound: round }));
    const post = () => this.#post(id, request, kind);
    const way = this.#one(ways);
    if (way === 'late copy' || way === 'overtaken') this.#late.push(post);
    if (way === 'overtaken') return 599;
    const answers = await Promise.all(way === 'twice' ? [post(), post()] : [post()]);
    return way === 'silent' ? 599 : this.#one(answers).status;
  }
  async #post(id: string, request: SignedRequest, kind: Kind): Promise<Answer> {
    const before = this.#taken.get(id) ?? 0;
    const mayBeShed = kind === 'forged' || this.#shed.has(request) || before > shareMs;
    const sent = this.#loop.nowMs();
    const answer = await this.#rig.send(request);
    const took = this.#loop.nowMs() - sent - this.#loop.costMs;
    this.#taken.set(id, (this.#taken.get(id) ?? 0) + took);
    const isShed = (answer.body as { errorCode?: { id?: number } }).errorCode?.id === 9007;
    const isForged = kind === 'forged';
    const holds = {
      alike: !this.#seen.has(request) || this.#shed.has(request) === isShed,
      creditsBelow500: kind !== 'credit' || answer.status < 500,
      strangersUnheard: !isForged || isShed || answer.status === 401,
      runningUnshed: !isShed || kind === 'open' || isForged,
      shareUnshed: !isShed || mayBeShed,
    };
    const isFine = Object.values(holds).every(Boolean);
    this.#check(isFine, JSON.stringify({ ...holds, kind, text: answer.text }));
    this.#seen.add(request);
    if (isShed) this.#shed.add(request);
    if (isShed) this.counts[isForged ? 'forgedShed' : 'shed'] += 1;
    return answer;
  }
}

test.each([
  { shed: 'void', turnBudgetMs: 10, turnSpikeMs: 100 },
  { shed: 'refuse', turnBudgetMs: 10, turnSpikeMs: 100 },
  {},
] as const)(
  'under overload an RGS that keeps the rules has the books of the wallet, and only rounds beyond a share are shed: %j',
  async (shed) => {
    const all = { played: 0, shed: 0, forgedShed: 0 };
    for (let seed = testSeed; seed < testSeed + sequences; seed++) {
      const { faults, counts } = await new Storm().play(seed, shed);
      expect({ seed, faults }).toEqual({ seed, faults: [] });
      for (const name of ['played', 'shed', 'forgedShed'] as const) all[name] += counts[name];
    }
    const sheds = 'shed' in shed;
    expect(Object.values(all).map((count) => count > 0)).toEqual([true, sheds, sheds]);
  },
);
