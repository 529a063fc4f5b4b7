import { describe, expect, test } from '@jest/globals';

import { createOperatorHandler, type OperatorHandler } from '../../../lib/operator/http/handler';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { VirtualClock } from '../../support/virtual-clock';
import { cleanupAfterEach } from '../../support/each-test';

const cleanup = cleanupAfterEach();
/** A wallet with a clock tolerance of 300 s (D1.3), over a store whose server has a clock of its own. */
class Rig {
  readonly clock = new VirtualClock(1_800_000_000_000);
  /** How far the server's clock is ahead of the wallet's. */
  aheadMs = 0;
  /** What happens while the store is asked: nothing, unless set. */
  whileAsked: () => Promise<void> = async () => {};
  asked = 0;
  readonly logged: string[] = [];
  readonly handler: OperatorHandler;

  constructor(time: (() => Promise<number | null>) | null = () => this.serverTime()) {
    const log = (level: string) => (fields: object, text: string) => {
      this.logged.push(`${level} ${text} ${JSON.stringify(fields)}`);
    };
    this.handler = createOperatorHandler({
      store: {
        ...createMemoryStore(),
        server: time === null ? undefined : { time, lostCommits: 0 },
      },
      operators: [{ operatorId: 'casino', secrets: ['a-secret-of-16-bytes'] }],
      clock: this.clock,
      logger: { info: log('info'), warn: log('warn'), error: log('error') },
    });
    cleanup.after(this.handler);
  }

  private async serverTime(): Promise<number> {
    this.asked += 1;
    const time = this.clock.now() + this.aheadMs;
    await this.whileAsked();
    return time;
  }

  ready(): Promise<void> {
    return this.clock.run(this.handler.ready());
  }
}

const silence = (): Promise<number> => new Promise(() => {});

const differs = (ms: number): string =>
  JSON.stringify({ differenceMs: ms, clockToleranceMs: 300_000 });

describe('the clock of a wallet, compared with that of its store (D1.3)', () => {
  test.each([0, 30_000, -30_000])('is right at a difference of %i ms', async (ms) => {
    const rig = new Rig();
    rig.aheadMs = ms;
    await rig.ready();
    await rig.clock.pass(60_000);
    expect(rig.logged).toEqual([]);
  });

  test.each([30_001, 150_000, -150_000])('is warned of at a difference of %i ms', async (ms) => {
    const rig = new Rig();
    rig.aheadMs = ms;
    await rig.ready();
    await rig.clock.pass(60_000);
    expect(rig.logged).toEqual([
      `warn the clocks of this process and the store differ by more than a tenth of clockToleranceMs ${differs(-ms)}`,
    ]);
  });

  test.each([150_001, 3_600_000, -3_600_000])(
    'makes the wallet not ready at a difference of %i ms, and is compared every 30 s until it is right',
    async (ms) => {
      const rig = new Rig();
      await rig.ready();
      rig.aheadMs = ms;
      await rig.clock.pass(30_000);
      const side = ms > 0 ? 'behind' : 'ahead of';
      await expect(rig.ready()).rejects.toMatchObject({
        code: 'CLOCKDIFFERS',
        message: expect.stringContaining(`${Math.abs(ms)} ms ${side} that of the store`),
      });
      rig.aheadMs = 0;
      await rig.ready();
      expect(rig.logged).toEqual([
        `error not ready: the clocks of this process and the store differ by more than half of clockToleranceMs ${differs(-ms)}`,
        'info the clocks of this process and the store agree again {"differenceMs":0}',
      ]);
    },
  );

  test('that a slow machine cannot tell from the store’s is right', async () => {
    const rig = new Rig();
    rig.whileAsked = async () => rig.clock.setWallClock(3_600_000); // stood still, then woke an hour later
    await rig.ready();
    rig.whileAsked = async () => rig.clock.setWallClock(-3_600_000); // was set right meanwhile
    await rig.clock.pass(60_000);
    await rig.ready();
    expect([rig.logged, rig.asked > 1]).toEqual([[], true]);
  });

  test('is right where the store is silent, fails or answers nonsense, and what is known stays', async () => {
    let answer: () => Promise<number> = silence;
    const rig = new Rig(() => answer());
    await rig.ready();
    answer = () => {
      throw new Error('no');
    };
    await rig.clock.pass(30_000);
    answer = async () => Number.NaN;
    await rig.clock.pass(30_000);
    await rig.ready();
    expect(rig.logged).toEqual([]);
    answer = async () => rig.clock.now() + 3_600_000;
    await rig.clock.pass(30_000);
    answer = silence;
    await expect(rig.ready()).rejects.toMatchObject({ code: 'CLOCKDIFFERS' });
  });

  test('is not compared where the store may not be asked, which is said once, or has no clock', async () => {
    const rig = new Rig(async () => null);
    await rig.clock.pass(90_000);
    await rig.ready();
    expect(rig.logged).toEqual([
      'warn the clock of this process is not compared: TIME is not permitted in Redis {}',
    ]);
    const without = new Rig(null);
    await without.ready();
    expect([without.logged, without.clock.waiting]).toEqual([[], 0]);
  });

  test('is compared no more once the wallet is closed', async () => {
    const rig = new Rig();
    await rig.clock.pass(30_000);
    await rig.handler.close();
    const { asked } = rig;
    await rig.clock.pass(90_000);
    expect([rig.asked, rig.clock.waiting]).toEqual([asked, 0]);
  });
});
