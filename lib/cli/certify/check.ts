import { statSync } from 'node:fs';
import { type NoteKey, LogFormatError, parseVkey } from '../../operator/archive/tlog';
import { visibleLine } from '../../proof/certify/report/readable';
import { readTextFile } from '../terminal/read-json-file';
import { CommandFailure, exitCodes, needed, print, printJson } from '../terminal/failure';
import type { CertifyFlags } from './flags';
import { checkReport } from './signature';

/** Checks that a report is one that a key has signed, and prints what it says. @throws CommandFailure */
export function runCheck(file: string, flags: Pick<CertifyFlags, 'key' | 'json'>): void {
  const key = keyOf(needed('key', flags.key));
  const checked = checkReport(readBounded(file), key);
  const isJson = flags.json !== undefined;
  const by = { name: key.name, id: key.id };
  if (checked.fault !== null) {
    process.exitCode = exitCodes.wrong;
    if (isJson) return printJson({ signed: false, by, fault: checked.fault });
    return print(`not signed by ${key.name}: ${checked.fault}`);
  }
  const { members, signature } = checked.report;
  const said = (name: string): string => {
    const value = members[name];
    return typeof value === 'string' ? visibleLine(value) : '';
  };
  if (isJson) {
    const names = ['operatorId', 'startedAt', 'version', 'outcome', 'summary'];
    const facts = Object.fromEntries(names.map((name) => [name, said(name)]));
    return printJson({ signed: true, by, digest: signature.digest, ...facts });
  }
  print(`signed by ${key.name} (${key.id})`);
  print(`digest    ${signature.digest}`);
  print(
    `operator  ${said('operatorId')}, ${said('startedAt')}, rgs-wallet certify ${said('version')}`,
  );
  print(`${said('outcome')}: ${said('summary')}`);
}

/** The public key: the text of it, or the first line of a file. A file of a private key begins with it too. */
function keyOf(given: string): NoteKey {
  const text = given.includes('+') ? given : (readBounded(given).split('\n')[0] ?? '');
  try {
    return parseVkey(text.trim());
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    throw new CommandFailure(
      `--key must be the public key that archive key new prints: ${error.message}`,
    );
  }
}

/** Largest report that is read, in bytes. */
const largest = 64 * 1024 * 1024;

/** The text of a file from elsewhere. @throws CommandFailure */
function readBounded(file: string): string {
  const known = statSync(file, { throwIfNoEntry: false });
  if (known?.isFile() === true && known.size <= largest) return readTextFile(file);
  const why = known === undefined ? 'no such file' : 'it is no file of at most 64 MiB';
  throw new CommandFailure(`${file} cannot be read: ${why}`);
}
