import { readFile, stat } from 'node:fs/promises';

/** Most bytes of a file: more than 2,000 findings. */
const mostBytes = 8_388_608;

/**
 * What the files of `archive verify --json` say of an operator; null if no file is of it.
 * @throws if no file is of it, and one cannot be read.
 */
export function archiveChecksIn(
  files: readonly string[],
): (operatorId: string) => Promise<unknown> {
  return async (operatorId) => {
    const all = await Promise.allSettled(files.map(readCheck));
    let failure: PromiseRejectedResult | null = null;
    for (const one of all) {
      if (one.status === 'rejected') failure = one;
      else if (Object(one.value).operatorId === operatorId) return one.value;
    }
    if (failure !== null) throw failure.reason;
    return null;
  };
}

async function readCheck(file: string): Promise<unknown> {
  if ((await stat(file)).size > mostBytes) throw new RangeError(`${file} is too large`);
  return JSON.parse(await readFile(file, 'utf8')) as unknown;
}
