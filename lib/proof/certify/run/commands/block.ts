import type { CertificationOptions } from '../options';
import type { CaseSteps } from '../steps';
import { byCommand, missing } from './by-command';

/** The block of the first player, by the user's commands. */
export class PlayerBlock {
  #isSet = false;

  constructor(
    private readonly options: Pick<CertificationOptions, 'block' | 'unblock'>,
    private readonly steps: CaseSteps,
  ) {}

  /** @throws NotTried without the commands; Undecided if it fails. */
  async set(): Promise<void> {
    const { block, unblock } = this.options;
    if (block === undefined || unblock === undefined) missing('--block and --unblock');
    this.steps.add('the player is blocked');
    // One that fails may have blocked the player all the same.
    this.#isSet = true;
    await byCommand(block);
  }

  /** Lifts it, if it is set: no case leaves it to the next one. @throws Undecided if that fails. */
  async lift(): Promise<void> {
    const { unblock } = this.options;
    if (!this.#isSet || unblock === undefined) return;
    this.steps.add('the block is lifted');
    await byCommand(unblock);
    this.#isSet = false;
  }
}
