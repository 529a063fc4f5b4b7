import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CommandFailure, messageOf } from '../../terminal/failure';

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

/** Writes a report. @throws CommandFailure. */
export function writeReport(file: string, flag: string, text: string): void {
  try {
    writeFileSync(resolve(file), text);
  } catch (error) {
    throw new CommandFailure(`${flag}: cannot write ${file}: ${messageOf(error)}`);
  }
}
