// The balances, in memory. `decide` reads and changes nothing; `apply` changes and decides nothing, so
// that replaying the written events restores the same balances. Amounts are strings outside, and bigints
// inside.
const max = 2n ** 53n - 1n;
/** Rounds on a page of `posted`; ledger.ts asks until a page has fewer. */
const roundsOfPage = 1000;
const refused = (status, reason) => ({ reply: () => ({ status, reason }) });

export class Balances {
  players = new Map();
  notes = new Map();
  /** What the postings of each round moved in each currency, for `posted`. */
  rounds = new Map();

  /** The result of an order: an event to write, if any, and the reply after it. */
  decide(path, order) {
    if (path === 'balances')
      return { reply: () => ({ status: 200, accounts: this.accounts(order) }) };
    if (path === 'posted') return { reply: () => ({ status: 200, rounds: this.posted(order) }) };
    if (path === 'block') return { event: { ...order, path }, reply: () => ({ status: 200 }) };
    const note = this.notes.get(order.key);
    if (path === 'reverse') {
      const event = note?.reversed ? undefined : { path, key: order.key };
      return { event, reply: () => ({ status: 200 }) };
    }
    const content = JSON.stringify([path, ...contentOf(order)]);
    if (note?.reversed || (note && note.content !== content)) return refused(409, 'refused');
    if (note?.refusal) return refused(422, note.refusal);
    const reply = () => this.done(order);
    if (note) return { reply };
    const { key, operatorId, playerId, currency, gameRound } = order;
    const names = { path, key, content, operatorId, playerId, currency, gameRound, at: Date.now() };
    const moved = this.movedBy(path, order);
    if (typeof moved === 'string') {
      return { event: { ...names, refusal: moved }, ...refused(422, moved) };
    }
    return { event: { ...names, ...textsOf(moved) }, reply };
  }

  apply({ path, key, content, operatorId, playerId, currency, refusal, ...rest }) {
    if (path === 'block') {
      const player = this.players.get(nameOf({ operatorId, playerId }));
      if (player) player.blocked = rest.blocked;
      return;
    }
    if (path === 'reverse') {
      const note = this.notes.get(key);
      this.notes.set(key, { ...note, reversed: true });
      if (note?.moved) this.move(note, { real: -note.moved.real, bonus: -note.moved.bonus });
      return;
    }
    const moved = refusal ? undefined : { real: BigInt(rest.real), bonus: BigInt(rest.bonus) };
    const { gameRound, at } = rest;
    const note = { operatorId, playerId, currency, gameRound, at, content, refusal, moved };
    this.notes.set(key, note);
    if (path === 'open') this.open(note, rest.hasBonus);
    if (moved) this.move(note, moved);
  }

  /** What is to move, or why nothing may. */
  movedBy(path, order) {
    const player = this.players.get(nameOf(order));
    const account = player?.accounts.get(order.currency);
    const [real, bonus] = [BigInt(order.real ?? 0), BigInt(order.bonus ?? 0)];
    if (path === 'open') {
      return account ? 'refused' : { real, bonus, hasBonus: order.bonus !== undefined };
    }
    if (!player) return 'noPlayer';
    if (!account) return 'noCurrency';
    if (path === 'debit') return player.blocked ? 'blocked' : split(account, order);
    const after = { real: account.real + real, bonus: account.bonus + bonus };
    if (path === 'withdraw') {
      const isTooLow = lacks(account.real, real) || lacks(account.bonus, bonus);
      return isTooLow ? 'tooLow' : { real: -real, bonus: -bonus };
    }
    if (path !== 'credit' && path !== 'deposit') throw new Error(`there is no ${path}`);
    return after.real > max || after.bonus > max ? 'outOfRange' : { real, bonus };
  }

  open({ operatorId, playerId, currency }, hasBonus) {
    const name = nameOf({ operatorId, playerId });
    const player = this.players.get(name) ?? { accounts: new Map(), blocked: false };
    player.accounts.set(currency, { real: 0n, bonus: 0n, hasBonus });
    this.players.set(name, player);
  }

  move(note, { real, bonus }) {
    const account = this.players.get(nameOf(note)).accounts.get(note.currency);
    account.real += real;
    account.bonus += bonus;
    account.hasBonus ||= bonus !== 0n;
    if (note.gameRound !== undefined) this.sum(note, { real, bonus });
  }

  sum({ operatorId, playerId, gameRound, currency, at }, { real, bonus }) {
    const name = JSON.stringify([operatorId, playerId, gameRound, currency]);
    const known = this.rounds.get(name) ?? { real: 0n, bonus: 0n, lastAt: 0 };
    const moved = { real: known.real + real, bonus: known.bonus + bonus };
    this.rounds.set(name, { ...moved, lastAt: Math.max(known.lastAt, at) });
  }

  /** A page of what rounds moved, in the order of their names: those of a player one after the other. */
  posted({ operatorId, playerId, gameRound, since = 0, after = '' }) {
    const wanted = [operatorId, playerId, gameRound];
    const isWanted = (name) =>
      JSON.parse(name).every((id, at) => wanted[at] === undefined || wanted[at] === id);
    const names = [...this.rounds.keys()].filter(
      (name) => name > after && isWanted(name) && this.rounds.get(name).lastAt >= since,
    );
    return names
      .toSorted((one, other) => (one < other ? -1 : 1))
      .slice(0, roundsOfPage)
      .map((name) => ({ name, ...textsOf(this.rounds.get(name)) }));
  }

  /** What the key moved, even long ago, and the accounts now. */
  done(order) {
    const { real, bonus } = this.notes.get(order.key).moved;
    const paid = textsOf({ real: -real, bonus: -bonus });
    return { status: 200, paid, accounts: this.accounts(order) };
  }

  accounts(names) {
    const player = this.players.get(nameOf(names));
    if (!player) return null;
    return Array.from(player.accounts, ([currency, { real, bonus, hasBonus }]) => {
      return { currency, real: String(real), bonus: hasBonus ? String(bonus) : null };
    });
  }
}

function lacks(has, wanted) {
  return wanted > 0n && has < wanted;
}

/** The one rule shared with the kit: `splitDebit` (docs/architecture.md). */
function split(account, { amount: text, bonusFirst }) {
  const amount = BigInt(text);
  const [real, bonus] = [account.real, account.bonus].map((units) => (units > 0n ? units : 0n));
  if (real + bonus < amount) return 'tooLow';
  const first = bonusFirst ? bonus : real;
  const paidFirst = first < amount ? first : amount;
  const paidBonus = bonusFirst ? paidFirst : amount - paidFirst;
  return { real: paidBonus - amount, bonus: -paidBonus };
}

function textsOf({ real, bonus, ...rest }) {
  return { ...rest, real: String(real), bonus: String(bonus) };
}

function contentOf({ operatorId, playerId, currency, amount, bonusFirst, real, bonus }) {
  return [operatorId, playerId, currency, amount, bonusFirst, real, bonus];
}

function nameOf({ operatorId, playerId }) {
  return JSON.stringify([operatorId, playerId]);
}
