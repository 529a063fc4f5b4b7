import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import {
  type ArchiveVerification,
  type Finding,
} from '../../../../lib/operator/archive/verify/findings';
import { verifyArchive } from '../../../../lib/operator/archive/verify/check';
import { choosePlace } from '../../../servers/data-place';
import { seededRandom } from '../../../platform/seeded-random';
import { ArchiveFiles } from './archive-files';
import { type CleanArchive, cleanArchive } from './clean-archive';
import type { Forging, Place, Scene } from './forging';
import { newSigner } from './notes';

/** What nobody has forged yet: every forging begins with a copy of it. */
export interface Grounds {
  readonly clean: CleanArchive;
  readonly foreign: CleanArchive;
  readonly stranger: Scene['stranger'];
}

const origin = 'casino.example/my-casino';

export function grounds(seed: number): Grounds {
  const draw = seededRandom(seed);
  return {
    clean: cleanArchive(draw, newSigner(origin), 'my-casino'),
    foreign: cleanArchive(draw, newSigner('other.example/other'), 'other'),
    stranger: newSigner(origin),
  };
}

export function sceneOf({ clean, foreign, stranger }: Grounds, seed: number): Scene {
  const checkpoints = clean.archive.bytes('checkpoints');
  return {
    ...clean,
    archive: clean.archive.copy(),
    draw: seededRandom(seed),
    foreign,
    stranger,
    anchor: new ArchiveFiles(new Map([['checkpoints', checkpoints]])),
  };
}

/** What the auditor brings. */
export interface Auditor {
  readonly hasKey?: boolean;
  readonly hasAnchor?: boolean;
  readonly accounts?: boolean;
}

/** The report on a folder of these files, which is removed. */
export async function reportOn(
  { archive, anchor, owner }: Pick<Scene, 'archive' | 'anchor' | 'owner'>,
  { hasKey = false, hasAnchor = false, accounts = false }: Auditor,
): Promise<ArchiveVerification> {
  const folder = mkdtempSync(join(choosePlace(), 'forgery-'));
  try {
    await archive.write(join(folder, 'archive'));
    await anchor.write(join(folder, 'anchor'));
    return await verifyArchive(join(folder, 'archive'), {
      accounts,
      ...(hasKey ? { keys: [owner.vkey] } : {}),
      ...(hasAnchor ? { anchors: [join(folder, 'anchor')] } : {}),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * What is wrong with the reports on a forged archive; nothing if they are as they have to be. What the folder shows by
 * itself is shown with key and anchor too, which `isThorough` has looked at.
 */
export async function misjudged(
  { forge, shownBy }: Forging,
  scene: Scene,
  isThorough: boolean,
): Promise<readonly string[]> {
  const place = forge(scene);
  const isShown = shownBy === 'folder';
  const alone = await faultsOf(scene, {});
  const full =
    isShown && !isThorough ? alone : await faultsOf(scene, { hasKey: true, hasAnchor: true });
  const byKey = shownBy === 'key' ? await faultsOf(scene, { hasKey: true }) : full;
  return [
    ...(full.length > 0 ? [] : ['not found with key and anchor']),
    ...(byKey.length > 0 ? [] : ['not found with the key']),
    ...(isShown && alone.length === 0 ? ['not found by the folder alone'] : []),
    ...(!isShown && alone.length > 0 ? [`found by the folder alone: ${textOf(alone)}`] : []),
    ...(place && !full.some((fault) => isAt(fault, place))
      ? [`${place.file}:${place.line ?? ''} is not named, but ${textOf(full)}`]
      : []),
  ];
}

/** An archive that is not readable at all is found to be so. */
async function faultsOf(scene: Scene, auditor: Auditor): Promise<readonly Finding[]> {
  try {
    return (await reportOn(scene, auditor)).faults;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ArchiveUnreadableError') throw error;
    return [{ file: 'unreadable', line: null, what: error.message }];
  }
}

/** The line of the file; for a file, also what is beside it in the same segment, or where the report names it. */
function isAt(fault: Finding, { file, line }: Place): boolean {
  if (line !== undefined) return fault.file === file && fault.line === line;
  const segment = /\d{12}/.exec(file)?.[0] ?? file;
  return fault.file.includes(segment) || fault.what.includes(segment);
}

const textOf = (faults: readonly Finding[]): string =>
  faults.map(({ file, line, what }) => `${file}:${line ?? ''} ${what}`).join('; ');
