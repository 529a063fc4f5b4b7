import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Anchor } from '../../operator/archive/anchors/anchor';
import { folderAnchor } from '../../operator/archive/anchors/folder';
import { witnessAnchor } from '../../operator/archive/anchors/witness-client';
import { LogFormatError, parseWitnessVkey } from '../../operator/archive/tlog';
import { systemClock } from '../../platform';
import { isLoopback } from '../admin/sign-in';
import { CommandFailure } from '../terminal/failure';

/**
 * The anchor that `--anchor` names: a folder, or the address of a witness, with its key after `#`.
 * @throws CommandFailure
 */
export function parseAnchor(text: string, archive: string): Anchor {
  if (!/^[a-z0-9+.-]+:\/\//i.test(text)) return anchorIn(text, archive);
  const { protocol, hostname, username, password, hash, origin, pathname } = addressOf(text);
  const isLocal = protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, ''));
  if (protocol !== 'https:' && !isLocal) {
    throw new CommandFailure('--anchor must be a folder, or an address that begins with https://');
  }
  if (username !== '' || password !== '') {
    throw new CommandFailure('--anchor takes no user and password: a checkpoint is signed.');
  }
  try {
    const key = hash === '' ? null : parseWitnessVkey(decodeURIComponent(hash.slice(1)));
    return witnessAnchor(`${origin}${pathname}`, key, systemClock);
  } catch (error) {
    if (error instanceof LogFormatError) throw new CommandFailure(`--anchor: ${error.message}`);
    throw error;
  }
}

/** A folder that exists: it may be a mount that is missing, so that none is made. */
function anchorIn(folder: string, archive: string): Anchor {
  const place = statSync(folder, { throwIfNoEntry: false });
  if (place?.isDirectory() !== true)
    throw new CommandFailure(`--anchor ${folder}: no such folder.`);
  refuseSame(folder, archive);
  return folderAnchor(folder);
}

/** An archive that is compared with its own checkpoints proves nothing. @throws CommandFailure */
export function refuseOwnCheckpoints(anchor: string, archive: string): void {
  refuseSame(anchor, archive);
  refuseSame(join(anchor, checkpoints), join(archive, checkpoints));
}

function refuseSame(anchor: string, archive: string): void {
  const [place, own] = [anchor, archive].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (own === undefined || own.dev !== place?.dev || own.ino !== place.ino) return;
  throw new CommandFailure(
    '--anchor is the archive itself: name a folder of another administrator.',
  );
}

const checkpoints = 'checkpoints';

function addressOf(text: string): URL {
  if (URL.canParse(text)) return new URL(text);
  throw new CommandFailure('--anchor is no address.');
}
