import type { Command } from 'commander';
import { type Compression, mostEvents } from '../../operator/archive/format';
import { Anchoring } from '../../operator/archive/anchors/anchoring';
import { archiveEvents, isUnavailable } from '../../operator/archive/run';
import { hasCompression } from '../../operator/archive/writer/segment-file';
import { usualSegmentEvents } from '../../operator/archive/writer/options';
import { type EventSource, UnknownConsumerError } from '../../operator/wallet';
import { systemClock, systemRandom } from '../../platform';
import { addEventsFlags, archiveConsumer, type EventsFlags, withEvents } from '../stores/events';
import { CommandFailure, exitCodes, needed } from '../terminal/failure';
import { alwaysJsonFlag, collect, wholeNumber } from '../terminal/flags';
import { createLog } from '../terminal/log';
import { stopSignal } from '../terminal/stop-signals';
import { parseAnchors } from './anchors';
import { inFolder } from './folder';
import { readKeyFile } from './key-file';
import { listenPlace, serveMetrics, unanchoredGauge } from './metrics';

interface RunFlags extends EventsFlags {
  readonly to?: string;
  readonly key?: string;
  readonly origin?: string;
  readonly anchor?: readonly string[];
  readonly once?: true;
  readonly segmentEvents: number;
  readonly segmentMinutes: number;
  readonly checkpointSeconds: number;
  readonly compress: string;
  readonly metrics?: string;
}

/** Events of a page: one write and one acknowledgement for all of them. */
const pageSize = 1_000;

/** Adds the command that archives events, under this name. */
export function addRun(group: Command, name: 'run' | 'archive'): void {
  addEventsFlags(
    group
      .command(name)
      .summary('archive events as they come')
      .description(
        'Appends events to the log and acknowledges them once they are on the disk. Signs the log each minute, and seals segments of it. Start it again after a crash: nothing is lost.',
      )
      .option('--to <dir>', 'the folder, created if it does not exist; one for each operator')
      .option('--key <file>', 'the key that signs, from archive key new')
      .option('--origin <name>', 'the name of the log, for a key file without it')
      .option(
        '--anchor <place>',
        'who else keeps checkpoints: a folder, https:// of a witness, or rfc3161+https:// of a time authority; repeatable',
        collect,
      )
      .option('--once', 'end when nothing waits any more, instead of waiting for new events')
      .option(
        '--segment-events <n>',
        'a segment ends at so many events',
        wholeNumber(1, mostEvents),
        usualSegmentEvents,
      )
      .option(
        '--segment-minutes <n>',
        'or so long after its first event',
        wholeNumber(1, 44_640),
        60,
      )
      .option('--checkpoint-seconds <n>', 'how often the log is signed', wholeNumber(1, 86_400), 60)
      .option('--metrics <host:port>', 'serve /metrics for Prometheus there')
      .option('--compress <how>', 'gzip, or zstd (Node 22.15)', 'gzip')
      .addOption(alwaysJsonFlag()),
  ).action((flags: RunFlags) => run(flags));
}

async function run(flags: RunFlags): Promise<void> {
  const to = needed('to', flags.to);
  const signer = readKeyFile('key', needed('key', flags.key), flags.origin);
  const anchors = await parseAnchors(flags.anchor ?? [], to);
  const compression = compressionOf(flags.compress);
  const place = flags.metrics === undefined ? null : listenPlace('metrics', flags.metrics);
  const consumer = flags.consumer ?? archiveConsumer;
  const { segmentEvents, once = false } = flags;
  const signal = stopSignal();
  const log = createLog('info');
  const report = (level: 'info' | 'warn' | 'error', fields: object, message: string): void =>
    log[level](fields, message);
  const ports = { clock: systemClock, random: systemRandom, report };
  await withEvents(flags, async ({ source, operatorId }) => {
    await refuseUndeclared(source, consumer, once);
    const options = {
      operatorId,
      signer,
      segmentEvents,
      compression,
      segmentMs: flags.segmentMinutes * 60_000,
      report,
    };
    await inFolder(to, options, async (writer) => {
      const [prove, keepTimestamp] = [writer.prove.bind(writer), writer.keepTimestamp.bind(writer)];
      const anchoring = new Anchoring(anchors, {
        ...ports,
        log: { origin: signer.name, keys: writer.keys, prove, keepTimestamp },
        keep: (note) => writer.addCosigned(note),
      });
      const gauge = unanchoredGauge(operatorId, anchoring);
      const metrics = place === null ? null : await serveMetrics(gauge, place);
      if (metrics !== null) log.info({ ...place, port: metrics.port }, 'metrics listening');
      const request = {
        consumer,
        operatorId,
        once,
        signal,
        checkpointMs: flags.checkpointSeconds * 1_000,
        pageSize: Math.min(pageSize, segmentEvents),
      };
      try {
        await archiveEvents(request, { ...ports, source, writer, anchoring });
      } finally {
        await anchoring.close();
        await metrics?.close();
      }
      // Of a run that a timer starts, nobody reads the log.
      if (once && anchoring.isContradicted) process.exitCode = exitCodes.wrong;
    });
  });
}

/**
 * Before the folder is made or taken. A store that does not answer yet says so when its events are read.
 * @throws UnknownConsumerError
 */
async function refuseUndeclared(
  source: EventSource,
  consumer: string,
  once: boolean,
): Promise<void> {
  try {
    if ((await source.declaredConsumers()).includes(consumer)) return;
  } catch (error) {
    if (once || !isUnavailable(error)) throw error;
    return;
  }
  throw new UnknownConsumerError(consumer);
}

function compressionOf(text: string): Compression {
  if (text !== 'gzip' && text !== 'zstd')
    throw new CommandFailure('--compress must be gzip or zstd.');
  if (hasCompression(text)) return text;
  throw new CommandFailure('--compress zstd needs Node 22.15 or later.');
}
