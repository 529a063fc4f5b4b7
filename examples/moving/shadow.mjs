// Sends the new wallet a copy of every call that the old one has answered, and prints what it answers differently.
const mostCopies = 1000;

/**
 * Each difference as a text; none if an RGS would do the same after either reply. A reply is { status, text }; the status is a
 * text if there was none.
 */
export function differences(before, after) {
  const found = [];
  if (before.status !== after.status) found.push(`status ${before.status}, now ${after.status}`);
  const [old, fresh] = [read(before.text), read(after.text)];
  for (const hash of new Set([...old.verdicts.keys(), ...fresh.verdicts.keys()])) {
    const [one, other] = [old, fresh].map(({ verdicts }) => verdicts.get(hash) ?? 'not listed');
    if (one !== other) found.push(`${hash}: ${one}, now ${other}`);
  }
  if (old.balances !== fresh.balances)
    found.push(`balances ${old.balances}, now ${fresh.balances}`);
  return found;
}

/** What an RGS reads: by hash the verdict, and the balances in one order, 10.50 and 10.5 alike. */
function read(text) {
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    return { verdicts: new Map(), balances: 'no JSON' };
  }
  const verdicts = new Map(listOf(body?.hashesProcessed).map((one) => [one.hash, verdictOf(one)]));
  const balances = listOf(body?.balances).map((one) => `${one.type} ${one.amount} ${one.currency}`);
  return { verdicts, balances: balances.toSorted().join(', ') || 'none' };
}

function verdictOf({ errorCode }) {
  return errorCode ? `error ${errorCode.id}` : 'processed';
}

/** The objects of a list; none if it is no list. */
function listOf(value) {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
}

/** Copies calls by `send(request, body)`, those of a player in the order in which the old wallet has answered them. */
export function createShadow(send, print) {
  const queues = new Map();
  let waiting = 0;

  async function compare({ request, body, reply }) {
    const after = await send(request, body).catch((error) => ({ status: error.name, text: '' }));
    const found = differences(reply, after);
    if (found.length === 0) return;
    print({ call: body.length > 0 ? body.toString('utf8') : request.url, differences: found });
  }

  return {
    copy(player, call) {
      if (waiting >= mostCopies) return print({ skipped: 'a copy: the new wallet is too slow' });
      waiting += 1;
      const done = (queues.get(player) ?? Promise.resolve())
        .then(() => compare(call))
        .finally(() => {
          waiting -= 1;
          if (queues.get(player) === done) queues.delete(player);
        });
      queues.set(player, done);
    },
    /** Resolves once every copy was answered. */
    idle: () => Promise.all(queues.values()),
  };
}
