import { playInputs } from '../../bench/attacks/play';

/** Plays hostile inputs to services that keep this many bytes of each, and prints the texts of the faults. */
async function main(bytes: number): Promise<void> {
  const kept: Buffer[] = [];
  const { faults } = await playInputs({
    seed: 2,
    inputs: 4000,
    only: null,
    memory: { everyInputs: 1000, maxBytes: 10_000_000 },
    front: (listener) => (request, response) => {
      kept.push(Buffer.alloc(bytes));
      listener(request, response);
    },
  });
  process.stdout.write(JSON.stringify(faults.map(({ text }) => text)));
}

void main(Number(process.argv[2]));
