/** The lines that end with a line break, without it; what follows the last one is left out. */
export async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(lineBreak); at >= 0; at = chunk.indexOf(lineBreak, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, at)]);
      rest = [];
      from = at + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
}

const lineBreak = 10;
