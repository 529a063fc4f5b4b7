import { endLine, type ExportKind, pageSize } from '../../operator/operations/export/form';
import { roundsForm } from '../../operator/operations/export/rounds';
import type { PlayerKey, RoundsQuery, WalletStore } from '../../operator/wallet';
import { noHistory } from '../rounds/text';
import { messageOf } from '../terminal/failure';

/**
 * Writes all rounds that fit, the newest first, a page at a time. Returns how many there are.
 * @param write Resolves once the text is handed over, so that a slow reader holds no page back in memory.
 * @throws Error if the store lists no rounds, or does not answer: then the end is missing.
 */
export async function exportRounds(
  store: WalletStore,
  player: PlayerKey,
  filter: RoundsQuery,
  kind: ExportKind,
  write: (text: string) => Promise<void> = writeOut,
): Promise<number> {
  const { head, row } = roundsForm(kind, store.decimals);
  let rows = 0;
  for (let cursor: string | null = null; ; ) {
    const place: RoundsQuery = cursor === null ? {} : { cursor };
    const query = { ...filter, limit: pageSize, ...place };
    const page = (await store.history?.rounds(player, query)) ?? { kind: 'off' as const };
    if (page.kind === 'off') throw new Error(noHistory);
    if (page.kind === 'unknown') throw cutAfter(rows, page.cause);
    if (cursor === null) await write(head);
    await write(page.rounds.map(row).join(''));
    rows += page.rounds.length;
    cursor = page.next;
    if (cursor === null) break;
  }
  await write(endLine(kind, rows, null));
  return rows;
}

function cutAfter(rows: number, cause: Error): Error {
  return new Error(
    `The store did not answer, after ${rows} rounds: the export is cut and has no end line. ${messageOf(cause)}`,
  );
}

function writeOut(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}
