import {
  LogFormatError,
  type NoteKey,
  type NoteSigner,
  openNote,
  signNote,
} from '../../operator/archive/tlog';
import { digestOf, isAsWritten, type ReadReport } from '../../proof/certify/report/canonical';
import { findReportFault } from '../../proof/certify/report/json';

/** What is signed: a note that says what it is about, so that no signature of a log can pass for one of a report. */
function noteTextOf(digest: string): string {
  return `rgs-wallet-kit certification report\n${digest}\n`;
}

/** The signature of a report by its digest, as a line of C2SP's signed-note. */
export function signatureLineOf(digest: string, signer: NoteSigner): string {
  const text = noteTextOf(digest);
  return signNote(text, [signer])
    .slice(text.length + 1)
    .trimEnd();
}

/** Why a report is not one that the key has signed, or what it says. */
export type CheckedReport =
  | { readonly fault: string }
  | { readonly fault: null; readonly report: ReadReport };

/** Checks a report as it was read from a file: its form, its digest, and the signature by this key. */
export function checkReport(text: string, key: NoteKey): CheckedReport {
  const read = readReport(text);
  if ('fault' in read) return read;
  const { document, report } = read;
  if (!isAsWritten(text, document)) {
    return { fault: 'it is spelt otherwise than it was written: a name stands twice, or more' };
  }
  const { digest, line } = report.signature;
  if (digestOf(report.members) !== digest)
    return { fault: 'it was altered: it has another digest' };
  if (line === null) return { fault: 'it is not signed' };
  try {
    openNote(`${noteTextOf(digest)}\n${line}\n`, [key]);
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    return { fault: `the signature is not one of ${key.vkey}` };
  }
  return { fault: null, report };
}

function readReport(
  text: string,
): { readonly fault: string } | { readonly document: unknown; readonly report: ReadReport } {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return { fault: 'it is no JSON' };
  }
  const fault = findReportFault(document);
  if (fault !== null) return { fault: `it is no report of this version: ${fault}` };
  const { signature, ...members } = document as ReadReport['members'] &
    Pick<ReadReport, 'signature'>;
  return { document, report: { members, signature } };
}
