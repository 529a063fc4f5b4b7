import type { Command } from 'commander';
import { systemClock, systemRandom } from '../../platform';
import { CommandFailure, exitCodes } from '../terminal/failure';
import { wholeNumber } from '../terminal/flags';
import { createLog } from '../terminal/log';
import { addArchive } from './archive';
import { deliverEvents, readWebhookSecret } from './deliver';
import { addEventsFlags, type EventsFlags, needed, withEvents } from './flags';
import { stopSignal } from './stop-signal';

interface TailFlags extends EventsFlags {
  readonly once?: true;
}

interface DeliverFlags extends TailFlags {
  readonly to?: string;
  readonly secretFile?: string;
  readonly retryFirstMs: number;
  readonly retryLongestMs: number;
}

/** Adds `rgs-wallet events` and its subcommands. */
export function addEvents(program: Command): void {
  const group = program
    .command('events')
    .summary('follow what the wallet commits: print, deliver, or see how far behind a consumer is')
    .description(
      'Works with the events that a wallet writes while a consumer is declared (serve --events NAME). Each is delivered at least once, in order for each player.',
    );
  const once = 'end when nothing waits any more, instead of waiting for new events';
  addEventsFlags(
    group
      .command('tail')
      .summary('print events as lines of JSON, and acknowledge them once they are written')
      .option('--once', once),
  ).action((flags: TailFlags) => tail(flags));
  addEventsFlags(group.command('lag').summary('show how far each consumer is behind')).action(
    (flags: EventsFlags) => lag(flags),
  );
  addEventsFlags(
    group
      .command('forget')
      .summary('take back the declaration of a consumer')
      .description(
        'Deletes the events that no other consumer waits for. Restart the wallet without --events NAME first: it would declare the consumer again.',
      ),
  ).action((flags: EventsFlags) => forget(flags));
  addEventsFlags(
    group
      .command('deliver')
      .summary('post events to a URL, signed as Standard Webhooks are')
      .description(
        'Posts up to 100 events at once, one request at a time. A failed one is sent again, after a pause that doubles, until it is accepted. After the longest pause it stops with exit code 1: nothing is skipped.',
      )
      .option('--to <url>', 'where to post, http:// or https://')
      .option('--secret-file <file>', 'a file with the secret: whsec_ and base64')
      .option('--once', once)
      .option('--retry-first-ms <n>', 'the first pause', wholeNumber(1, 3_600_000), 30_000)
      .option(
        '--retry-longest-ms <n>',
        'the longest pause, after which it stops',
        wholeNumber(1, 7 * 24 * 3_600_000),
        12 * 3_600_000,
      ),
  ).action((flags: DeliverFlags) => deliver(flags));
  addArchive(group);
}

async function tail(flags: TailFlags): Promise<void> {
  const consumer = needed('consumer', flags.consumer);
  const signal = stopSignal();
  await withEvents(flags, async ({ store, operatorId }) => {
    const isDone = untilEmpty(flags, consumer);
    if (await isDone(store, operatorId)) return;
    for await (const batch of store.events({ consumer, operatorId, signal })) {
      const { events } = batch;
      await print(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
      await batch.done();
      if (await isDone(store, operatorId)) return;
    }
  });
}

async function lag(flags: EventsFlags): Promise<void> {
  await withEvents(flags, async ({ store, operatorId }) => {
    for (const { consumer, waiting, oldestAt } of await store.eventsLag(operatorId)) {
      const oldest = oldestAt === null ? null : new Date(oldestAt).toISOString();
      await print(`${JSON.stringify({ consumer, waiting, oldest })}\n`);
    }
  });
}

async function forget(flags: EventsFlags): Promise<void> {
  const consumer = needed('consumer', flags.consumer);
  await withEvents(flags, async ({ store, operatorId }) => {
    if (!(await store.forgetConsumer(consumer, [operatorId]))) {
      throw new CommandFailure(`The consumer ${consumer} is not declared.`);
    }
    await print(`The consumer ${consumer} is forgotten.\n`);
  });
}

async function deliver(flags: DeliverFlags): Promise<void> {
  const consumer = needed('consumer', flags.consumer);
  const secret = readWebhookSecret(needed('secret-file', flags.secretFile));
  const url = needed('to', flags.to);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new CommandFailure('--to must be an address that begins with https:// or http://');
  }
  const { username, password } = new URL(url);
  if (username !== '' || password !== '') {
    throw new CommandFailure(
      '--to takes no user and password: the receiver checks the signature, made with --secret-file.',
    );
  }
  const signal = stopSignal();
  const log = createLog('info');
  await withEvents(flags, async ({ store, operatorId }) => {
    const isDone = untilEmpty(flags, consumer);
    if (await isDone(store, operatorId)) return;
    const pauses = { firstMs: flags.retryFirstMs, longestMs: flags.retryLongestMs };
    const ports = { clock: systemClock, random: systemRandom, log };
    for await (const batch of store.events({ consumer, operatorId, signal })) {
      const { events } = batch;
      if (!(await deliverEvents(events, { url, secret, pauses, signal }, ports))) {
        if (!signal.aborted) process.exitCode = exitCodes.wrong;
        return;
      }
      await batch.done();
      log.info({ events: events.length, last: events.at(-1)?.id }, 'events delivered');
      if (await isDone(store, operatorId)) return;
    }
  });
}

/** With --once: whether nothing waits for the consumer any more. */
function untilEmpty({ once }: TailFlags, consumer: string) {
  return async (
    store: {
      eventsLag(operatorId: string): Promise<readonly { consumer: string; waiting: number }[]>;
    },
    operatorId: string,
  ): Promise<boolean> => {
    if (once !== true) return false;
    const lags = await store.eventsLag(operatorId);
    return lags.some((one) => one.consumer === consumer && one.waiting === 0);
  };
}

/** Resolves once the text is written: only then may its events be acknowledged. */
function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
