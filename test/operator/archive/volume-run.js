// Writes so many events with the built writer, and prints the processor time an event and the memory: on stderr for each
// million so far, on stdout for all. Run it with --max-old-space-size=256.
'use strict';
const { generateKeyPairSync } = require('node:crypto');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const {
  ArchiveWriter,
  noteSigner,
  openDisk,
  thisProcess,
} = require('../../../dist/operator/archive');
const { systemClock, systemRandom } = require('../../../dist/platform');

const count = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(path.join(process.argv[3] ?? tmpdir(), 'archive-volume-'));

function event(n) {
  const at = new Date(Date.UTC(2026, 10, 24) + n).toISOString();
  const [playerId, gameRound] = [
    `player-${(n * 7919) % 50_021}`,
    `round-${n.toString(36)}-${(n * 2_654_435_761) % 4_294_967_296}`,
  ];
  const key = { operatorId: 'op', playerId, gameRound };
  const one = (type, amount) => ({
    at,
    type,
    hash: `${gameRound}-${type}`,
    outcome: 'accepted',
    currency: 'EUR',
    amount,
    moved: { real: amount, bonus: null },
  });
  return {
    type: 'round',
    id: `op/${playerId}/${gameRound}/1`,
    ...key,
    version: 1,
    at,
    gameCode: 'game-bells',
    state: 'closed',
    transactions: [
      one('debit', '1.0000'),
      one('credit', `${n % 13}.0000`),
      { at, type: 'end', hash: `${gameRound}-end`, outcome: 'accepted' },
    ],
    movements: [
      { hash: `${gameRound}-debit`, currency: 'EUR', real: '-1.0000', bonus: '0.0000' },
      { hash: `${gameRound}-credit`, currency: 'EUR', real: `${n % 13}.0000`, bonus: '0.0000' },
    ],
    accounts: [{ currency: 'EUR', real: `${n % 1_000}.0000`, bonus: '0.0000' }],
  };
}

async function main() {
  const signer = noteSigner('casino.example/volume', generateKeyPairSync('ed25519').privateKey);
  const writer = await ArchiveWriter.open({
    disk: await openDisk(folder),
    operatorId: 'op',
    signer,
    process: thisProcess(),
    clock: systemClock,
    random: systemRandom,
    report: () => undefined,
  });
  const bytes = JSON.stringify(event(1)).length;
  const spent = (events) => {
    const { user, system } = process.cpuUsage(began);
    return {
      usEach: Number(((user + system - made) / events).toFixed(1)),
      userUs: Number(((user - made) / events).toFixed(1)),
      longestTurnMs: Math.round(longest),
      rssMB: Math.round(process.resourceUsage().maxRSS / 1024),
    };
  };
  let [made, longest] = [0, 0];
  const began = process.cpuUsage();
  let turn = performance.now();
  const watch = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - turn - 20);
    turn = now;
  }, 20);
  for (let n = 0; n < count; n += 1_000) {
    const before = process.cpuUsage();
    const page = Array.from({ length: 1_000 }, (_, at) => event(n + at));
    made += process.cpuUsage(before).user;
    await writer.append(page);
    await writer.check();
    writer.acknowledged(page);
    await writer.sealIfDue();
    if (n % 300_000 === 0) await writer.checkpoint();
    const written = n + page.length;
    if (written % 1_000_000 === 0) console.error(JSON.stringify({ written, ...spent(written) }));
  }
  if (writer.openEvents > 0) await writer.seal();
  await writer.close();
  clearInterval(watch);
  const { size } = writer;
  console.log(JSON.stringify({ count, size, bytes, ...spent(count), folder }));
  if (process.argv[4] !== 'keep') rmSync(folder, { recursive: true });
}
main().catch((error) => {
  console.error(error);
  process.exit(1);
});
