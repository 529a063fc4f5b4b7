import type { Command } from 'commander';
import { systemClock, systemRandom } from '../../platform';
import type { EventBatch } from '../../operator/wallet';
import { isLoopback } from '../admin/sign-in';
import { CommandFailure, exitCodes, needed, printJson } from '../terminal/failure';
import { alwaysJsonFlag, jsonFlag, wholeNumber } from '../terminal/flags';
import { createLog } from '../terminal/log';
import { addRun } from '../archive/run';
import { deliverEvents, readWebhookSecret } from './deliver';
import { addEventsFlags, type EventsFlags, undeclared, withEvents } from '../stores/events';
import { followEvents, nothingWaits } from './follow';
import { stopSignal } from '../terminal/stop-signals';
import { withoutControls } from '../../protocol/json/printable';

interface TailFlags extends EventsFlags {
  readonly once?: true;
}

interface DeliverFlags extends TailFlags {
  readonly to?: string;
  readonly allowPlainHttp?: true;
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
      .option('--once', once)
      .addOption(alwaysJsonFlag()),
  ).action((flags: TailFlags) => tail(flags));
  addEventsFlags(
    group.command('lag').summary('show the lag of each consumer').addOption(alwaysJsonFlag()),
  ).action((flags: EventsFlags) => lag(flags));
  addEventsFlags(
    group
      .command('forget')
      .summary('take back the declaration of a consumer')
      .description(
        'Deletes the events that no other consumer waits for. Restart the wallet without --events NAME first: it would declare the consumer again.',
      )
      .addOption(jsonFlag()),
  ).action((flags: EventsFlags & { readonly json?: true }) => forget(flags));
  addEventsFlags(
    group
      .command('deliver')
      .summary('post events to a URL, signed as Standard Webhooks are')
      .description(
        'Posts up to 100 events in a request, one request at a time. A failed request is retried after a pause that doubles each time. If the attempt after the longest pause fails too, it stops with exit code 1. Nothing is skipped.',
      )
      .option('--to <url>', 'where to post: https://, or http:// on this machine')
      .option('--allow-plain-http', 'post over http:// to another machine, readable on the way')
      .option('--secret-file <file>', 'a file with the secret: whsec_ and base64')
      .option('--once', once)
      .option('--retry-first-ms <n>', 'the first pause', wholeNumber(1, 3_600_000), 30_000)
      .option(
        '--retry-longest-ms <n>',
        'the longest pause, after which it stops',
        wholeNumber(1, 7 * 24 * 3_600_000),
        12 * 3_600_000,
      )
      .addOption(alwaysJsonFlag()),
  ).action((flags: DeliverFlags) => deliver(flags));
  // Another name of `archive run`, for one version.
  addRun(group, 'archive');
}

async function tail(flags: TailFlags): Promise<void> {
  const consumer = needed('consumer', flags.consumer);
  const once = flags.once === true;
  const signal = stopSignal();
  await withEvents(flags, async ({ source, operatorId }) => {
    const take = ({ events }: EventBatch): Promise<boolean> => {
      return print(events.map((event) => `${JSON.stringify(event)}\n`).join(''), signal);
    };
    const waits = `No event of operator ${operatorId} waits for consumer ${consumer}`;
    await followEvents({ consumer, operatorId, once, signal }, source, take, {
      nothing: note,
      waiting: () => note(`${waits}: waiting for new ones.`),
      again: (reason, pauseMs) => note(`Tried again in ${pauseMs} ms: ${reason}`),
    });
  });
}

async function lag(flags: EventsFlags): Promise<void> {
  await withEvents(flags, async ({ source, operatorId }) => {
    const lags = await source.lag(operatorId);
    for (const { consumer, waiting, oldestAt } of lags) {
      const oldest = oldestAt === null ? null : new Date(oldestAt).toISOString();
      await print(`${JSON.stringify({ consumer, waiting, oldest })}\n`);
    }
    const nothing = nothingWaits(operatorId, lags);
    if (nothing !== null) note(nothing);
  });
}

async function forget(flags: EventsFlags & { readonly json?: true }): Promise<void> {
  const consumer = needed('consumer', flags.consumer);
  await withEvents(flags, async ({ source, operatorId }) => {
    if (!(await source.forgetConsumer(consumer, [operatorId]))) {
      throw new CommandFailure(`${await undeclared(source, consumer)}.`);
    }
    if (flags.json) printJson({ forgotten: consumer });
    else await print(`The consumer ${consumer} is forgotten.\n`);
  });
}

async function deliver(flags: DeliverFlags): Promise<void> {
  const consumer = needed('consumer', flags.consumer);
  const secret = readWebhookSecret(needed('secret-file', flags.secretFile));
  const url = needed('to', flags.to);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new CommandFailure('--to must be an address that begins with https:// or http://');
  }
  const { username, password, protocol, hostname } = new URL(url);
  if (username !== '' || password !== '') {
    throw new CommandFailure(
      '--to takes no user and password: the receiver checks the signature, made with --secret-file.',
    );
  }
  const isOpen = protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, ''));
  if (isOpen && flags.allowPlainHttp !== true) {
    throw new CommandFailure(
      '--to must begin with https://: events have players and amounts, and over http:// everybody on the way reads them; --allow-plain-http sends them nevertheless',
    );
  }
  const once = flags.once === true;
  const signal = stopSignal();
  const log = createLog('info');
  await withEvents(flags, async ({ source, operatorId }) => {
    const whose = { operatorId, consumer };
    const pauses = { firstMs: flags.retryFirstMs, longestMs: flags.retryLongestMs };
    const ports = { clock: systemClock, random: systemRandom, log };
    const take = async ({ events }: EventBatch): Promise<boolean> => {
      const isAccepted = await deliverEvents(events, { url, secret, pauses, signal }, ports);
      if (!isAccepted && !signal.aborted) process.exitCode = exitCodes.wrong;
      return isAccepted;
    };
    await followEvents({ ...whose, once, signal }, source, take, {
      nothing: () => log.info(whose, 'no event of this operator waits'),
      waiting: () => log.info(whose, 'no event of this operator waits: waiting for new ones'),
      acknowledged: ({ events }) =>
        log.info({ events: events.length, last: events.at(-1)?.id }, 'events delivered'),
      again: (reason, pauseMs) =>
        log.warn({ reason, pauseMs }, 'the store of the events does not answer: tried again'),
    });
  });
}

/**
 * Resolves to true once the text is written: only then may its events be acknowledged. To false if the signal aborts
 * first, because a reader that stops reading would hold the command for ever.
 */
function print(text: string, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const end = (): void => resolve(false);
    signal?.addEventListener('abort', end);
    process.stdout.write(text, (error) => {
      signal?.removeEventListener('abort', end);
      if (error) reject(error);
      else resolve(true);
    });
  });
}

/** A line on stderr. */
function note(text: string): void {
  process.stderr.write(`${withoutControls(text)}\n`);
}
