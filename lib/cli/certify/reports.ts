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
import type { NoteSigner } from '../../operator/archive/tlog';
import type { CertificationResult } from '../../proof/certify';
import { written } from '../../proof/certify/report/canonical';
import { jsonReport } from '../../proof/certify/report/json';
import { junitReport } from '../../proof/certify/report/junit';
import { htmlReport } from '../../proof/certify/report/page/document';
import { readKeyFile } from '../archive/key-file';
import { CommandFailure, orFail, print } from '../terminal/failure';
import type { CertifyFlags } from './flags';
import { signatureLineOf } from './signature';

/** Where the reports go, and who signs the JSON report. */
type ReportFlags = Pick<CertifyFlags, 'report' | 'junit' | 'json' | 'signKey'>;

/**
 * The key that signs; null for none. Nothing is written yet.
 * @throws CommandFailure if a file cannot be written, or the key cannot be used.
 */
export function checkReports(flags: ReportFlags): NoteSigner | null {
  for (const flag of ['report', 'junit', 'json'] as const) {
    const file = flags[flag];
    if (typeof file === 'string') checkWritable(file, `--${flag}`);
  }
  const { signKey, json } = flags;
  if (signKey === undefined) return null;
  if (json === undefined) {
    throw new CommandFailure('--sign-key signs the JSON report: name its file with --json');
  }
  return readKeyFile('sign-key', signKey);
}

/** Writes the reports that the flags name. @throws CommandFailure */
export function writeReports(
  result: CertificationResult,
  { report, junit, json }: ReportFlags,
  signer: NoteSigner | null,
): void {
  const sign = signer === null ? null : (digest: string) => signatureLineOf(digest, signer);
  const signedBy = signer?.name ?? null;
  if (report !== undefined) writeReport(report, '--report', htmlReport(result, signedBy));
  if (junit !== undefined) writeReport(junit, '--junit', junitReport(result));
  if (json === undefined) return;
  const text = jsonReport(result, sign);
  if (json === true) print(written(JSON.parse(text), 0));
  else writeReport(json, '--json', text);
}

const ownerOnly = 0o600;

function checkWritable(file: string, flag: string): void {
  const path = resolve(file);
  orFail(`${flag}: cannot write ${file}`, () => {
    const known = statSync(path, { throwIfNoEntry: false });
    if (known?.isDirectory()) throw new Error('it is a folder');
    accessSync(known === undefined ? dirname(path) : path, constants.W_OK);
  });
}

/** Writes a report, for its owner alone: it holds players, balances and the wallet's own words. @throws CommandFailure */
function writeReport(file: string, flag: string, text: string): void {
  orFail(`${flag}: cannot write ${file}`, () => {
    const opened = openSync(resolve(file), 'w', ownerOnly);
    try {
      // One that was there keeps its mode otherwise; a device or a pipe has none of ours.
      if (fstatSync(opened).isFile()) fchmodSync(opened, ownerOnly);
      writeFileSync(opened, text);
    } finally {
      closeSync(opened);
    }
  });
}
