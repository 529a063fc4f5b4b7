import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Reads "add PID" and "del PID" lines; at the end of its input, which comes however this process dies, it kills what is left,
// frees the shared memory of killed PostgreSQLs, which would outlive them, unmounts disks, and removes the folder (once more if
// an orphan still wrote to it). An 'exit' handler would not do: Jest's sandbox never runs one, and kill -9 runs none at all.
const SCRIPT = `
trap '' INT TERM HUP
pids=
while read -r verb pid; do
  rest=
  for known in $pids; do [ "$known" = "$pid" ] || rest="$rest $known"; done
  [ "$verb" = add ] && rest="$rest $pid"
  pids=$rest
done
[ -n "$pids" ] && kill -9 $pids
for lock in "$1"/*/data/postmaster.pid "$1"/*/*/data/postmaster.pid; do
  [ -f "$lock" ] && ipcrm -m "$(sed -n '7s/.* //p' "$lock")"
done
for disk in "$1"/disk-*; do
  [ -d "$disk" ] && umount -l "$disk"
done
rm -rf -- "$1" || { sleep 1; rm -rf -- "$1"; }
`;

interface Reaper {
  readonly folder: string;
  readonly input: NodeJS.WritableStream;
}

let reaper: Reaper | undefined;

/** Makes sure the child is killed when this process dies, in whatever way. Call it right after spawning. */
export function reapWithThisProcess(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  const { input } = start();
  input.write(`add ${pid}\n`);
  child.once('exit', () => input.write(`del ${pid}\n`));
}

/** Has these processes killed too when this process dies, until the returned function is called. */
export function reapToo(pids: readonly number[]): () => void {
  const { input } = start();
  for (const pid of pids) input.write(`add ${pid}\n`);
  return () => {
    for (const pid of pids) input.write(`del ${pid}\n`);
  };
}

/**
 * A new private folder that is removed when this process dies, if nobody removed it before. `below` is a folder of a
 * disk, from mountDisk; the folder of this process if it is not given.
 */
export function temporaryFolder(prefix: string, below?: string): Promise<string> {
  return mkdtemp(join(below ?? start().folder, `${prefix}-`));
}

function start(): Reaper {
  if (reaper) return reaper;
  const folder = mkdtempSync(join(process.env['TEST_DATA'] ?? tmpdir(), 'rgs-wallet-kit-'));
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'reaper', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  reaper = { folder, input: child.stdin };
  return reaper;
}
