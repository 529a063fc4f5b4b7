import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A script as the server knows it. */
export interface Script {
  readonly name: string;
  readonly source: string;
  readonly sha: string;
  /** Whether others rely on its answer, so that it must rest on what the replicas have. */
  readonly acknowledges: boolean;
}

/** The scripts of the store; the header of each file describes its arguments and replies. */
export const scripts = {
  commit: readScript('commit', true, ['fields']),
  load: readScript('load', true),
  open: readScript('rounds/open', true, ['fields', 'load', 'commit']),
  follow: readScript('follow', true, ['fields', 'load', 'commit']),
  readAccounts: readScript('read-accounts', false),
  readRound: readScript('rounds/read', false),
  listRounds: readScript('rounds/list', false),
  readHeads: readScript('rounds/read-heads', false),
  readVersions: readScript('rounds/read-versions', false),
  openPlayer: readScript('open-player', true),
  blockPlayer: readScript('block-player', true),
  readBlocks: readScript('read-blocks', false),
  moveCash: readScript('move-cash', true),
  readCash: readScript('read-cash', false),
  readBooks: readScript('read-books', false),
  readHistory: readScript('history/read', false),
  readRounds: readScript('history/read-rounds', false),
  searchRounds: readScript('history/search', false),
  readHistoryPart: readScript('history/read-part', false),
  removeExpired: readScript('history/remove-expired', false),
  noteHistory: readScript('history/note', false),
  listOpen: readScript('open-rounds/list', false),
  mendOpen: readScript('open-rounds/mend', false),
  listRepairs: readScript('repairs/list', false),
  readRepaired: readScript('repairs/read', false),
  readSettings: readScript('store/read-settings', false),
  makeStore: readScript('store/make', false),
  noteServing: readScript('store/note-serving', false),
  renewToken: readScript('store/renew-token', false),
  tryCommands: readScript('store/try-commands', false),
  declareConsumers: readScript('events/declare', true),
  readConsumers: readScript('events/list-consumers', false),
  readEvents: readScript('events/read', false),
  countEvents: readScript('events/count', false),
  advanceEvents: readScript('events/advance', false),
  forgetEvents: readScript('events/forget', false),
} as const;

/** The server gets the script without its comments, behind those it uses: `run_commit` is all of commit.lua. */
function readScript(name: string, acknowledges: boolean, used: readonly string[] = []): Script {
  const [shebang, ...lines] = linesOf(name);
  const functions = used.flatMap((other) => [
    `local function run_${other}(KEYS, ARGV)`,
    ...linesOf(other).slice(1),
    'end',
  ]);
  const source = [shebang, ...functions, ...lines].join('\n');
  const sha = createHash('sha1').update(source).digest('hex');
  return { name, source, sha, acknowledges };
}

function linesOf(name: string): string[] {
  const file = readFileSync(join(__dirname, `${name}.lua`), 'utf8');
  return file.split('\n').filter((line) => !line.startsWith('--'));
}
