import { type Answer, Connection } from '../load/connection';
import type { ServerTime } from './server-time';

type Time = Pick<ServerTime, 'now' | 'after' | 'pause'>;

/** How a request ended: the status of its answer, no answer in time, or not sent because every connection was busy. */
export type Outcome = number | 'silent' | 'unsent';

/** How long an RGS waits for an answer, with what it waited for a connection. */
export const silenceMs = 2000;

/**
 * How long it waits for a connection. Waiting as long as for the answer, it would send only requests that it gives up at once: the
 * connection that becomes free goes to the one that has waited longest.
 */
const patienceForLineMs = 1000;

/** Before a connection that was closed is opened anew, in milliseconds; twice as long after each one that is not let in. */
const reopenMs = { first: 10, most: 1000 };

/** A server that lets no more in closes a connection right after it accepted it. */
const letInMs = 10;

/** A server closes a connection that never sent anything long before one that rests, and would accept hundreds of new ones in a storm. */
const firstRequest = Buffer.from('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');

/** The connections of an RGS to a wallet: kept alive, and opened anew where one had to be closed. */
export class Lines {
  private readonly free: Connection[] = [];
  /** Who waits for a connection; the urgent ones first, since the wallet is measured and not this pool. */
  private readonly urgent = new Set<(connection: Connection) => void>();
  private readonly waiting = new Set<(connection: Connection) => void>();

  private oddAnswers = 0;
  private isClosed = false;

  private constructor(
    private readonly port: number,
    private readonly time: Time,
  ) {}

  static async open(port: number, count: number, time: Time): Promise<Lines> {
    const lines = new Lines(port, time);
    for (let at = 0; at < count; at += 1) {
      const connection = await Connection.open(port);
      await connection.call(firstRequest).catch(() => null); // not let in: replaced once it is wanted
      lines.free.push(connection);
    }
    return lines;
  }

  /** @param isUrgent It waits for a connection for as long as it takes; any other gives up with its whole patience. */
  async send(request: () => Buffer, isUrgent: boolean): Promise<Outcome> {
    const askedAt = this.time.now();
    const connection = this.takeFree() ?? (await this.wait(isUrgent));
    if (connection === null) return 'unsent';
    const waitedMs = isUrgent ? 0 : this.time.now() - askedAt;
    const outcome = await this.exchange(connection, request(), silenceMs - waitedMs);
    this.give(connection);
    return outcome;
  }

  close(): void {
    this.isClosed = true;
    for (const connection of this.free) connection.close();
  }

  /** The server may have closed some while nobody used them. */
  private takeFree(): Connection | undefined {
    for (;;) {
      const connection = this.free.pop();
      if (connection === undefined || connection.isFree) return connection;
      void this.replace(connection);
    }
  }

  private exchange(connection: Connection, request: Buffer, patienceMs: number): Promise<Outcome> {
    return new Promise((resolve) => {
      const cancel = this.time.after(patienceMs, () => resolve('silent'));
      const answered = connection.call(request).then((answer) => this.judge(answer));
      void answered
        .catch(() => 'silent' as const)
        .then(resolve)
        .finally(cancel);
    });
  }

  /** Prints the first answers that no load explains. */
  private judge({ status, body }: Answer): number {
    const isUsual = status === 200 || body.includes('"id":9007');
    if (!isUsual && this.oddAnswers++ < 5) process.stderr.write(`${status} ${body.slice(-500)}\n`);
    return status;
  }

  private wait(isUrgent: boolean): Promise<Connection | null> {
    const queue = isUrgent ? this.urgent : this.waiting;
    return new Promise((resolve) => {
      const take = (connection: Connection | null) => {
        cancel();
        queue.delete(take);
        resolve(connection);
      };
      const cancel = this.time.after(isUrgent ? Infinity : patienceForLineMs, () => take(null));
      queue.add(take);
    });
  }

  private give(connection: Connection): void {
    if (!connection.isFree) return void this.replace(connection);
    const [first] = this.urgent.size > 0 ? this.urgent : this.waiting;
    if (first === undefined) this.free.push(connection);
    else first(connection);
  }

  private async replace(broken: Connection): Promise<void> {
    broken.close();
    for (let pauseMs = reopenMs.first; ; pauseMs = Math.min(2 * pauseMs, reopenMs.most)) {
      await this.time.pause(pauseMs);
      if (this.isClosed) return;
      const opened = await Connection.open(this.port).catch(() => null);
      await this.time.pause(letInMs);
      if (this.isClosed) opened?.close();
      if (opened?.isFree === true) return this.give(opened);
    }
  }
}
