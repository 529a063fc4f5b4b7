import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A script as the server knows it. */
export interface Script {
  readonly name: string;
  readonly source: string;
  readonly sha: string;
  /** Whether its answer is acknowledged to others, and so must rest on what replicas have. */
  readonly acknowledges: boolean;
}

/** The scripts of the store; each file says in its head what it takes and replies. */
export const scripts = {
  commit: readScript('commit', true),
  load: readScript('load', true),
  readAccounts: readScript('read-accounts', false),
  readRound: readScript('read-round', false),
  listRounds: readScript('list-rounds', false),
  openPlayer: readScript('open-player', true),
  blockPlayer: readScript('block-player', true),
  moveCash: readScript('move-cash', true),
  readSettings: readScript('read-settings', false),
  makeStore: readScript('make-store', false),
} as const;

/** Comments are left out of what the server is sent. */
function readScript(name: string, acknowledges: boolean): Script {
  const file = readFileSync(join(__dirname, `${name}.lua`), 'utf8');
  const [shebang, ...lines] = file.split('\n');
  const source = [shebang, ...lines.filter((line) => !line.startsWith('--'))].join('\n');
  const sha = createHash('sha1').update(source).digest('hex');
  return { name, source, sha, acknowledges };
}
