// Loaded into the wallet's process: its clock stands still while it waits for a processor, as that of the load does. On a busy machine
// its turns would look longer than they are, and it would shed what it has time for.
const { readFileSync } = require('node:fs');

const readEveryMs = 1;
const wallNow = performance.now.bind(performance);
let readAt = Number.NEGATIVE_INFINITY;
let waitedMs = 0;
let latest = 0;

performance.now = () => {
  const now = wallNow();
  if (now - readAt >= readEveryMs) {
    readAt = now;
    // Nanoseconds run, nanoseconds waited, slices.
    waitedMs = Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[1]) / 1e6;
  }
  latest = Math.max(latest, now - waitedMs);
  return latest;
};
