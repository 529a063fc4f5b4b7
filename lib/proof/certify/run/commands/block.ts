import { byCommand, missing } from './by-command';

/** The user's commands. */
interface BlockCommands {
  readonly block?: () => Promise<void>;
  readonly unblock?: () => Promise<void>;
}

/** The block of the first player, by the user's commands. */
export class PlayerBlock {
  #isSet = false;

  /** @param note Called with what is done, in words. */
  constructor(
    private readonly commands: BlockCommands,
    private readonly note: (text: string) => void,
  ) {}

  /** @throws NotTried without the commands; Undecided if it fails. */
  async set(): Promise<void> {
    const { block, unblock } = this.commands;
    if (block === undefined || unblock === undefined) missing('--block and --unblock');
    this.note('the player is blocked');
    // A command that fails may have blocked the player nevertheless.
    this.#isSet = true;
    await byCommand(block);
  }

  /** Lifts it, if it is set: no case leaves it to the next one. @throws Undecided if that fails. */
  async lift(): Promise<void> {
    const { unblock } = this.commands;
    if (!this.#isSet || unblock === undefined) return;
    this.note('the block is lifted');
    await byCommand(unblock);
    this.#isSet = false;
  }
}
