import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CommandFailure, messageOf } from '../../terminal/failure';

const ownerOnly = 0o600;

/** @throws CommandFailure if the file could not be written; nothing is written yet. */
export function checkWritable(file: string, flag: string): void {
  const path = resolve(file);
  try {
    const known = statSync(path, { throwIfNoEntry: false });
    if (known?.isDirectory()) throw new Error('it is a folder');
    accessSync(known === undefined ? dirname(path) : path, constants.W_OK);
  } catch (error) {
    throw new CommandFailure(`${flag}: cannot write ${file}: ${messageOf(error)}`);
  }
}

/** Writes a report, for its owner alone: its signatures are valid for minutes. @throws CommandFailure. */
export function writeReport(file: string, flag: string, text: string): void {
  try {
    const opened = openSync(resolve(file), 'w', ownerOnly);
    try {
      // One that was there keeps its mode otherwise; a device or a pipe has none of ours.
      if (fstatSync(opened).isFile()) fchmodSync(opened, ownerOnly);
      writeFileSync(opened, text);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw new CommandFailure(`${flag}: cannot write ${file}: ${messageOf(error)}`);
  }
}
