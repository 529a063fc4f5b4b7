import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Clock, Random } from '../../platform';
import { CommandFailure } from '../terminal/failure';
import type { ArchiveDisk } from './disk';
import { lockName, unfinishedName } from './names';

/** Who holds the folder. */
interface Holder {
  readonly host: string;
  readonly pid: number;
  /** The machine's run and the space of process ids; "" where neither is known. */
  readonly place: string;
  /** Rises while the holder lives. */
  readonly at: number;
  /** No two holders have the same. */
  readonly token: string;
}

/** How often the holder renews its lock, in milliseconds. */
export const renewEveryMs = 5000;

/** A lock that was not renewed for so long is that of a process that ended. */
const deadAfterMs = 60_000;

/**
 * The lock of the folder: two processes that write would seal each other's files. A lock that is taken over by
 * mistake loses nothing, because {@link check} comes between what is written and its acknowledgement.
 */
export class ArchiveLock {
  #text = '';
  readonly #own: Omit<Holder, 'at'>;

  constructor(
    private readonly disk: ArchiveDisk,
    private readonly clock: Pick<Clock, 'now'>,
    random: Random,
  ) {
    const token = random.bytes(16).toString('hex');
    this.#own = { host: hostname(), pid: process.pid, place: placeOfProcess(), token };
  }

  /** @throws CommandFailure if another process holds it. */
  async take(): Promise<void> {
    const holder = await this.holder();
    if (holder !== null && this.isAlive(holder)) {
      throw new CommandFailure(
        `Process ${holder.pid} on ${holder.host} archives into this folder. If it has ended without a trace, wait a minute.`,
      );
    }
    await this.write();
  }

  /** Writes that this process lives. @throws CommandFailure if another process has taken the folder. */
  async renew(): Promise<void> {
    await this.check();
    await this.write();
  }

  /** @throws CommandFailure if another process has taken the folder. */
  async check(): Promise<void> {
    if ((await this.disk.read(lockName)) === this.#text) return;
    throw new CommandFailure('Another process has taken the folder: nothing was acknowledged.');
  }

  /** Lets the folder go, if it is still held. */
  async release(): Promise<void> {
    if ((await this.disk.read(lockName)) === this.#text) await this.disk.remove(lockName);
  }

  private async write(): Promise<void> {
    const text = `${JSON.stringify({ ...this.#own, at: this.clock.now() })}\n`;
    await this.disk.write(unfinishedName(lockName), [text]);
    await this.disk.rename(unfinishedName(lockName), lockName);
    this.#text = text;
  }

  private async holder(): Promise<Holder | null> {
    const text = await this.disk.read(lockName);
    try {
      return text === null ? null : (JSON.parse(text) as Holder);
    } catch {
      return null; // of a machine that lost power
    }
  }

  private isAlive({ place, pid, at }: Holder): boolean {
    const own = this.#own;
    if (place !== '' && place === own.place && (pid === own.pid || !isRunning(pid))) return false;
    return Math.abs(this.clock.now() - at) < deadAfterMs;
  }
}

/** Processes with the same place see each other by their ids; "" where that is unknown. */
function placeOfProcess(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM';
  }
}
