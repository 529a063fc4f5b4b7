import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../../platform';
import type { Person } from '../configuration/person';
import type { ExportedFile } from './form';
import { RequestFault } from '../view/request';

/** Files that a process sends at once. */
const mostAtOnce = 2;

/** A reader who takes nothing for so long is left, in milliseconds: others wait for the place. */
const longestStallMs = 60_000;

/** Sends files to be saved: one at a time to a person, since each reads much of the store. */
export class FileSender {
  private readonly people = new Set<string>();

  /**
   * Sends a file as fast as it is taken. Resolves also where the reader leaves, or takes nothing for a minute.
   * The act of it is written before the first byte.
   * @throws RequestFault if too many are sent, StoreUnavailableError if the act cannot be written, and what reading the parts throws: then the end of the file is missing.
   */
  async send(
    response: ServerResponse,
    { id }: Person,
    file: ExportedFile,
    clock: Pick<Clock, 'after'>,
  ): Promise<void> {
    if (this.people.has(id)) {
      throw new RequestFault(409, 'Another export of yours is running. Wait until it has ended.');
    }
    if (this.people.size >= mostAtOnce) {
      throw new RequestFault(409, 'Exports of others are running. Try again in a minute.');
    }
    this.people.add(id);
    try {
      if (response.req.method !== 'HEAD') await file.acts.begin();
      await sendFile(response, file, clock);
    } finally {
      this.people.delete(id);
    }
  }
}

async function sendFile(
  response: ServerResponse,
  { type, name, parts, acts }: ExportedFile,
  clock: Pick<Clock, 'after'>,
): Promise<void> {
  response.writeHead(200, {
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
  });
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  let fault: unknown = null;
  const leave = () => response.destroy();
  let stop = clock.after(longestStallMs, leave);
  const moved = () => {
    stop();
    stop = clock.after(longestStallMs, leave);
  };
  const sent = noted(parts, moved, (error) => (fault = error));
  await pipeline(Readable.from(sent), response).catch(() => {});
  stop();
  if (fault !== null) throw fault;
  await acts.end();
}

/** The parts. Says when each is asked for, and notes an error of reading them, which a lost connection does not cause. */
async function* noted(
  parts: AsyncIterable<string>,
  moved: () => void,
  note: (error: unknown) => void,
): AsyncGenerator<string> {
  try {
    for await (const part of parts) {
      moved();
      if (part !== '') yield part;
    }
  } catch (error) {
    note(error);
    throw error;
  }
}
