import { expect, test } from '@jest/globals';
import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { createGameEngineClient, type GameEngineClient } from '../../../lib/provider';
import { createEngineHandler } from '../../../lib/rgs/http/engine';
import { Rig } from '../../rgs/service/rig';
import type { Fault as WalletFault } from '../../rgs/service/purse';
import type { Fault } from '../scripted-rgs';
import { FaultyLine } from './faulty-line';

const gameProviderId = 'studio';
const secret = 'studio-secret-0123456789';

const lineFaults = array(
  constantFrom<Fault>('none', 'none', 'lost', 'replyLost', 'late', 'busy', 'broken', 'nonsense'),
  { maxLength: 12 },
);
const walletFaults = array(
  constantFrom<WalletFault | null>(
    null,
    null,
    null,
    'lost',
    'lostReply',
    'slow',
    'decline',
    'pending',
  ),
  { maxLength: 6 },
);
const rounds = array(
  record({
    stake: integer({ min: 1, max: 60 }),
    added: integer({ min: 0, max: 20 }),
    winAmount: integer({ min: 0, max: 90 }),
    ending: constantFrom('collect', 'end', 'void', 'abandoned'),
    lineFaults,
    walletFaults,
  }),
  { minLength: 1, maxLength: 3 },
);

type Played = Parameters<Parameters<typeof rounds.map>[0]>[0][number];

/** What the provider's own book says of a call, once nothing fails any more. */
type Told = 'taken' | 'notTaken';

/** A provider that plays over a failing line, with its own book. */
class Studio {
  /** Units that the player has won in all, less the stakes, as the provider sees it. */
  net = 0n;

  constructor(
    readonly rig: Rig,
    readonly line: FaultyLine,
    readonly client: GameEngineClient,
  ) {}

  async play(id: string, token: string, round: Played): Promise<void> {
    this.line.faults = [...round.lineFaults];
    this.rig.purse.faults = [...round.walletFaults];
    const opening = { id, token, stake: round.stake, currency: 'EUR' };
    const opened = await this.rig.run(settledOf(this.client.openRound(opening)));
    if (opened.kind !== 'taken') {
      if (opened.kind === 'unknown') await this.#abandon(id, round);
      return;
    }
    const game = opened.value;
    const ask = async (): Promise<unknown> => {
      this.line.faults = [];
      return game.recover();
    };
    let bets = BigInt(round.stake);
    if (round.added > 0) {
      const added = await this.#told(game.addBet({ stake: round.added }), ask);
      if (added === 'taken') bets += BigInt(round.added);
    }
    this.net -= bets;
    if (round.ending === 'void') {
      if ((await this.#told(game.void(), ask)) === 'taken') this.net += bets;
      return;
    }
    const collect = round.ending === 'collect';
    const won = await this.#told(game.addWin({ winAmount: round.winAmount, collect }), ask);
    expect(won).toBe('taken');
    this.net += BigInt(round.winAmount);
    if (round.ending === 'end') expect(await this.#told(game.end(), ask)).toBe('taken');
    if (round.ending === 'abandoned') await this.#close(id);
  }

  /** A start that stays unknown: the RGS asks for the round a day later, or never had it. */
  async #abandon(id: string, { stake }: Played): Promise<void> {
    this.line.faults = [];
    this.rig.purse.faults = [];
    await this.rig.run(this.line.arrive());
    const state = await this.#close(id);
    if (state !== null) this.net -= BigInt(stake);
  }

  /** As the RGS asks for it, and again an hour later where that failed. */
  async #close(id: string): Promise<unknown> {
    for (let hour = 0; hour < 3; hour++) {
      const closed = await this.rig.run(settledOf(this.client.closeAbandoned(id)));
      if (closed.kind === 'taken') return closed.value;
      this.line.faults = [];
    }
    const again = this.client.closeAbandoned(id).catch((error: unknown) => {
      expect(error).toMatchObject({ id: 14 });
      return null;
    });
    return this.rig.run(again);
  }

  async #told(work: Promise<unknown>, ask: () => Promise<unknown>): Promise<Told> {
    const first = await this.rig.run(settledOf(work));
    if (first.kind !== 'unknown') return first.kind;
    const second = await this.rig.run(settledOf(ask()));
    expect(second.kind).not.toBe('unknown');
    return second.kind as Told;
  }
}

type Settled<T> =
  | { readonly kind: 'taken'; readonly value: T }
  | { readonly kind: 'notTaken' | 'unknown' };

async function settledOf<T>(work: Promise<T>): Promise<Settled<T>> {
  try {
    return { kind: 'taken', value: await work };
  } catch (error) {
    const { outcome } = error as { outcome?: unknown };
    if (outcome === undefined) throw error;
    return { kind: outcome === 'unknown' ? 'unknown' : 'notTaken' };
  }
}

/** Registers the histories of a provider, this RGS and a wallet, so many of them. */
export function threePartyHistories(numRuns: number): void {
  test('the provider’s own book and the wallet agree to the unit, no matter what is lost on both lines (S2, B3)', async () => {
    await assert(
      asyncProperty(rounds, async (played) => {
        const rig = await Rig.start({ ages: { autoCloseAfterMs: 10 ** 9 } });
        const handler = createEngineHandler({
          service: rig.service,
          providers: [{ gameProviderId, secrets: [secret] }],
          clock: rig.clock,
          // Of 100,000, its own number, the memory is what takes most of the time.
          rememberedSignatures: 1000,
        });
        const line = new FaultyLine(handler.handle);
        const client = createGameEngineClient({
          baseUrl: 'https://rgs.example',
          gameProviderId,
          secret,
          clock: rig.clock,
          fetch: line.fetch,
        });
        const studio = new Studio(rig, line, client);
        for (const [at, round] of played.entries()) {
          await studio.play(`round-${at}`, await rig.token(), round);
          line.faults = [];
          rig.purse.faults = [];
          await rig.run(line.arrive());
          await rig.run(rig.service.idle());
          await rig.run(rig.service.runJanitor());
          await rig.run(rig.service.idle());
        }
        expect(rig.purse.balance - 1000n).toBe(studio.net);
        expect(Math.max(0, ...rig.purse.effects.values())).toBeLessThanOrEqual(1);
        await rig.run(rig.service.close());
      }),
      { numRuns },
    );
  });
}
