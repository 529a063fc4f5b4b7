import { join } from 'node:path';

import { describe, expect, test } from '@jest/globals';

import { names } from '../../../lib/operator/archive/format';
import { proveFrom } from '../../../lib/operator/archive/prove/proofs';
import { FolderFiles } from '../../../lib/operator/archive/read/files';
import { verifyFiles } from '../../../lib/operator/archive/verify/check';
import { BuiltFolder, newKey } from './folder';
import { temporaryFolders } from './temporary';

const temporary = temporaryFolders();

/** Files of which something happens to the folder before the n-th look at them. */
class ChangedFiles extends FolderFiles {
  looks = 0;

  constructor(
    folder: string,
    private readonly at: number,
    private readonly change: () => void,
  ) {
    super(folder);
  }

  override async bytes(path: string, most: number) {
    this.look();
    return super.bytes(path, most);
  }

  override async hold(path: string) {
    this.look();
    return super.hold(path);
  }

  override async names(below: string) {
    this.look();
    return super.names(below);
  }

  private look(): void {
    if (this.looks++ === this.at) this.change();
  }
}

/** Two segments, and what brings another key and a segment that it signs. */
function scene(how: 'rotated' | 'replaced') {
  const anchor = temporary();
  const plan = { segments: [10, 10], anchors: [anchor] };
  const folder = new BuiltFolder(join(temporary(), 'archive'), plan);
  const next = newKey();
  const turn = (): void => {
    folder.turnTo(next, how);
    folder.addSegment(10, [next]);
  };
  return { folder, anchor, turn, next };
}

const newKeyFault = 'from size 20 on the key is one that the former did not sign for';

describe('a key that is changed while the archive is verified', () => {
  test('a rotation between any two looks at the folder is no fault', async () => {
    for (let [at, isOver] = [0, false]; !isOver; at++) {
      const { folder, anchor, turn } = scene('rotated');
      const files = new ChangedFiles(folder.path, at, turn);
      const { faults } = await verifyFiles(files, { anchors: [anchor], keys: [folder.key.vkey] });
      expect({ at, faults }).toEqual({ at, faults: [] });
      isOver = files.looks <= at;
      expect(files.looks).toBeGreaterThan(10);
    }
  });

  test('a replacement between any two looks at the folder is nothing else than the fault that it is', async () => {
    for (let [at, isOver] = [0, false]; !isOver; at++) {
      const { folder, turn } = scene('replaced');
      const files = new ChangedFiles(folder.path, at, turn);
      const { faults } = await verifyFiles(files, {});
      expect([[], [newKeyFault]]).toContainEqual(faults.map(({ what }) => what));
      isOver = files.looks <= at;
    }
  });

  test('keys that are other ones meanwhile, and not more, sign nothing', async () => {
    const { folder, turn, next } = scene('replaced');
    const files = new ChangedFiles(folder.path, 2, () => {
      turn();
      folder.write(names.keysName, `${next.vkey}\n`);
    });
    const { faults } = await verifyFiles(files, {});
    expect(faults.map(({ what }) => what)).toContain(
      'the checkpoint is not signed by the key of size 30',
    );
  });
});

test('an event is proved though the key is rotated between any two looks at the folder, or asked for again', async () => {
  for (let [at, isOver] = [0, false]; !isOver; at++) {
    const { folder, turn } = scene('rotated');
    const files = new ChangedFiles(folder.path, at, turn);
    const proved = await proveFrom(files, { gameRound: 'round-1' }).then(
      ({ size }) => size,
      (error: Error) => error.message,
    );
    expect([20, 30, 'a segment was sealed meanwhile: try again']).toContain(proved);
    isOver = files.looks <= at;
    expect(files.looks).toBeGreaterThan(4);
  }
});
