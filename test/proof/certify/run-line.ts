import type { CertificationResult } from '../../../lib/proof/certify';

/** Prints how a run of a right wallet ended, at once: a soak of hours that is stopped has told what it played. */
export function printRun(wallet: string, seed: number, result: CertificationResult): void {
  const { cases, outcome, durationMs } = result;
  const required = cases.filter(({ level }) => level === 'required');
  const failed = required.filter(({ verdict, needs }) => verdict !== 'passed' && needs === null);
  const passed = required.filter(({ verdict }) => verdict === 'passed').length;
  const seconds = Math.round(durationMs / 1000);
  const names = failed.map(({ id, verdict }) => ` ${id} ${verdict}`).join();
  process.stderr.write(
    `${wallet}, seed ${seed}: ${outcome}, ${passed} of ${required.length} required, ${seconds} s${names}\n`,
  );
}
