import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Anchor } from '../../operator/archive/anchors/anchor';
import { folderAnchor } from '../../operator/archive/anchors/folder';
import { timeAuthority } from '../../operator/archive/anchors/time-authority';
import { witnessAnchor } from '../../operator/archive/anchors/witness-client';
import { LogFormatError, parseWitnessVkey } from '../../operator/archive/tlog';
import { systemClock, systemRandom } from '../../platform';
import { isLoopback } from '../admin/sign-in';
import { CommandFailure } from '../terminal/failure';
import { areNested, refuseWithin } from './place';

/** The anchors that `--anchor` names. @throws CommandFailure */
export async function parseAnchors(texts: readonly string[], archive: string): Promise<Anchor[]> {
  if (texts.filter(isTimeAuthority).length > 1) {
    // A checkpoint has one reply in the folder.
    throw new CommandFailure('--anchor takes one time authority.');
  }
  const anchors: Anchor[] = [];
  for (const text of texts) anchors.push(await parseAnchor(text, archive));
  return anchors;
}

/** A folder, or the address of a time authority after `rfc3161+`, or that of a witness, with its key after `#`. */
async function parseAnchor(text: string, archive: string): Promise<Anchor> {
  if (isTimeAuthority(text)) return timeAuthorityAt(text.slice(rfc3161.length));
  if (!/^[a-z0-9+.-]+:\/\//i.test(text)) return anchorIn(text, archive);
  const { protocol, hostname, hash, origin, pathname } = addressOf(text);
  const isLocal = protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, ''));
  if (protocol !== 'https:' && !isLocal) {
    throw new CommandFailure(
      '--anchor must be a folder, or an address that begins with https:// or rfc3161+https://',
    );
  }
  try {
    const key = hash === '' ? null : parseWitnessVkey(decodeURIComponent(hash.slice(1)));
    return witnessAnchor(`${origin}${pathname}`, key, systemClock);
  } catch (error) {
    if (error instanceof LogFormatError) throw new CommandFailure(`--anchor: ${error.message}`);
    throw error;
  }
}

/** Over http too, which many authorities have alone: a reply is signed, and has nothing but a checksum. */
function timeAuthorityAt(text: string): Anchor {
  const { protocol, hash, href } = addressOf(text);
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw new CommandFailure('--anchor rfc3161+ must go on with https:// or http://');
  }
  if (hash !== '') throw new CommandFailure('--anchor: a time authority has nothing after #.');
  return timeAuthority(href, { clock: systemClock, random: systemRandom });
}

function isTimeAuthority(text: string): boolean {
  return text.toLowerCase().startsWith(rfc3161);
}

/** A folder that exists: it may be a mount that is missing, so that none is made. */
async function anchorIn(folder: string, archive: string): Promise<Anchor> {
  const place = statSync(folder, { throwIfNoEntry: false });
  if (place?.isDirectory() !== true)
    throw new CommandFailure(`--anchor ${folder}: no such folder.`);
  refuseSame(folder, archive);
  if (areNested(folder, archive)) {
    throw new CommandFailure('--anchor must be no folder within that of --to, nor one above it.');
  }
  await refuseWithin('anchor', folder, ['an archive']);
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

const rfc3161 = 'rfc3161+';

function addressOf(text: string): URL {
  if (!URL.canParse(text)) throw new CommandFailure('--anchor is no address.');
  const url = new URL(text);
  if (url.username === '' && url.password === '') return url;
  throw new CommandFailure('--anchor takes no user and password: a checkpoint is signed.');
}
