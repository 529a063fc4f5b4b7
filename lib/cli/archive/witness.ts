import type { Command } from 'commander';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { longestRequest, Witness } from '../../operator/archive/anchors/witness';
import { LogFormatError, type NoteKey, parseVkey, witnessVkey } from '../../operator/archive/tlog';
import { systemClock, systemRandom } from '../../platform';
import { BodyRefusedError, pathOf, readBytes } from '../../platform/http';
import { thisProcess } from '../../operator/archive/writer/holder';
import { CommandFailure, messageOf, needed } from '../terminal/failure';
import { alwaysJsonFlag, collect } from '../terminal/flags';
import { HttpService } from '../terminal/http-service';
import { createLog, type ServiceLog } from '../terminal/log';
import { catchStopSignals } from '../terminal/stop-signals';
import { diskOf } from './folder';
import { readKeyFile } from './key-file';
import { listenPlace, send } from './metrics';

interface WitnessFlags {
  readonly listen?: string;
  readonly key?: string;
  readonly state?: string;
  readonly log?: readonly string[];
}

/** Adds `rgs-wallet archive witness`. */
export function addWitness(group: Command): void {
  group
    .command('witness')
    .summary('sign what other machines archive, as long as it only grows')
    .description(
      'Serves C2SP tlog-witness: keeps size and root of each log, and signs a checkpoint only if the log has grown from there. Run it on another machine, with another administrator. Put TLS in front of it.',
    )
    .option('--listen <host:port>', 'where to listen')
    .option('--key <file>', 'the key of the witness, from archive key new')
    .option('--state <dir>', 'what the witness has signed: never delete it')
    .option('--log <vkey>', 'the public key of a log; repeatable', collect)
    .addOption(alwaysJsonFlag())
    .action((flags: WitnessFlags) => serve(flags));
}

async function serve(flags: WitnessFlags): Promise<void> {
  const { host, port } = listenPlace('listen', needed('listen', flags.listen));
  const signer = readKeyFile('key', needed('key', flags.key));
  const logs = (flags.log ?? []).map(logKey);
  if (logs.length === 0)
    throw new CommandFailure('--log is missing: name the public key of each log.');
  const state = needed('state', flags.state);
  const disk = await diskOf('state', state);
  const witness = await openWitness(state, {
    disk,
    signer,
    logs,
    clock: systemClock,
    random: systemRandom,
    process: thisProcess(),
  });
  const log = createLog('info');
  const service = new HttpService({
    answer: (request, response) => void answer(witness, request, response, log),
    maxConnections: 100,
    whenFull: 'closeIdle',
    log,
  });
  const { first, second } = catchStopSignals();
  const bound = await service.listen(port, host, '--listen');
  const names = logs.map(({ name }) => name);
  log.info({ host, port: bound, vkey: witnessVkey(signer), logs: names }, 'the witness listens');
  await first;
  await service.close(second);
  await witness.close();
}

async function openWitness(
  state: string,
  options: Parameters<typeof Witness.open>[0],
): Promise<Witness> {
  try {
    return await Witness.open(options);
  } catch (error) {
    throw new CommandFailure(`--state: ${state} cannot be used: ${messageOf(error)}`);
  }
}

function logKey(vkey: string): NoteKey {
  try {
    return parseVkey(vkey);
  } catch (error) {
    if (error instanceof LogFormatError) throw new CommandFailure(`--log: ${error.message}`);
    throw error;
  }
}

async function answer(
  witness: Witness,
  request: IncomingMessage,
  response: ServerResponse,
  log: ServiceLog,
): Promise<void> {
  try {
    if (!pathOf(request.url ?? '').endsWith('/add-checkpoint'))
      return send(response, 404, 'not found\n');
    if (request.method !== 'POST') return send(response, 405, 'POST only\n');
    const { status, type, body } = await witness.addCheckpoint(
      await readBytes(request, longestRequest),
    );
    if (status !== 200) log.warn({ status, reason: body.trim() }, 'a checkpoint was not signed');
    send(response, status, body, type);
  } catch (error) {
    if (error instanceof BodyRefusedError) return send(response, error.status, `${error.detail}\n`);
    log.error({ reason: messageOf(error) }, 'the witness cannot keep a checkpoint');
    send(response, 500, 'internal error\n');
  }
}
