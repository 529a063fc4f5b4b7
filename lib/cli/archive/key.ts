import type { Command } from 'commander';
import { mostEvents, names, parseIdentity } from '../../operator/archive/format';
import { LogFormatError, type NoteSigner } from '../../operator/archive/tlog';
import { diskAt } from '../../operator/archive/writer/disk';
import type { ArchiveWriter } from '../../operator/archive/writer/log-writer';
import { CommandFailure, needed, print, printJson } from '../terminal/failure';
import { jsonFlag } from '../terminal/flags';
import { inFolder, noteOnStderr } from './folder';
import { readKeyFile, writeNewKey } from './key-file';

interface NewFlags {
  readonly out?: string;
  readonly origin?: string;
  readonly json?: true;
}

interface ChangeFlags {
  readonly to?: string;
  readonly key?: string;
  readonly new?: string;
  readonly reason?: string;
  readonly json?: true;
}

/** Adds `rgs-wallet archive key`. */
export function addKey(group: Command): void {
  const keys = group.command('key').summary('make, rotate and replace the key of a log');
  keys
    .command('new')
    .summary('make a key, and print what an auditor needs')
    .description(
      'Writes a private key that only you can read, and prints the public one: give it to the auditor.',
    )
    .option('--out <file>', 'where to write the key')
    .option('--origin <name>', 'the name of the log, such as casino.example/my-casino')
    .addOption(jsonFlag())
    .action((flags: NewFlags) => {
      printKey(writeNewKey(needed('out', flags.out), needed('origin', flags.origin)), flags);
    });
  keys
    .command('rotate')
    .summary('sign with another key from now on; both sign once')
    .option('--to <dir>', 'the folder of the archive, which nobody writes now')
    .option('--key <file>', 'the key that signs now')
    .option('--new <file>', 'the key that signs from now on')
    .addOption(jsonFlag())
    .action((flags: ChangeFlags) => rotate(flags));
  keys
    .command('replace')
    .summary('sign with another key from now on, where the key was lost')
    .description(
      'The log says that its key was replaced, and verify says it too until it is given the new key.',
    )
    .option('--to <dir>', 'the folder of the archive, which nobody writes now')
    .option('--new <file>', 'the key that signs from now on')
    .option('--reason <text>', 'why, for the log')
    .addOption(jsonFlag())
    .action((flags: ChangeFlags) => replace(flags));
}

/** The public key alone. */
function printKey({ name, vkey }: NoteSigner, { json }: { readonly json?: true }): void {
  if (json) printJson({ origin: name, vkey });
  else print(vkey);
}

async function rotate(flags: ChangeFlags): Promise<void> {
  const to = needed('to', flags.to);
  const signer = readKeyFile('key', needed('key', flags.key));
  const next = readKeyFile('new', needed('new', flags.new));
  await change(to, signer, false, async (writer) => {
    await writer.rotateKey(next);
  });
  printKey(next, flags);
}

async function replace(flags: ChangeFlags): Promise<void> {
  const to = needed('to', flags.to);
  const next = readKeyFile('new', needed('new', flags.new));
  const reason = needed('reason', flags.reason);
  if (reason.length > 1_000) throw new CommandFailure('--reason is longer than 1,000 characters.');
  await change(to, next, true, (writer) => writer.replaceKey(reason));
  printKey(next, flags);
}

async function change(
  to: string,
  signer: NoteSigner,
  mayReplaceKey: boolean,
  work: (writer: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const operatorId = await operatorOf(to);
  // No segment is sealed: the key that signs now would not be the one that is on record.
  await inFolder(
    to,
    { operatorId, signer, mayReplaceKey, report: noteOnStderr, segmentEvents: mostEvents },
    work,
  );
}

/** @throws CommandFailure if the folder is no archive. */
async function operatorOf(to: string): Promise<string> {
  const text = await diskAt(to).read(names.identityName);
  try {
    if (text !== null) return parseIdentity(text).operatorId;
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
  }
  throw new CommandFailure('--to is no archive.');
}
