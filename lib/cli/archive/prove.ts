import type { Command } from 'commander';
import { proveEvents, writeProofFolder } from '../../operator/archive/reading';
import { counted, print, printJson } from '../terminal/failure';
import { jsonFlag } from '../terminal/flags';
import { addQueryFlags, type QueryFlags, queryOf, reading } from './query-flags';

interface ProveFlags extends QueryFlags {
  readonly out: string;
  readonly json?: true;
}

/** Adds `rgs-wallet archive prove`. */
export function addProve(archive: Command): void {
  addQueryFlags(
    archive
      .command('prove <dir>')
      .summary('write a folder that proves a round to an auditor or a court')
      .description(
        "Writes a folder with the archived events of a round or a reference, a proof for each that it is in the signed log, and a verifier in Python that needs neither this package nor the archive. The verifier takes the log's key, which you publish elsewhere.",
      )
      .requiredOption('--out <dir>', 'the folder to create')
      .addOption(jsonFlag()),
  ).action((folder: string, flags: ProveFlags) => run(folder, flags));
}

async function run(folder: string, { out, json, ...flags }: ProveFlags): Promise<void> {
  const query = queryOf(flags);
  await reading(folder, async () => {
    const proofs = await proveEvents(folder, query);
    await writeProofFolder(proofs, { archive: folder, to: out });
    const { events, size, vkey } = proofs;
    if (json) return printJson({ out, events: events.length, size, vkey });
    print(`${out}: ${counted(events.length, 'event')}, in the log of size ${size}.`);
    print(`Check it with: python3 ${out}/verify_proof.py ${vkey}`);
  });
}
