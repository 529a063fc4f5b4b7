import type { RedisServer } from '../../../servers/redis/server';
import type { ChaosServer } from './server';

/** The master of the moment: the one that was killed or paused comes back, and then the servers find together. */
export class Present implements ChaosServer {
  private down: RedisServer | null = null;

  constructor(
    private readonly master: () => Promise<RedisServer>,
    /** Resolves once there is a master with a replica in step again. */
    private readonly heal: () => Promise<void>,
  ) {}

  async kill9(): Promise<void> {
    this.down = await this.master();
    await this.down.kill9();
  }

  async restart(): Promise<void> {
    await this.down?.restart();
    await this.heal();
  }

  async pause(): Promise<void> {
    this.down = await this.master();
    await this.down.pause();
  }

  async resume(): Promise<void> {
    await this.down?.resume();
    await this.heal();
  }
}
